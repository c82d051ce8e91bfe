package dev.narwhal.iceberg.mapping;

import java.util.Arrays;

/**
 * Where one piece of an array of bytes ends and the next begins, and their order as unsigned bytes.
 * Used again and again; for one thread.
 */
final class Pieces {
  private static final int FIRST_CAPACITY = 16;

  private int[] bounds = new int[FIRST_CAPACITY + 1];
  private int[] order = new int[FIRST_CAPACITY];
  private int[] scratch = new int[FIRST_CAPACITY];
  private int count;

  void clear() {
    this.count = 0;
  }

  /** Begins a piece. */
  void add(int start) {
    if (count + 1 == bounds.length) {
      int capacity = Math.multiplyExact(count, 2);
      this.bounds = Arrays.copyOf(bounds, capacity + 1);
      this.order = new int[capacity];
      this.scratch = new int[capacity];
    }
    bounds[count++] = start;
  }

  /** Ends the last piece. */
  void end(int endExclusive) {
    bounds[count] = endExclusive;
  }

  int count() {
    return count;
  }

  int start(int piece) {
    return bounds[piece];
  }

  int length(int piece) {
    return bounds[piece + 1] - bounds[piece];
  }

  boolean hasDuplicates(byte[] bytes) {
    int[] sorted = sorted(bytes);
    for (int i = 1; i < count; i++) {
      if (compare(bytes, sorted[i - 1], sorted[i]) == 0) {
        return true;
      }
    }
    return false;
  }

  /**
   * The pieces in ascending order, in the first {@link #count} places; equal ones stay in order.
   */
  int[] sorted(byte[] bytes) {
    for (int i = 0; i < count; i++) {
      order[i] = i;
    }
    for (int width = 1; width > 0 && width < count; width *= 2) {
      merge(bytes, width);
    }
    return order;
  }

  /** Merges neighbouring runs of {@code width} into runs of twice the width. */
  private void merge(byte[] bytes, int width) {
    for (int start = 0; start < count; start += 2 * width) {
      int middle = Math.min(start + width, count);
      int end = Math.min(middle + width, count);
      int left = start;
      int right = middle;
      for (int at = start; at < end; at++) {
        boolean takeLeft =
            right == end || (left < middle && compare(bytes, order[left], order[right]) <= 0);
        scratch[at] = takeLeft ? order[left++] : order[right++];
      }
    }
    int[] merged = scratch;
    this.scratch = order;
    this.order = merged;
  }

  private int compare(byte[] bytes, int one, int other) {
    return Arrays.compareUnsigned(
        bytes, bounds[one], bounds[one + 1], bytes, bounds[other], bounds[other + 1]);
  }
}
