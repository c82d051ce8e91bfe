package dev.narwhal.lance.write.merge;

/**
 * Tells of most keys that are not in a set that they are not: two bits for each key in a bitmap of
 * fixed size. Never wrong about a key that is. One thread.
 */
final class KeySieve {
  private final long[] words;
  private final int mask;

  /**
   * @param sizeBytes rounded down to a power of two, at least 8
   */
  KeySieve(long sizeBytes) {
    int count = Integer.highestOneBit((int) Math.max(1, Math.min(1 << 24, sizeBytes / 8)));
    this.words = new long[count];
    this.mask = count - 1;
  }

  void add(long hash) {
    words[place(hash)] |= bits(hash);
  }

  boolean mayHold(long hash) {
    long bits = bits(hash);
    return (words[place(hash)] & bits) == bits;
  }

  /** The bits above those that a key table uses, below those that choose a partition. */
  private int place(long hash) {
    return (int) (hash >>> 34) & mask;
  }

  private static long bits(long hash) {
    return 1L << (hash & 63) | 1L << (hash >>> 6 & 63);
  }
}
