package dev.narwhal.iceberg.verify;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * One row in the canonical form that is hashed: its columns one after the other, big-endian.
 *
 * <pre>
 * null                                    0
 * a value                                 1, then
 *   boolean                               1 byte
 *   int, date (days)                      4 bytes
 *   long, time (us), timestamp (us, ns)   8 bytes
 *   float, double                         4, 8 bytes of IEEE 754; one NaN; -0.0 is not 0.0
 *   decimal                               16 bytes, two's complement of the unscaled value
 *   string (UTF-8), binary, fixed         4 bytes of length, the bytes
 *   list                                  4 bytes of element count, the elements, each as a column
 * </pre>
 *
 * <p>Two rows of the same column types have equal bytes exactly if they are equal. Used again for
 * row after row; for one thread.
 */
final class RowBytes {
  private static final byte ABSENT = 0;
  private static final byte PRESENT = 1;
  private static final int FIRST_CAPACITY = 256;

  private ByteBuffer out = ByteBuffer.allocate(FIRST_CAPACITY);

  /** Begins another row. */
  void clear() {
    out.clear();
  }

  /** The bytes in their first {@link #length}; overwritten by the next row. */
  byte[] array() {
    return out.array();
  }

  int length() {
    return out.position();
  }

  void putNull() {
    room(1).put(ABSENT);
  }

  void put(boolean value) {
    room(2).put(PRESENT).put((byte) (value ? 1 : 0));
  }

  void put(int value) {
    room(1 + Integer.BYTES).put(PRESENT).putInt(value);
  }

  void put(long value) {
    room(1 + Long.BYTES).put(PRESENT).putLong(value);
  }

  void put(float value) {
    put(Float.floatToIntBits(value));
  }

  void put(double value) {
    put(Double.doubleToLongBits(value));
  }

  void putDecimal(long high, long low) {
    room(1 + 2 * Long.BYTES).put(PRESENT).putLong(high).putLong(low);
  }

  void put(byte[] bytes, int offset, int length) {
    room(1 + Integer.BYTES + length).put(PRESENT).putInt(length).put(bytes, offset, length);
  }

  void put(ByteBuffer bytes) {
    room(1 + Integer.BYTES + bytes.remaining())
        .put(PRESENT)
        .putInt(bytes.remaining())
        .put(bytes.duplicate());
  }

  /** Begins a list; its elements are to follow. */
  void beginList(int size) {
    put(size);
  }

  private ByteBuffer room(int bytes) {
    if (out.remaining() < bytes) {
      int capacity = Math.max(Math.addExact(out.position(), bytes), grown(out.capacity()));
      out = ByteBuffer.wrap(Arrays.copyOf(out.array(), capacity)).position(out.position());
    }
    return out;
  }

  private static int grown(int capacity) {
    return (int) Math.min(2L * capacity, Integer.MAX_VALUE - Long.BYTES);
  }
}
