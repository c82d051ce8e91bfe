package dev.narwhal.lance.datafile.codec;

import java.util.Arrays;

/**
 * What candidates for symbols gain in a round of {@link FsstEncoder}'s learning: a hash table with
 * open addressing, its memory kept between rounds. One thread.
 */
final class FsstGains {
  /** Twice what a sample can have: its pairs that occur more than once, and single codes. */
  private static final int SLOTS = 1 << 16;

  private static final int MOST = SLOTS / 2;
  private static final int INDEX_BITS = 16;

  /** By slot: one more than the index of its candidate; 0 for none. */
  private final int[] slots = new int[SLOTS];

  private long[] symbols = new long[1 << 10];
  private int[] lengths = new int[1 << 10];
  private long[] gains = new long[1 << 10];
  private int[] slotOf = new int[1 << 10];
  private int size;

  /** Forgets all candidates. */
  void clear() {
    for (int i = 0; i < size; i++) {
      slots[slotOf[i]] = 0;
    }
    size = 0;
  }

  /**
   * Adds to a candidate's gain. Candidates past what a sample can have are left out.
   *
   * @param symbol text order, the first byte lowest; zeros past the length
   * @param length 1 to 8
   * @param gain at least 1
   */
  void add(long symbol, int length, long gain) {
    int slot = hash(symbol, length);
    while (slots[slot] != 0) {
      int index = slots[slot] - 1;
      if (symbols[index] == symbol && lengths[index] == length) {
        gains[index] += gain;
        return;
      }
      slot = (slot + 1) & (SLOTS - 1);
    }
    if (size == MOST) {
      return;
    }
    if (size == symbols.length) {
      grow();
    }
    symbols[size] = symbol;
    lengths[size] = length;
    gains[size] = gain;
    slotOf[size] = slot;
    slots[slot] = ++size;
  }

  /** Indices of all candidates, that of the greatest gain first, then by when they came. */
  int[] ranked() {
    long[] keys = new long[size];
    for (int i = 0; i < size; i++) {
      keys[i] = (-gains[i] << INDEX_BITS) | i;
    }
    Arrays.sort(keys);
    int[] ranked = new int[size];
    for (int i = 0; i < size; i++) {
      ranked[i] = (int) keys[i] & ((1 << INDEX_BITS) - 1);
    }
    return ranked;
  }

  long symbol(int index) {
    return symbols[index];
  }

  int length(int index) {
    return lengths[index];
  }

  private static int hash(long symbol, int length) {
    return (int) (((symbol + length) * 0x9E3779B97F4A7C15L) >>> 48);
  }

  private void grow() {
    int capacity = 2 * symbols.length;
    symbols = Arrays.copyOf(symbols, capacity);
    lengths = Arrays.copyOf(lengths, capacity);
    gains = Arrays.copyOf(gains, capacity);
    slotOf = Arrays.copyOf(slotOf, capacity);
  }
}
