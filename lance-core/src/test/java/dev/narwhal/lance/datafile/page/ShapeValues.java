package dev.narwhal.lance.datafile.page;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.apache.arrow.memory.util.ArrowBufPointer;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.ElementAddressableVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.jspecify.annotations.Nullable;

/**
 * Values of a shape beside the same in plain form: booleans, hex text of the bytes, lists.
 *
 * @param plain one for each slot of {@code values}
 */
record ShapeValues(Values values, List<@Nullable Object> plain) {
  static ShapeValues random(ValueShape shape, int count, Random random) {
    List<@Nullable Object> plain = new ArrayList<>();
    if (shape instanceof ValueShape.Bit) {
      byte[] bits = bytes((count + 7) / 8, random);
      for (int i = 0; i < count; i++) {
        plain.add((bits[i / 8] >> i % 8 & 1) == 1);
      }
      return new ShapeValues(new BitValues(buffer(bits), count), plain);
    }
    if (shape instanceof ValueShape.FixedWidth fixed) {
      int width = fixed.widthBytes();
      byte[] all = bytes(count * width, random);
      for (int i = 0; i < count; i++) {
        plain.add(HexFormat.of().formatHex(all, i * width, (i + 1) * width));
      }
      return new ShapeValues(new FixedValues(buffer(all), width, count), plain);
    }
    if (shape instanceof ValueShape.FixedList list) {
      return lists(list, count, random);
    }
    int[] offsets = new int[count + 1];
    offsets[0] = random.nextInt(9);
    for (int i = 0; i < count; i++) {
      offsets[i + 1] = offsets[i] + (i % 17 == 0 ? random.nextInt(70_000) : random.nextInt(20));
    }
    byte[] all = bytes(offsets[count], random);
    for (int i = 0; i < count; i++) {
      plain.add(HexFormat.of().formatHex(all, offsets[i], offsets[i + 1]));
    }
    return new ShapeValues(new VariableValues(buffer(all), offsets, count), plain);
  }

  private static ShapeValues lists(ValueShape.FixedList shape, int count, Random random) {
    int items = count * shape.dimension();
    ShapeValues inner = random(shape.item(), items, random);
    byte[] validity = random.nextBoolean() ? bytes((items + 7) / 8, random) : null;
    List<@Nullable Object> plain = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      List<@Nullable Object> list = new ArrayList<>();
      for (int k = i * shape.dimension(); k < (i + 1) * shape.dimension(); k++) {
        boolean valid = validity == null || (validity[k / 8] >> k % 8 & 1) == 1;
        list.add(valid ? inner.plain().get(k) : null);
      }
      plain.add(list);
    }
    Values values =
        new ListValues(
            shape.dimension(), inner.values(), validity == null ? null : buffer(validity), count);
    return new ShapeValues(values, plain);
  }

  /** The plain form of one slot of a vector. */
  static @Nullable Object at(FieldVector vector, int row) {
    if (vector.isNull(row)) {
      return null;
    }
    if (vector instanceof BitVector bits) {
      return bits.get(row) == 1;
    }
    if (vector instanceof FixedSizeListVector lists) {
      List<@Nullable Object> list = new ArrayList<>();
      for (int i = 0; i < lists.getListSize(); i++) {
        list.add(at(lists.getDataVector(), row * lists.getListSize() + i));
      }
      return list;
    }
    ArrowBufPointer pointer = ((ElementAddressableVector) vector).getDataPointer(row);
    byte[] bytes = new byte[(int) pointer.getLength()];
    if (bytes.length > 0) {
      pointer.getBuf().getBytes(pointer.getOffset(), bytes);
    }
    if (vector instanceof BaseFixedWidthVector fixed) {
      return HexFormat.of().formatHex(bytes, 0, fixed.getTypeWidth());
    }
    return HexFormat.of().formatHex(bytes);
  }

  /** Direct or on the heap, as chance has it: builders take both. */
  private static ByteBuffer buffer(byte[] bytes) {
    ByteBuffer buffer =
        bytes.length % 2 == 0
            ? ByteBuffer.wrap(bytes)
            : ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    return buffer.order(ByteOrder.LITTLE_ENDIAN);
  }

  private static byte[] bytes(int length, Random random) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }
}
