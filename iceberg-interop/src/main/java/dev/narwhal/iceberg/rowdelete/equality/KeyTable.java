package dev.narwhal.iceberg.rowdelete.equality;

import java.util.Arrays;

/**
 * Keys with the highest sequence number of the delete files that hold them: a row goes if that is
 * above its own. A key that is there many times takes its room once. For one thread to fill, then
 * for many to read.
 */
public final class KeyTable {
  private static final int SMALLEST = 1024;
  private static final int MAX_BYTES = Integer.MAX_VALUE - 8;

  /** Entry number plus one by hash, open addressing; a power of two, at most half full. */
  private int[] slots = new int[2 * SMALLEST];

  /** Where the key of entry i ends; it begins where the one before ends. */
  private int[] ends = new int[SMALLEST];

  private long[] sequenceNumbers = new long[SMALLEST];
  private byte[] keys = new byte[SMALLEST * Long.BYTES];
  private int count;

  /** Adds a key. */
  public void add(byte[] key, int length, long sequenceNumber) {
    int slot = slot(key, length);
    if (slots[slot] != 0) {
      int entry = slots[slot] - 1;
      sequenceNumbers[entry] = Math.max(sequenceNumbers[entry], sequenceNumber);
      return;
    }
    append(key, length, sequenceNumber);
    slots[slot] = count;
    if (2L * count > slots.length) {
      rehash();
    }
  }

  /** The highest sequence number of a key, or -1 where it is not there. */
  public long sequenceNumber(byte[] key, int length) {
    int entry = slots[slot(key, length)] - 1;
    return entry < 0 ? -1 : sequenceNumbers[entry];
  }

  /** Number of distinct keys. */
  public int size() {
    return count;
  }

  private int slot(byte[] key, int length) {
    int mask = slots.length - 1;
    int slot = hash(key, 0, length) & mask;
    while (slots[slot] != 0 && !isEntry(slots[slot] - 1, key, length)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private boolean isEntry(int entry, byte[] key, int length) {
    int start = entry == 0 ? 0 : ends[entry - 1];
    return Arrays.equals(keys, start, ends[entry], key, 0, length);
  }

  private void append(byte[] key, int length, long sequenceNumber) {
    int start = count == 0 ? 0 : ends[count - 1];
    long end = (long) start + length;
    if (end > MAX_BYTES || count == 1 << 29) {
      throw new IllegalStateException("keys of one part of the equality deletes exceed 2 GiB");
    }
    if (end > keys.length) {
      keys = Arrays.copyOf(keys, (int) Math.min(MAX_BYTES, Math.max(end, 2L * keys.length)));
    }
    if (count == ends.length) {
      ends = Arrays.copyOf(ends, 2 * count);
      sequenceNumbers = Arrays.copyOf(sequenceNumbers, 2 * count);
    }
    System.arraycopy(key, 0, keys, start, length);
    ends[count] = (int) end;
    sequenceNumbers[count] = sequenceNumber;
    count++;
  }

  private void rehash() {
    slots = new int[2 * slots.length];
    int mask = slots.length - 1;
    for (int entry = 0; entry < count; entry++) {
      int slot = hash(keys, entry == 0 ? 0 : ends[entry - 1], ends[entry]) & mask;
      while (slots[slot] != 0) {
        slot = (slot + 1) & mask;
      }
      slots[slot] = entry + 1;
    }
  }

  /** FNV-1a over the bytes, mixed so that the low bits depend on all of them. */
  static int hash(byte[] bytes, int start, int end) {
    long hash = 0xcbf2_9ce4_8422_2325L;
    for (int i = start; i < end; i++) {
      hash = (hash ^ (bytes[i] & 0xFF)) * 0x100_0000_01b3L;
    }
    hash ^= hash >>> 32;
    return (int) ((hash * 0x9E37_79B9L) >>> 16);
  }
}
