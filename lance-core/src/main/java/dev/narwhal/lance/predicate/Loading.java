package dev.narwhal.lance.predicate;

import dev.narwhal.lance.predicate.ValueType.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ValueVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.jspecify.annotations.Nullable;

/** Columns as values. */
final class Loading {
  private Loading() {}

  static Values values(Column column, ValueType type) {
    return switch (type.kind()) {
      case BOOLEAN -> truth(column);
      case INTEGER, DATE, TIME, TIMESTAMP, DURATION -> longs(column, type);
      case FLOAT -> doubles(column, type);
      case STRING, BINARY -> ByteColumn.of(column, type).values();
      case DECIMAL -> decimals(column);
      case LIST -> lists(column, type);
      case NULL -> new BoxedValues(new Object[column.rows()]);
      case STRUCT, OTHER -> throw new IllegalStateException("no values of " + type);
    };
  }

  static Truth truth(Column column) {
    long[] bits = Column.bits(column.vector().getDataBuffer(), column.rows());
    return Truth.of(bits, column.valid());
  }

  private static Values longs(Column column, ValueType type) {
    long[] values = new long[column.rows()];
    Keys keys = Keys.of(column, type);
    long[] block = new long[64];
    for (int first = 0; first < values.length; first += 64) {
      int count = Math.min(64, values.length - first);
      keys.load(first, count, block);
      System.arraycopy(block, 0, values, first, count);
    }
    if (type.isUnsigned64()) {
      for (int row = 0; row < values.length; row++) {
        values[row] ^= Long.MIN_VALUE;
      }
    }
    return new LongValues(values, column.valid());
  }

  private static Values doubles(Column column, ValueType type) {
    double[] values = new double[column.rows()];
    switch (((ArrowType.FloatingPoint) type.arrow()).getPrecision()) {
      case HALF -> {
        long address = column.address(2);
        for (int row = 0; row < values.length; row++) {
          values[row] = HalfFloat.toDouble(MemoryUtil.getShort(address + 2L * row));
        }
      }
      case SINGLE -> {
        long address = column.address(4);
        for (int row = 0; row < values.length; row++) {
          values[row] = Float.intBitsToFloat(MemoryUtil.getInt(address + 4L * row));
        }
      }
      case DOUBLE -> {
        long address = column.address(8);
        for (int row = 0; row < values.length; row++) {
          values[row] = Double.longBitsToDouble(MemoryUtil.getLong(address + 8L * row));
        }
      }
    }
    return new DoubleValues(values, column.valid());
  }

  private static Values decimals(Column column) {
    @Nullable Object[] values = new Object[column.rows()];
    for (int row = 0; row < values.length; row++) {
      if (Bits.get(column.valid(), row)) {
        values[row] = column.vector().getObject(row);
      }
    }
    return new BoxedValues(values);
  }

  private static Values lists(Column column, ValueType type) {
    FieldVector vector = column.vector();
    FieldVector data = (FieldVector) itemsOf(vector);
    int items = data.getValueCount();
    Values all = values(Column.of(data, items), type.item());
    @Nullable Object[] lists = new Object[column.rows()];
    for (int row = 0; row < lists.length; row++) {
      if (Bits.get(column.valid(), row)) {
        lists[row] = list(all, start(vector, row), end(vector, row), items);
      }
    }
    return new BoxedValues(lists);
  }

  private static List<Object> list(Values all, long start, long end, int items) {
    if (start < 0 || end < start || end > items) {
      throw new IllegalArgumentException(
          "a list of items [" + start + ", " + end + ") out of " + items);
    }
    List<Object> list = new ArrayList<>((int) (end - start));
    for (int item = (int) start; item < end; item++) {
      list.add(Optional.ofNullable(all.orNull(item)));
    }
    return list;
  }

  private static ValueVector itemsOf(FieldVector vector) {
    if (vector instanceof ListVector list) {
      return list.getDataVector();
    }
    if (vector instanceof LargeListVector list) {
      return list.getDataVector();
    }
    return ((FixedSizeListVector) vector).getDataVector();
  }

  private static long start(FieldVector vector, int row) {
    if (vector instanceof FixedSizeListVector list) {
      return (long) row * list.getListSize();
    }
    return vector instanceof LargeListVector
        ? vector.getOffsetBuffer().getLong(8L * row)
        : vector.getOffsetBuffer().getInt(4L * row);
  }

  private static long end(FieldVector vector, int row) {
    return start(vector, row + 1);
  }

  /** Whether a type's values can be loaded, its items' too. */
  static boolean isLoadable(ValueType type) {
    return type.is(Kind.LIST)
        ? isLoadable(type.item())
        : !type.is(Kind.STRUCT) && !type.is(Kind.OTHER);
  }
}
