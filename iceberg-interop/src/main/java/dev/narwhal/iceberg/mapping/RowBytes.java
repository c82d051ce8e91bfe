package dev.narwhal.iceberg.mapping;

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
 *   string (UTF-8), binary, fixed, uuid   4 bytes of length, the bytes
 *   struct                                the fields, each as a column
 *   list                                  4 bytes of element count, the elements, each as a column
 *   map                                   4 bytes of entry count, the entries, key and value each
 *                                         as a column, in ascending order of their bytes
 * </pre>
 *
 * <p>Two rows of the same column types have equal bytes exactly if they are equal. Used again for
 * row after row; for one thread.
 */
public final class RowBytes {
  private static final byte ABSENT = 0;
  private static final byte PRESENT = 1;
  private static final int FIRST_CAPACITY = 256;

  private ByteBuffer out = ByteBuffer.allocate(FIRST_CAPACITY);
  private byte[] unsorted = new byte[0];

  /** Begins another row. */
  public void clear() {
    out.clear();
  }

  /** The bytes in their first {@link #length}; overwritten by the next row. */
  public byte[] array() {
    return out.array();
  }

  public int length() {
    return out.position();
  }

  public void putNull() {
    room(1).put(ABSENT);
  }

  public void put(boolean value) {
    room(2).put(PRESENT).put((byte) (value ? 1 : 0));
  }

  public void put(int value) {
    room(1 + Integer.BYTES).put(PRESENT).putInt(value);
  }

  public void put(long value) {
    room(1 + Long.BYTES).put(PRESENT).putLong(value);
  }

  public void put(float value) {
    put(Float.floatToIntBits(value));
  }

  public void put(double value) {
    put(Double.doubleToLongBits(value));
  }

  public void putDecimal(long high, long low) {
    room(1 + 2 * Long.BYTES).put(PRESENT).putLong(high).putLong(low);
  }

  public void put(byte[] bytes, int offset, int length) {
    room(Math.addExact(1 + Integer.BYTES, length))
        .put(PRESENT)
        .putInt(length)
        .put(bytes, offset, length);
  }

  public void put(ByteBuffer bytes) {
    room(Math.addExact(1 + Integer.BYTES, bytes.remaining()))
        .put(PRESENT)
        .putInt(bytes.remaining())
        .put(bytes.duplicate());
  }

  /** Begins a struct; its fields are to follow. */
  public void beginStruct() {
    room(1).put(PRESENT);
  }

  /** Begins a list; its elements are to follow. */
  public void beginList(int size) {
    put(size);
  }

  /** Begins a map; its entries are to follow, and {@link #endMap}. */
  public void beginMap(int size) {
    put(size);
  }

  /**
   * Ends a map.
   *
   * @param entries where each entry was written; the last ends here
   */
  void endMap(Pieces entries) {
    entries.end(length());
    if (entries.count() < 2) {
      return;
    }
    int start = entries.start(0);
    int length = length() - start;
    if (unsorted.length < length) {
      this.unsorted = new byte[Math.max(length, grown(unsorted.length))];
    }
    int[] order = entries.sorted(out.array());
    System.arraycopy(out.array(), start, unsorted, 0, length);
    out.position(start);
    for (int i = 0; i < entries.count(); i++) {
      out.put(unsorted, entries.start(order[i]) - start, entries.length(order[i]));
    }
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
