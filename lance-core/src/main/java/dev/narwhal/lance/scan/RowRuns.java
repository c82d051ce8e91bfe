package dev.narwhal.lance.scan;

import java.util.Arrays;

/**
 * Some rows of a batch, as runs of neighbours; the runs may come in any order. Selections are
 * copied run by run: one call moves a hundred rows where one in a hundred is deleted, and a lone
 * row costs one step.
 *
 * <p>Immutable.
 */
final class RowRuns {
  private final int[] starts;
  private final int[] lengths;
  private final int runs;
  private final int rows;

  private RowRuns(int[] starts, int[] lengths, int runs, int rows) {
    this.starts = starts;
    this.lengths = lengths;
    this.runs = runs;
    this.rows = rows;
  }

  /**
   * The set bits of a mask.
   *
   * @param words least significant bit first; bits at and past {@code length} are ignored
   * @param length number of bits, at most {@code 64 * words.length}
   */
  static RowRuns ofMask(long[] words, int length) {
    int[] starts = new int[16];
    int[] lengths = new int[16];
    int runs = 0;
    int rows = 0;
    int at = nextSet(words, 0, length);
    while (at < length) {
      int end = nextClear(words, at, length);
      if (runs == starts.length) {
        starts = Arrays.copyOf(starts, runs * 2);
        lengths = Arrays.copyOf(lengths, runs * 2);
      }
      starts[runs] = at;
      lengths[runs] = end - at;
      runs++;
      rows += end - at;
      at = nextSet(words, end, length);
    }
    return new RowRuns(starts, lengths, runs, rows);
  }

  /** Rows by their positions, in any order; a row may come twice. */
  static RowRuns ofPositions(int[] positions) {
    int[] starts = new int[positions.length];
    int[] lengths = new int[positions.length];
    int runs = 0;
    for (int i = 0; i < positions.length; i++) {
      if (i > 0 && positions[i] == positions[i - 1] + 1) {
        lengths[runs - 1]++;
      } else {
        starts[runs] = positions[i];
        lengths[runs] = 1;
        runs++;
      }
    }
    return of(starts, lengths, runs);
  }

  /** A builder's product: the arrays are handed over. */
  static RowRuns of(int[] starts, int[] lengths, int runs) {
    int rows = 0;
    for (int i = 0; i < runs; i++) {
      rows = Math.addExact(rows, lengths[i]);
    }
    return new RowRuns(starts, lengths, runs, rows);
  }

  /** Each row as {@code factor} neighbours: from lists of one size to their items. */
  RowRuns scaled(int factor) {
    int[] scaledStarts = new int[runs];
    int[] scaledLengths = new int[runs];
    for (int i = 0; i < runs; i++) {
      scaledStarts[i] = Math.multiplyExact(starts[i], factor);
      scaledLengths[i] = Math.multiplyExact(lengths[i], factor);
    }
    return of(scaledStarts, scaledLengths, runs);
  }

  int runs() {
    return runs;
  }

  /** Rows in all runs. */
  int rows() {
    return rows;
  }

  int start(int run) {
    return starts[run];
  }

  int length(int run) {
    return lengths[run];
  }

  /** Each row's position, in the order of the runs. */
  int[] toOffsets() {
    int[] offsets = new int[rows];
    int at = 0;
    for (int run = 0; run < runs; run++) {
      for (int row = starts[run], end = row + lengths[run]; row < end; row++) {
        offsets[at++] = row;
      }
    }
    return offsets;
  }

  private static int nextSet(long[] words, int from, int length) {
    return next(words, from, length, 0);
  }

  private static int nextClear(long[] words, int from, int length) {
    return next(words, from, length, -1);
  }

  /** Position of the next bit that differs from {@code flip}'s bits, or {@code length}. */
  private static int next(long[] words, int from, int length, long flip) {
    if (from >= length) {
      return length;
    }
    int index = from >>> 6;
    long word = (words[index] ^ flip) & (-1L << from);
    int last = (length - 1) >>> 6;
    while (word == 0) {
      if (++index > last) {
        return length;
      }
      word = words[index] ^ flip;
    }
    return Math.min(length, (index << 6) + Long.numberOfTrailingZeros(word));
  }
}
