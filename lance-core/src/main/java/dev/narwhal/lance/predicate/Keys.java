package dev.narwhal.lance.predicate;

import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;

/**
 * Values as signed 64-bit integers that are ordered as the values are: integers, dates and times
 * themselves, uint64 with the highest bit turned over, floats by {@link TotalOrder}. So one loop
 * compares them all. Keys are given in blocks of 64, a word of the result each.
 */
interface Keys {
  /** Writes the keys of {@code count} rows from {@code first} to the begin of {@code out}. */
  void load(int first, int count, long[] out);

  /** Key of one value of a type. */
  static long of(Object value, ValueType type) {
    if (value instanceof Double number) {
      return TotalOrder.key(number);
    }
    return type.isUnsigned64() ? (long) value ^ Long.MIN_VALUE : (long) value;
  }

  /** Keys of values in arrays. */
  static Keys of(Values values, ValueType type) {
    if (values instanceof DoubleValues doubles) {
      double[] array = doubles.values();
      return (first, count, out) -> {
        for (int i = 0; i < count; i++) {
          out[i] = TotalOrder.key(array[first + i]);
        }
      };
    }
    long[] array = ((LongValues) values).values();
    long flip = type.isUnsigned64() ? Long.MIN_VALUE : 0;
    return (first, count, out) -> {
      for (int i = 0; i < count; i++) {
        out[i] = array[first + i] ^ flip;
      }
    };
  }

  /** Keys of a column, read where they are. */
  static Keys of(Column column, ValueType type) {
    if (type.arrow() instanceof ArrowType.FloatingPoint f) {
      return floats(column, f);
    }
    long flip = type.isUnsigned64() ? Long.MIN_VALUE : 0;
    boolean signed = !(type.arrow() instanceof ArrowType.Int i) || i.getIsSigned();
    return switch (width(type)) {
      case 1 -> bytes(column.address(1), signed ? -1L : 0xFFL);
      case 2 -> shorts(column.address(2), signed ? -1L : 0xFFFFL);
      case 4 -> ints(column.address(4), signed ? -1L : 0xFFFF_FFFFL);
      default -> longs(column.address(8), flip);
    };
  }

  /** Bytes of a value of a type that is held as a {@code long}. */
  static int width(ValueType type) {
    if (type.arrow() instanceof ArrowType.Int i) {
      return i.getBitWidth() / 8;
    }
    if (type.arrow() instanceof ArrowType.Time t) {
      return t.getBitWidth() / 8;
    }
    boolean days = type.arrow() instanceof ArrowType.Date d && d.getUnit() == DateUnit.DAY;
    return days ? 4 : 8;
  }

  private static Keys bytes(long address, long mask) {
    return (first, count, out) -> {
      long from = address + first;
      for (int i = 0; i < count; i++) {
        out[i] = MemoryUtil.getByte(from + i) & mask;
      }
    };
  }

  private static Keys shorts(long address, long mask) {
    return (first, count, out) -> {
      long from = address + 2L * first;
      for (int i = 0; i < count; i++) {
        out[i] = MemoryUtil.getShort(from + 2L * i) & mask;
      }
    };
  }

  private static Keys ints(long address, long mask) {
    return (first, count, out) -> {
      long from = address + 4L * first;
      for (int i = 0; i < count; i++) {
        out[i] = MemoryUtil.getInt(from + 4L * i) & mask;
      }
    };
  }

  private static Keys longs(long address, long flip) {
    return (first, count, out) -> {
      long from = address + 8L * first;
      for (int i = 0; i < count; i++) {
        out[i] = MemoryUtil.getLong(from + 8L * i) ^ flip;
      }
    };
  }

  private static Keys floats(Column column, ArrowType.FloatingPoint type) {
    return switch (type.getPrecision()) {
      case HALF -> {
        long address = column.address(2);
        yield (first, count, out) -> {
          for (int i = 0; i < count; i++) {
            short bits = MemoryUtil.getShort(address + 2L * (first + i));
            out[i] = TotalOrder.key(HalfFloat.toDouble(bits));
          }
        };
      }
      case SINGLE -> {
        long address = column.address(4);
        yield (first, count, out) -> {
          for (int i = 0; i < count; i++) {
            int bits = MemoryUtil.getInt(address + 4L * (first + i));
            out[i] = TotalOrder.key(Float.intBitsToFloat(bits));
          }
        };
      }
      case DOUBLE -> {
        long address = column.address(8);
        yield (first, count, out) -> {
          for (int i = 0; i < count; i++) {
            long bits = MemoryUtil.getLong(address + 8L * (first + i));
            out[i] = bits ^ ((bits >> 63) & Long.MAX_VALUE);
          }
        };
      }
    };
  }
}
