package dev.narwhal.lance.predicate;

import java.util.Arrays;

/** Sets of rows as words of 64, least significant bit first. Unused bits of the last are clear. */
final class Bits {
  private Bits() {}

  /** Number of words for {@code rows} rows. */
  static int words(int rows) {
    if (rows < 0) {
      throw new IllegalArgumentException("rows must not be negative: " + rows);
    }
    return (rows + 63) >>> 6;
  }

  static long[] ones(int rows) {
    long[] words = new long[words(rows)];
    Arrays.fill(words, -1L);
    clearTail(words, rows);
    return words;
  }

  static void clearTail(long[] words, int rows) {
    if ((rows & 63) != 0) {
      words[rows >>> 6] &= (1L << rows) - 1;
    }
  }

  static boolean get(long[] words, int row) {
    return ((words[row >>> 6] >>> row) & 1) != 0;
  }

  static void set(long[] words, int row) {
    words[row >>> 6] |= 1L << row;
  }

  static int cardinality(long[] words) {
    int count = 0;
    for (long word : words) {
      count += Long.bitCount(word);
    }
    return count;
  }

  static boolean isEmpty(long[] words) {
    for (long word : words) {
      if (word != 0) {
        return false;
      }
    }
    return true;
  }

  static long[] and(long[] a, long[] b) {
    long[] result = new long[a.length];
    for (int w = 0; w < a.length; w++) {
      result[w] = a[w] & b[w];
    }
    return result;
  }

  static long[] or(long[] a, long[] b) {
    long[] result = new long[a.length];
    for (int w = 0; w < a.length; w++) {
      result[w] = a[w] | b[w];
    }
    return result;
  }

  static long[] andNot(long[] a, long[] b) {
    long[] result = new long[a.length];
    for (int w = 0; w < a.length; w++) {
      result[w] = a[w] & ~b[w];
    }
    return result;
  }
}
