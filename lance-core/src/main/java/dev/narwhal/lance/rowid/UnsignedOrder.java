package dev.narwhal.lance.rowid;

import java.util.Arrays;

/** Unsigned 64-bit numbers in order. Pure. */
public final class UnsignedOrder {
  private UnsignedOrder() {}

  /**
   * Indexes of the keys in ascending order; equal keys keep their order. Keys that ascend already
   * cost one pass.
   *
   * @param keys all 64 bits
   */
  public static int[] of(long[] keys) {
    int[] order = new int[keys.length];
    for (int i = 0; i < order.length; i++) {
      order[i] = i;
    }
    return isAscending(keys) ? order : sorted(keys, order);
  }

  /** Whether no key is below the one before. */
  public static boolean isAscending(long[] keys) {
    for (int i = 1; i < keys.length; i++) {
      if (Long.compareUnsigned(keys[i - 1], keys[i]) > 0) {
        return false;
      }
    }
    return true;
  }

  /** A copy in ascending order. */
  public static long[] sorted(long[] keys) {
    long[] sorted = keys.clone();
    if (isAscending(keys)) {
      return sorted;
    }
    // unsigned order is signed order with the sign bit turned over
    for (int i = 0; i < sorted.length; i++) {
      sorted[i] ^= Long.MIN_VALUE;
    }
    Arrays.sort(sorted);
    for (int i = 0; i < sorted.length; i++) {
      sorted[i] ^= Long.MIN_VALUE;
    }
    return sorted;
  }

  /** Index of the first key that is not below another one; the length when there is none. */
  public static int lowerBound(long[] ascending, long key) {
    int low = 0;
    int high = ascending.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Long.compareUnsigned(ascending[middle], key) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Merges ever longer runs. */
  private static int[] sorted(long[] keys, int[] order) {
    int[] from = order;
    int[] to = new int[order.length];
    for (long width = 1; width < order.length; width *= 2) {
      for (long start = 0; start < order.length; start += 2 * width) {
        int middle = (int) Math.min(order.length, start + width);
        int end = (int) Math.min(order.length, start + 2 * width);
        merge(keys, from, (int) start, middle, end, to);
      }
      int[] swap = from;
      from = to;
      to = swap;
    }
    return from;
  }

  private static void merge(long[] keys, int[] from, int start, int middle, int end, int[] to) {
    if (middle == end || Long.compareUnsigned(keys[from[middle - 1]], keys[from[middle]]) <= 0) {
      System.arraycopy(from, start, to, start, end - start);
      return;
    }
    int left = start;
    int right = middle;
    for (int i = start; i < end; i++) {
      boolean takeLeft =
          right == end
              || (left < middle && Long.compareUnsigned(keys[from[left]], keys[from[right]]) <= 0);
      to[i] = takeLeft ? from[left++] : from[right++];
    }
  }
}
