package dev.narwhal.lance.predicate;

import dev.narwhal.lance.error.PredicateEvaluationException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.Float16;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseLargeVariableWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.Decimal256Vector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;

/** Values as columns: what {@link Loading} does, turned around. */
final class Storing {
  private Storing() {}

  /**
   * A vector of the first {@code rows} values.
   *
   * @param field of the form that the values have; its nullability is not looked at
   */
  static FieldVector vector(Values values, Field field, int rows, BufferAllocator allocator) {
    FieldVector vector = field.createVector(allocator);
    try {
      vector.setInitialCapacity(rows);
      fill(values, vector, ValueType.of(field), rows);
      vector.setValueCount(rows);
      return vector;
    } catch (RuntimeException e) {
      vector.close();
      throw e;
    }
  }

  private static void fill(Values values, FieldVector vector, ValueType type, int rows) {
    if (Bits.isEmpty(values.valid())) {
      vector.allocateNew(); // all null
      return;
    }
    switch (type.kind()) {
      case BOOLEAN -> truth((Truth) values, (BaseFixedWidthVector) vector, rows);
      case INTEGER, DATE, TIME, TIMESTAMP, DURATION ->
          longs((LongValues) values, (BaseFixedWidthVector) vector, Keys.width(type), rows);
      case FLOAT ->
          doubles(
              (DoubleValues) values,
              (BaseFixedWidthVector) vector,
              (ArrowType.FloatingPoint) type.arrow(),
              rows);
      case DECIMAL -> decimals(values, vector, rows);
      case STRING, BINARY -> bytes((ByteValues) values, vector, rows);
      case LIST -> lists(values, vector, type, rows);
      case NULL, STRUCT, OTHER -> throw new IllegalStateException("no values of " + type);
    }
  }

  private static void validity(FieldVector vector, long[] valid, int rows) {
    words(vector.getValidityBuffer(), valid, rows);
  }

  private static void words(ArrowBuf buffer, long[] words, int rows) {
    int bytes = (rows + 7) >>> 3;
    Column.check(buffer, bytes);
    for (int b = 0; b < bytes; b++) {
      buffer.setByte(b, (byte) (words[b >>> 3] >>> (8 * (b & 7))));
    }
  }

  private static void truth(Truth values, BaseFixedWidthVector vector, int rows) {
    vector.allocateNew(rows);
    validity(vector, values.valid(), rows);
    words(vector.getDataBuffer(), values.trues(), rows);
  }

  private static void longs(LongValues values, BaseFixedWidthVector vector, int width, int rows) {
    vector.allocateNew(rows);
    validity(vector, values.valid(), rows);
    Column.check(vector.getDataBuffer(), (long) rows * width);
    long[] array = values.values();
    long address = vector.getDataBuffer().memoryAddress();
    switch (width) {
      case 1 -> {
        for (int row = 0; row < rows; row++) {
          MemoryUtil.putByte(address + row, (byte) array[row]);
        }
      }
      case 2 -> {
        for (int row = 0; row < rows; row++) {
          MemoryUtil.putShort(address + 2L * row, (short) array[row]);
        }
      }
      case 4 -> {
        for (int row = 0; row < rows; row++) {
          MemoryUtil.putInt(address + 4L * row, (int) array[row]);
        }
      }
      default -> {
        for (int row = 0; row < rows; row++) {
          MemoryUtil.putLong(address + 8L * row, array[row]);
        }
      }
    }
  }

  private static void doubles(
      DoubleValues values, BaseFixedWidthVector vector, ArrowType.FloatingPoint type, int rows) {
    vector.allocateNew(rows);
    validity(vector, values.valid(), rows);
    double[] array = values.values();
    ArrowBuf data = vector.getDataBuffer();
    Column.check(data, (long) rows * vector.getTypeWidth());
    long address = data.memoryAddress();
    switch (type.getPrecision()) {
      case HALF -> {
        for (int row = 0; row < rows; row++) {
          MemoryUtil.putShort(address + 2L * row, Float16.toFloat16((float) array[row]));
        }
      }
      case SINGLE -> {
        for (int row = 0; row < rows; row++) {
          MemoryUtil.putInt(address + 4L * row, Float.floatToRawIntBits((float) array[row]));
        }
      }
      case DOUBLE -> {
        for (int row = 0; row < rows; row++) {
          MemoryUtil.putLong(address + 8L * row, Double.doubleToRawLongBits(array[row]));
        }
      }
    }
  }

