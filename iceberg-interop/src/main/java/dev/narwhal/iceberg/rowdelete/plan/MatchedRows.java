package dev.narwhal.iceberg.rowdelete.plan;

import dev.narwhal.iceberg.rowdelete.rows.RowBatch;
import dev.narwhal.puffin.PositionSet;
import java.util.Arrays;

/** The matches of one data file, batch after batch of its live rows. For one thread. */
final class MatchedRows {
  private final RowMatcher matcher;
  private final PositionSet.Builder positions = PositionSet.builder();
  private final long[] bits = new long[RowBatch.CAPACITY / Long.SIZE];

  MatchedRows(RowMatcher matcher) {
    this.matcher = matcher;
  }

  /** Matches the rows of a batch. */
  void add(RowBatch batch) {
    if (batch.rows() == 0) {
      return;
    }
    Arrays.fill(bits, 0);
    matcher.match(batch.columns(), bits);
    int run = nextSet(bits, 0);
    while (run < RowBatch.CAPACITY) {
      int end = nextClear(bits, run);
      addPositions(batch, run, end);
      run = nextSet(bits, end);
    }
  }

  PositionSet positions() {
    return positions.build();
  }

  private void addPositions(RowBatch batch, int from, int to) {
    if (to > batch.rows()) {
      throw new IllegalStateException(
          matcher.text() + " matched row " + (to - 1) + " of a batch of " + batch.rows() + " rows");
    }
    long first = batch.position(from);
    if (batch.position(to - 1) - first == to - 1 - from) {
      positions.addRange(first, first + to - from);
      return;
    }
    for (int i = from; i < to; i++) {
      positions.add(batch.position(i));
    }
  }

  private static int nextSet(long[] bits, int from) {
    return next(bits, from, 0);
  }

  private static int nextClear(long[] bits, int from) {
    return next(bits, from, -1);
  }

  /** The first bit from {@code from} on that differs from {@code skip}'s; the capacity if none. */
  private static int next(long[] bits, int from, long skip) {
    int word = from >>> 6;
    if (word == bits.length) {
      return RowBatch.CAPACITY;
    }
    long found = (bits[word] ^ skip) & (-1L << from);
    while (found == 0) {
      word++;
      if (word == bits.length) {
        return RowBatch.CAPACITY;
      }
      found = bits[word] ^ skip;
    }
    return word * Long.SIZE + Long.numberOfTrailingZeros(found);
  }
}
