package dev.narwhal.lance.datafile.array;

import dev.narwhal.lance.datafile.page.Bits;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * What some rows of a list column are made of: which rows are null, how many items each has, and
 * where in the item column these are. Filled row by row, in ascending order. One thread.
 */
public final class ListExtents {
  private final long[] offsets;
  private final ByteBuffer validity;
  private int rows;
  private int nulls;
  private long[] spanStarts = new long[1];
  private long[] spanEnds = new long[1];
  private int spans;

  /**
   * @param rows how many will be added
   */
  public ListExtents(int rows) {
    offsets = new long[rows + 1];
    validity = ByteBuffer.allocate(Bits.bytes(rows)).order(ByteOrder.LITTLE_ENDIAN);
    Bits.fill(validity, 0, rows, true);
  }

  /** Adds a list of the items {@code [start, end)}, which is not before the one added last. */
  void add(long start, long end, boolean isNull) {
    if (isNull) {
      validity.put(rows >>> 3, (byte) (validity.get(rows >>> 3) & ~(1 << (rows & 7))));
      nulls++;
    }
    offsets[rows + 1] = offsets[rows] + (end - start);
    rows++;
    if (end > start) {
      addSpan(start, end);
    }
  }

  private void addSpan(long start, long end) {
    if (spans > 0 && spanEnds[spans - 1] == start) {
      spanEnds[spans - 1] = end;
      return;
    }
    if (spans == spanStarts.length) {
      spanStarts = Arrays.copyOf(spanStarts, 2 * spans);
      spanEnds = Arrays.copyOf(spanEnds, 2 * spans);
    }
    spanStarts[spans] = start;
    spanEnds[spans] = end;
    spans++;
  }

  /** Rows added so far. */
  public int rows() {
    return rows;
  }

  /** Number of null rows; a null list may have items all the same. */
  public int nulls() {
    return nulls;
  }

  /** One bit per row, LSB first, 1 = valid. Not to be changed. */
  public ByteBuffer validity() {
    return validity;
  }

  /** Where row i starts among the items of these rows alone; the first is at 0. */
  public long offset(int row) {
    return offsets[row];
  }

  /** Items of all rows. */
  public long items() {
    return offsets[rows];
  }

  /** Number of runs of items that lie side by side in the item column. */
  public int spans() {
    return spans;
  }

  /** First item of a run; runs ascend, are apart and not empty. */
  public long spanStart(int span) {
    return spanStarts[span];
  }

  /** The item after the last one of a run. */
  public long spanEnd(int span) {
    return spanEnds[span];
  }
}