  private static void decimals(Values values, FieldVector vector, int rows) {
    vector.allocateNew();
    for (int row = 0; row < rows; row++) {
      Object value = values.orNull(row);
      if (value == null) {
        continue;
      }
      if (vector instanceof DecimalVector narrow) {
        narrow.setSafe(row, (BigDecimal) value);
      } else {
        ((Decimal256Vector) vector).setSafe(row, (BigDecimal) value);
      }
    }
  }

  private static void bytes(ByteValues values, FieldVector vector, int rows) {
    long total = 0;
    int[] offsets = values.offsets();
    for (int row = 0; row < rows; row++) {
      total += Bits.get(values.valid(), row) ? offsets[row + 1] - offsets[row] : 0;
    }
    if (vector instanceof FixedSizeBinaryVector fixed) {
      fixedBytes(values, fixed, rows);
    } else if (vector instanceof BaseLargeVariableWidthVector large) {
      large.allocateNew(total, rows);
      validity(large, values.valid(), rows);
      long end = 0;
      large.getOffsetBuffer().setLong(0, 0);
      for (int row = 0; row < rows; row++) {
        end += append(values, row, large.getDataBuffer(), end);
        large.getOffsetBuffer().setLong(8L * (row + 1), end);
      }
      large.setLastSet(rows - 1);
    } else {
      BaseVariableWidthVector variable = (BaseVariableWidthVector) vector;
      variable.allocateNew(total, rows);
      validity(variable, values.valid(), rows);
      int end = 0;
      variable.getOffsetBuffer().setInt(0, 0);
      for (int row = 0; row < rows; row++) {
        end += append(values, row, variable.getDataBuffer(), end);
        variable.getOffsetBuffer().setInt(4L * (row + 1), end);
      }
      variable.setLastSet(rows - 1);
    }
  }

  /** Copies the bytes of a row that is not null; returns how many there were. */
  private static int append(ByteValues values, int row, ArrowBuf data, long at) {
    if (!Bits.get(values.valid(), row)) {
      return 0;
    }
    int start = values.offsets()[row];
    int length = values.offsets()[row + 1] - start;
    data.setBytes(at, values.data(), start, length);
    return length;
  }

  private static void fixedBytes(ByteValues values, FixedSizeBinaryVector vector, int rows) {
    int width = vector.getByteWidth();
    vector.allocateNew(rows);
    validity(vector, values.valid(), rows);
    for (int row = 0; row < rows; row++) {
      int length = values.offsets()[row + 1] - values.offsets()[row];
      if (length != width && Bits.get(values.valid(), row)) {
        throw new PredicateEvaluationException(
            length + " bytes for a binary of " + width, vector.getName(), row);
      }
      append(values, row, vector.getDataBuffer(), (long) row * width);
    }
  }

  private static void lists(Values values, FieldVector vector, ValueType type, int rows) {
    vector.allocateNew();
    validity(vector, values.valid(), rows);
    int size = vector instanceof FixedSizeListVector fixed ? fixed.getListSize() : -1;
    List<@Nullable Object> items = new ArrayList<>();
    for (int row = 0; row < rows; row++) {
      Object list = values.orNull(row);
      if (list != null) {
        ((List<?>) list).forEach(item -> items.add(((Optional<?>) item).orElse(null)));
      } else if (size > 0) {
        items.addAll(java.util.Collections.nCopies(size, null));
      }
      end(vector, row, items.size());
    }
    FieldVector child = vector.getChildrenFromFields().get(0);
    int count = items.size();
    try (FieldVector data =
        vector(
            Values.of(type.item(), items.toArray()),
            child.getField(),
            count,
            child.getAllocator())) {
      data.makeTransferPair(child).transfer();
    }
    if (vector instanceof ListVector list) {
      list.setLastSet(rows - 1);
    } else if (vector instanceof LargeListVector list) {
      list.setLastSet(rows - 1);
    }
  }

  private static void end(FieldVector vector, int row, int items) {
    if (vector instanceof ListVector list) {
      list.getOffsetBuffer().setInt(4L * (row + 1), items);
    } else if (vector instanceof LargeListVector list) {
      list.getOffsetBuffer().setLong(8L * (row + 1), items);
    }
  }
}
