package dev.narwhal.iceberg.verify;

import org.apache.commons.codec.digest.MurmurHash3;

/** The 128-bit hash of a row: Murmur3 of its {@link RowBytes}. */
record RowHash(long high, long low) implements Comparable<RowHash> {
  static RowHash of(byte[] bytes, int length) {
    long[] halves = MurmurHash3.hash128x64(bytes, 0, length, 0);
    return new RowHash(halves[0], halves[1]);
  }

  @Override
  public int compareTo(RowHash other) {
    int order = Long.compareUnsigned(high, other.high);
    return order != 0 ? order : Long.compareUnsigned(low, other.low);
  }
}
