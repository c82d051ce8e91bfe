package dev.narwhal.iceberg.rowdelete.plan;

import dev.narwhal.iceberg.rowdelete.rows.RecordVectors;
import dev.narwhal.puffin.PositionSet;
import java.util.Arrays;

/** The matches of one data file, batch after batch of its live rows. For one thread. */
final class MatchedRows {
  private static final int BATCH_ROWS = 4096;

  private final RowMatcher matcher;
  private final PositionSet dead;
  private final PositionSet.Builder positions = PositionSet.builder();
  private final long[] bits = new long[BATCH_ROWS / Long.SIZE];

  /** Positions of the rows gathered. */
  private final long[] gathered = new long[BATCH_ROWS];

  private int count;

  MatchedRows(RowMatcher matcher, PositionSet dead) {
    this.matcher = matcher;
    this.dead = dead;
  }

  /** Goes to a row; whether it is alive, and to be gathered. */
  boolean goTo(long position) {
    if (!dead.isEmpty() && dead.contains(position)) {
      return false;
    }
    gathered[count++] = position;
    return true;
  }

  boolean isFull() {
    return count == BATCH_ROWS;
  }

  /** Matches the rows gathered, and begins to gather anew. */
  void add(RecordVectors vectors) {
    if (count > 0) {
      Arrays.fill(bits, 0);
      matcher.match(vectors.batch(), bits);
      int run = nextSet(bits, 0);
      while (run < BATCH_ROWS) {
        int end = nextClear(bits, run);
        addPositions(run, end);
        run = nextSet(bits, end);
      }
    }
    count = 0;
    vectors.clear();
  }

  PositionSet positions() {
    return positions.build();
  }

  private void addPositions(int from, int to) {
    if (to > count) {
      throw new IllegalStateException(
          matcher.text() + " matched row " + (to - 1) + " of a batch of " + count + " rows");
    }
    long first = gathered[from];
    if (gathered[to - 1] - first == to - 1 - from) {
      positions.addRange(first, first + to - from);
      return;
    }
    for (int i = from; i < to; i++) {
      positions.add(gathered[i]);
    }
  }

  private static int nextSet(long[] bits, int from) {
    return next(bits, from, 0);
  }

  private static int nextClear(long[] bits, int from) {
    return next(bits, from, -1);
  }

  /** The first bit from {@code from} on that differs from {@code skip}'s; BATCH_ROWS if none. */
  private static int next(long[] bits, int from, long skip) {
    int word = from >>> 6;
    if (word == bits.length) {
      return BATCH_ROWS;
    }
    long found = (bits[word] ^ skip) & (-1L << from);
    while (found == 0) {
      word++;
      if (word == bits.length) {
        return BATCH_ROWS;
      }
      found = bits[word] ^ skip;
    }
    return word * Long.SIZE + Long.numberOfTrailingZeros(found);
  }
}
