package dev.narwhal.lance.rowid;

import dev.narwhal.lance.error.LanceFormatException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Unsigned 64-bit numbers as little-endian offsets of 2 or 4 bytes from a base, or whole in 8
 * bytes. Source: table format sheet 2.8 and 10.3.
 */
final class EncodedU64Array {
  private final long base;
  private final int width;
  private final ByteBuffer values;

  private EncodedU64Array(long base, int width, ByteBuffer values) {
    this.base = base;
    this.width = width;
    this.values = values;
  }

  /**
   * @param width bytes of a number: 2, 4 or 8
   * @param values shared, not copied: nobody may change it any more
   */
  static EncodedU64Array of(long base, int width, ByteBuffer values) {
    if (values.remaining() % width != 0) {
      throw new LanceFormatException(
          "array of " + width + "-byte numbers has " + values.remaining() + " bytes");
    }
    EncodedU64Array array =
        new EncodedU64Array(
            base, width, values.slice().asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN));
    array.requireNoOverflow();
    return array;
  }

  int size() {
    return values.limit() / width;
  }

  /** The number at an index, all 64 bits. */
  long get(int index) {
    return switch (width) {
      case 2 -> base + Short.toUnsignedLong(values.getShort(index * 2));
      case 4 -> base + Integer.toUnsignedLong(values.getInt(index * 4));
      default -> values.getLong(index * 8);
    };
  }

  /** Whether each number is greater than the one before, as unsigned. */
  boolean isStrictlyAscending() {
    for (int i = 1; i < size(); i++) {
      if (Long.compareUnsigned(get(i - 1), get(i)) >= 0) {
        return false;
      }
    }
    return true;
  }

  /** Whether no number is less than the one before, as unsigned. */
  boolean isAscending() {
    for (int i = 1; i < size(); i++) {
      if (Long.compareUnsigned(get(i - 1), get(i)) > 0) {
        return false;
      }
    }
    return true;
  }

  /** Index of the first number not below {@code key}; {@link #size()} if all are. Needs order. */
  int lowerBound(long key) {
    int low = 0;
    int high = size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Long.compareUnsigned(get(middle), key) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private void requireNoOverflow() {
    long widest = width == 2 ? 0xFFFFL : 0xFFFF_FFFFL;
    if (width == 8 || Long.compareUnsigned(base, -1L - widest) <= 0) {
      return;
    }
    for (int i = 0; i < size(); i++) {
      if (Long.compareUnsigned(get(i), base) < 0) {
        throw new LanceFormatException(
            "number " + i + " overflows 64 bits from base " + Long.toUnsignedString(base));
      }
    }
  }
}
