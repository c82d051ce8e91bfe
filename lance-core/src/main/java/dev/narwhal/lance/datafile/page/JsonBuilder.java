package dev.narwhal.lance.datafile.page;

import dev.narwhal.lance.datafile.codec.Jsonb;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;

/** JSON text of values that come as JSONB. */
final class JsonBuilder implements VectorBuilder {
  private final VariableBuilder texts;

  JsonBuilder(int capacity, BufferAllocator allocator) {
    this.texts = new VariableBuilder(Integer.SIZE, capacity, allocator);
  }

  @Override
  public int rows() {
    return texts.rows();
  }

  @Override
  public void reserve(int more) {
    texts.reserve(more);
  }

  @Override
  public long sizeBytes() {
    return texts.sizeBytes();
  }

  @Override
  public ValidityBuilder validity() {
    return texts.validity();
  }

  @Override
  public void append(Values values, int from, int count) {
    int[] indices = new int[count];
    for (int i = 0; i < count; i++) {
      indices[i] = from + i;
    }
    gather(values, indices, 0, count);
  }

  @Override
  public void gather(Values values, int[] indices, int from, int count) {
    VariableValues binaries = VariableBuilder.variable(values);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int[] offsets = new int[count + 1];
    for (int i = 0; i < count; i++) {
      int index = indices[from + i];
      // what a null slot has is no JSON
      if (index >= 0 && validity().isValid(rows() + i)) {
        bytes.writeBytes(text(binaries, index));
      }
      offsets[i + 1] = bytes.size();
    }
    texts.append(
        new VariableValues(ByteBuffer.wrap(bytes.toByteArray()), offsets, count), 0, count);
  }

  @Override
  public void repeat(Values values, int index, int count) {
    byte[] text = text(VariableBuilder.variable(values), index);
    texts.repeat(
        new VariableValues(ByteBuffer.wrap(text), new int[] {0, text.length}, 1), 0, count);
  }

  @Override
  public void appendEmpty(int count) {
    texts.appendEmpty(count);
  }

  @Override
  public void transferTo(FieldVector vector) {
    texts.transferTo(vector);
  }

  @Override
  public void close() {
    texts.close();
  }

  private static byte[] text(VariableValues values, int index) {
    int start = values.offsets()[index];
    return Jsonb.toText(values.bytes().slice(start, values.offsets()[index + 1] - start));
  }
}
