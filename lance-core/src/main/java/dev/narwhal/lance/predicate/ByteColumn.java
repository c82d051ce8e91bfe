package dev.narwhal.lance.predicate;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.types.pojo.ArrowType;

/** Strings or binaries of a column, where they are: row i is {@code [offsets[i], offsets[i+1])}. */
final class ByteColumn {
  private final ArrowBuf data;
  private final long base;
  private final int[] offsets;
  private final long[] valid;
  private final boolean text;

  private ByteColumn(ArrowBuf data, long base, int[] offsets, long[] valid, boolean text) {
    this.data = data;
    this.base = base;
    this.offsets = offsets;
    this.valid = valid;
    this.text = text;
  }

  static ByteColumn of(Column column, ValueType type) {
    boolean text = type.is(ValueType.Kind.STRING);
    ArrowBuf data = column.vector().getDataBuffer();
    int rows = column.rows();
    int[] offsets = new int[rows + 1];
    if (type.arrow() instanceof ArrowType.FixedSizeBinary fixed) {
      Column.check(data, (long) rows * fixed.getByteWidth());
      for (int row = 1; row <= rows; row++) {
        offsets[row] = Math.multiplyExact(row, fixed.getByteWidth());
      }
      return new ByteColumn(data, 0, offsets, column.valid(), text);
    }
    ArrowBuf ends = column.vector().getOffsetBuffer();
    boolean large =
        type.arrow() instanceof ArrowType.LargeUtf8
            || type.arrow() instanceof ArrowType.LargeBinary;
    if (rows == 0) {
      return new ByteColumn(data, 0, offsets, column.valid(), text);
    }
    Column.check(ends, (rows + 1L) * (large ? 8 : 4));
    long address = ends.memoryAddress();
    long base = offset(address, large, 0);
    long bad = base;
    long previous = 0;
    for (int row = 1; row <= rows; row++) {
      long offset = offset(address, large, row) - base;
      // negative or above 2^31-1, or before the one before it
      bad |= (offset - previous) | (Integer.MAX_VALUE - offset);
      offsets[row] = (int) offset;
      previous = offset;
    }
    if (bad < 0) {
      throw new IllegalArgumentException(
          "offsets of '" + column.vector().getName() + "' are not ascending from 0 within 2^31");
    }
    Column.check(data, base + previous);
    return new ByteColumn(data, base, offsets, column.valid(), text);
  }

  private static long offset(long address, boolean large, int row) {
    return large ? MemoryUtil.getLong(address + 8L * row) : MemoryUtil.getInt(address + 4L * row);
  }

  long[] valid() {
    return valid;
  }

  int rows() {
    return offsets.length - 1;
  }

  /** A copy on the heap. */
  ByteValues values() {
    byte[] copy = new byte[offsets[offsets.length - 1]];
    if (copy.length > 0) {
      data.getBytes(base, copy);
    }
    return new ByteValues(copy, offsets, valid, text);
  }

  /** Rows whose bytes are, or begin with, a constant. Null rows may be among them. */
  long[] match(BytePattern pattern, boolean prefix) {
    long[] words = new long[Bits.words(rows())];
    long address = data.memoryAddress() + base;
    int length = pattern.length();
    int longest = prefix ? Integer.MAX_VALUE : length;
    for (int row = 0; row < rows(); row++) {
      int start = offsets[row];
      int size = offsets[row + 1] - start;
      if (size >= length && size <= longest && pattern.isAt(address + start)) {
        words[row >>> 6] |= 1L << row;
      }
    }
    return words;
  }
}
