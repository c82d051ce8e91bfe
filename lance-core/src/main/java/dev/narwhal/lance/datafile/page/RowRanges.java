package dev.narwhal.lance.datafile.page;

import java.util.Arrays;

/**
 * Rows of a column or page: ranges that ascend and neither touch nor overlap. Immutable; equality
 * is identity.
 */
public final class RowRanges {
  private final long[] starts;
  private final long[] ends;
  private final int size;

  private RowRanges(long[] starts, long[] ends, int size) {
    this.starts = starts;
    this.ends = ends;
    this.size = size;
  }

  /**
   * One range, or none when it is empty.
   *
   * @param start {@code >= 0}
   * @param endExclusive at least {@code start}
   */
  public static RowRanges of(long start, long endExclusive) {
    return new RowRanges(
        new long[] {start}, new long[] {endExclusive}, start == endExclusive ? 0 : 1);
  }

  /**
   * The rows {@code first + offsets[i]}.
   *
   * @param offsets strictly ascending, {@code >= 0}
   */
  public static RowRanges of(long first, int[] offsets) {
    long[] starts = new long[offsets.length];
    long[] ends = new long[offsets.length];
    int size = 0;
    for (int i = 0; i < offsets.length; ) {
      int from = i++;
      while (i < offsets.length && offsets[i] == offsets[i - 1] + 1) {
        i++;
      }
      starts[size] = first + offsets[from];
      ends[size] = first + offsets[i - 1] + 1;
      size++;
    }
    return new RowRanges(starts, ends, size);
  }

  /** Number of ranges. */
  public int size() {
    return size;
  }

  public boolean isEmpty() {
    return size == 0;
  }

  public long start(int range) {
    return starts[range];
  }

  /** One past the range's last row. */
  public long end(int range) {
    return ends[range];
  }

  /** Each row replaced by {@code factor} rows. */
  public RowRanges scaled(int factor) {
    if (factor == 1) {
      return this;
    }
    long[] scaledStarts = new long[size];
    long[] scaledEnds = new long[size];
    for (int i = 0; i < size; i++) {
      scaledStarts[i] = Math.multiplyExact(starts[i], (long) factor);
      scaledEnds[i] = Math.multiplyExact(ends[i], (long) factor);
    }
    return new RowRanges(scaledStarts, scaledEnds, size);
  }

  /** The rows in {@code [from, to)}, counted from {@code from}. */
  public RowRanges within(long from, long to) {
    int first = firstEndingAfter(from);
    int last = first;
    while (last < size && starts[last] < to) {
      last++;
    }
    long[] cutStarts = new long[last - first];
    long[] cutEnds = new long[last - first];
    for (int i = first; i < last; i++) {
      cutStarts[i - first] = Math.max(starts[i], from) - from;
      cutEnds[i - first] = Math.min(ends[i], to) - from;
    }
    return new RowRanges(cutStarts, cutEnds, last - first);
  }

  private int firstEndingAfter(long row) {
    int found = Arrays.binarySearch(ends, 0, size, row + 1);
    return found >= 0 ? found : -found - 1;
  }
}
