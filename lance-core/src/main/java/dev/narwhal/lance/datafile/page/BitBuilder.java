package dev.narwhal.lance.datafile.page;

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;

/** Values of one bit. */
final class BitBuilder implements VectorBuilder {
  private final BufferAllocator allocator;
  private final ValidityBuilder validity;
  private ArrowBuf buffer;
  private ByteBuffer out;
  private int rows;
  private boolean closed;

  BitBuilder(int capacity, BufferAllocator allocator) {
    this.allocator = allocator;
    this.validity = new ValidityBuilder(capacity, allocator);
    int sizeBytes = Bits.bytes(capacity);
    try {
      this.buffer = allocator.buffer(Math.max(sizeBytes, 1));
    } catch (RuntimeException e) {
      validity.close();
      throw e;
    }
    buffer.setZero(0, sizeBytes);
    this.out = Slots.view(buffer, sizeBytes);
  }

  @Override
  public int rows() {
    return rows;
  }

  @Override
  public long sizeBytes() {
    return Bits.bytes(rows);
  }

  @Override
  public ValidityBuilder validity() {
    return validity;
  }

  @Override
  public void reserve(int more) {
    int slots = Slots.count((long) rows + more);
    validity.reserve(slots);
    int known = out.capacity();
    if (Bits.bytes(slots) > known) {
      buffer = Slots.grow(buffer, known, Bits.bytes(slots), allocator);
      int sizeBytes = (int) Math.min(buffer.capacity(), Integer.MAX_VALUE - 64);
      buffer.setZero(known, sizeBytes - known);
      out = Slots.view(buffer, sizeBytes);
    }
  }

  @Override
  public void append(Values values, int from, int count) {
    Bits.copy(bits(values), from, out, rows, count);
    rows += count;
  }

  @Override
  public void gather(Values values, int[] indices, int from, int count) {
    Bits.gather(bits(values), indices, from, out, rows, count);
    rows += count;
  }

  @Override
  public void repeat(Values values, int index, int count) {
    Bits.fill(out, rows, count, Bits.get(bits(values), index));
    rows += count;
  }

  @Override
  public void appendEmpty(int count) {
    Bits.fill(out, rows, count, false);
    rows += count;
  }

  @Override
  public void transferTo(FieldVector vector) {
    vector.loadFieldBuffers(
        new ArrowFieldNode(rows, validity.nullCount(rows)), List.of(validity.buffer(rows), buffer));
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      validity.close();
      buffer.close();
    }
  }

  private static ByteBuffer bits(Values values) {
    if (values instanceof BitValues bits) {
      return bits.bits();
    }
    throw Slots.mismatch("a builder of bits", values);
  }
}
