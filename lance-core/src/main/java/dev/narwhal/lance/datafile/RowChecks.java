package dev.narwhal.lance.datafile;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;

/** Where the rows of a column are, and which of them callers may ask for: {@link ColumnReader}. */
final class RowChecks {
  private RowChecks() {}

  /** Refuses rows {@code [firstRow, firstRow + count)} unless they are in {@code [0, rows)}. */
  static void checkRange(long firstRow, long count, long rows) {
    if (firstRow < 0 || count < 0 || firstRow > rows - count) {
      throw new IllegalArgumentException(
          "rows [" + firstRow + ", " + firstRow + " + " + count + ") are not in [0, " + rows + ")");
    }
  }

  /** Refuses offsets that do not ascend and rows that are not in {@code [0, rows)}. */
  static void checkOffsets(long firstRow, int[] offsets, long rows) {
    int previous = -1;
    for (int offset : offsets) {
      if (offset <= previous) {
        throw new IllegalArgumentException(
            "offsets must ascend and be >= 0: " + offset + " follows " + previous);
      }
      previous = offset;
    }
    checkRange(firstRow, 0, rows);
    if (previous >= rows - firstRow) {
      throw new IllegalArgumentException(
          "row " + (firstRow + previous) + " is not in [0, " + rows + ")");
    }
  }

  /** First index in {@code [from, offsets.length]} whose offset is at least {@code bound}. */
  static int lowerBound(int[] offsets, int from, long bound) {
    if (bound > Integer.MAX_VALUE) {
      return offsets.length;
    }
    int found = Arrays.binarySearch(offsets, from, offsets.length, (int) bound);
    return found >= 0 ? found : -found - 1;
  }

  /** First row of each page, then the number of rows. */
  static <P> long[] starts(List<P> pages, ToLongFunction<P> rows) {
    long[] starts = new long[pages.size() + 1];
    for (int i = 0; i < pages.size(); i++) {
      starts[i + 1] = starts[i] + rows.applyAsLong(pages.get(i));
    }
    return starts;
  }

  /** The page that holds a row. */
  static int pageOf(long[] starts, long row) {
    int found = Arrays.binarySearch(starts, row);
    return found >= 0 ? found : -found - 2;
  }
}
