package dev.narwhal.iceberg.verify;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A multiset of rows in 96 KiB: the number of rows and the sum of their 128-bit hashes, modulo
 * 2^128. Sums, where exclusive-or would let a row that is there twice vanish. Equal multisets have
 * equal digests in whatever order their rows came; distinct ones differ but for a chance of about
 * 2^-128.
 *
 * <p>Counts and sums are kept for each of 4,096 ranges of hashes, so that a difference can be
 * looked for in a part of the rows. Immutable; equality is by content.
 */
public final class RowsDigest {
  static final int BUCKETS = 4096;

  private static final int BUCKET_BITS = 12;

  private final long[] counts;
  private final long[] highs;
  private final long[] lows;

  private RowsDigest(long[] counts, long[] highs, long[] lows) {
    this.counts = counts;
    this.highs = highs;
    this.lows = lows;
  }

  /** Number of rows. */
  public long rows() {
    return Arrays.stream(counts).sum();
  }

  /** The sum of all hashes as 32 hexadecimal digits. */
  public String hash() {
    Sum sum = new Sum();
    for (int i = 0; i < BUCKETS; i++) {
      sum.add(highs[i], lows[i]);
    }
    return HexFormat.of().toHexDigits(sum.high) + HexFormat.of().toHexDigits(sum.low);
  }

  /** The range that a hash is in: {@code [0, BUCKETS)}. */
  static int bucket(RowHash hash) {
    return (int) (hash.high() >>> (Long.SIZE - BUCKET_BITS));
  }

  /** Number of rows in a range. */
  long rows(int bucket) {
    return counts[bucket];
  }

  /** The ranges in which two digests differ, ascending. */
  List<Integer> differingBuckets(RowsDigest other) {
    List<Integer> differing = new ArrayList<>();
    for (int i = 0; i < BUCKETS; i++) {
      if (counts[i] != other.counts[i] || highs[i] != other.highs[i] || lows[i] != other.lows[i]) {
        differing.add(i);
      }
    }
    return differing;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RowsDigest that && differingBuckets(that).isEmpty();
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(lows);
  }

  @Override
  public String toString() {
    return rows() + " rows, " + hash();
  }

  /** A sum modulo 2^128. */
  private static final class Sum {
    private long high;
    private long low;

    private void add(long otherHigh, long otherLow) {
      low += otherLow;
      high += otherHigh + (Long.compareUnsigned(low, otherLow) < 0 ? 1 : 0);
    }
  }

  /** Gathers rows. For one thread. */
  static final class Builder {
    private final long[] counts = new long[BUCKETS];
    private final long[] highs = new long[BUCKETS];
    private final long[] lows = new long[BUCKETS];

    void add(RowHash hash) {
      add(bucket(hash), 1, hash.high(), hash.low());
    }

    void add(RowsDigest part) {
      for (int i = 0; i < BUCKETS; i++) {
        add(i, part.counts[i], part.highs[i], part.lows[i]);
      }
    }

    private void add(int bucket, long count, long high, long low) {
      counts[bucket] += count;
      lows[bucket] += low;
      highs[bucket] += high + (Long.compareUnsigned(lows[bucket], low) < 0 ? 1 : 0);
    }

    RowsDigest build() {
      return new RowsDigest(counts.clone(), highs.clone(), lows.clone());
    }
  }
}
