package dev.narwhal.lance.datafile.page;

import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Structs row by row: in each row the fields, of fixed width, back to back. Source: file format
 * sheet 2.1, 5.9.
 */
public final class PackedRows {
  private final List<ValueShape> fields;
  private final int[] widths;
  private final int rowBytes;

  /**
   * @param shape fields of whole bytes, else it is an UnsupportedFeatureException
   * @param fieldBytes what the file says that they take; a LanceFormatException unless it is so
   */
  public PackedRows(ValueShape.Packed shape, List<Integer> fieldBytes) {
    this.fields = shape.fields();
    if (fieldBytes.size() != fields.size()) {
      throw new LanceFormatException(
          "packed structs of " + fieldBytes.size() + " fields, the type has " + fields.size());
    }
    widths = new int[fields.size()];
    long sum = 0;
    for (int i = 0; i < widths.length; i++) {
      long bits = bits(fields.get(i));
      if (bits % 8 != 0) {
        throw new UnsupportedFeatureException(
            "packed fields of " + bits + " bits are not supported: not whole bytes");
      }
      if (fieldBytes.get(i) != bits / 8) {
        throw new LanceFormatException(
            "packed field " + i + " of " + fieldBytes.get(i) + " bytes, the type has " + bits / 8);
      }
      widths[i] = (int) (bits / 8);
      sum += widths[i];
    }
    if (sum > Integer.MAX_VALUE) {
      throw new UnsupportedFeatureException("packed structs of " + sum + " bytes");
    }
    this.rowBytes = (int) sum;
  }

  /** Bytes of a row. */
  public int rowBytes() {
    return rowBytes;
  }

  /**
   * Parts the fields.
   *
   * @param rows {@code count} of them from index 0 on, little-endian
   * @return values in scratch memory
   */
  public PackedValues split(ByteBuffer rows, int count, Scratch scratch) {
    List<Values> columns = new ArrayList<>(widths.length);
    int start = 0;
    for (int i = 0; i < widths.length; i++) {
      int width = widths[i];
      ByteBuffer column = scratch.bytes(Math.multiplyExact(count, width));
      copy(rows, start, column, width, count);
      columns.add(values(fields.get(i), column, count));
      start += width;
    }
    return new PackedValues(columns, count);
  }

  private void copy(ByteBuffer rows, int start, ByteBuffer column, int width, int count) {
    int from = start;
    switch (width) {
      case 4 -> {
        for (int i = 0; i < count; i++, from += rowBytes) {
          column.putInt(4 * i, rows.getInt(from));
        }
      }
      case 8 -> {
        for (int i = 0; i < count; i++, from += rowBytes) {
          column.putLong(8 * i, rows.getLong(from));
        }
      }
      default -> {
        for (int i = 0; i < count; i++, from += rowBytes) {
          column.put(i * width, rows, from, width);
        }
      }
    }
  }

  private static Values values(ValueShape shape, ByteBuffer bytes, int count) {
    if (shape instanceof ValueShape.FixedList list) {
      int items = Math.multiplyExact(count, list.dimension());
      return new ListValues(list.dimension(), values(list.item(), bytes, items), count);
    }
    return shape instanceof ValueShape.FixedWidth fixed
        ? new FixedValues(bytes, fixed.widthBytes(), count)
        : new BitValues(bytes, count);
  }

  private static long bits(ValueShape shape) {
    if (shape instanceof ValueShape.FixedWidth fixed) {
      return 8L * fixed.widthBytes();
    }
    if (shape instanceof ValueShape.Bit) {
      return 1;
    }
    if (shape instanceof ValueShape.FixedList list) {
      return Math.multiplyExact((long) list.dimension(), bits(list.item()));
    }
    throw new UnsupportedFeatureException("packed fields of " + shape + " in rows of one width");
  }
}
