package dev.narwhal.lance.write.merge;

/**
 * How many pairs of rows are looked at together. It begins with few and follows the bytes that rows
 * of the table take, which nobody knows before some of them are read: so that memory does not
 * depend on how wide they are. One thread.
 */
final class PairPace {
  /** Pairs of the first round. */
  static final int FIRST = 256;

  /** Most pairs of a round. */
  static final int MOST = 1 << 16;

  /** What the rows of a round are to take. */
  static final long BYTES = 8L << 20;

  /** A round has at most so many times the pairs of the one before. */
  private static final int GROWTH = 8;

  private int pairs = FIRST;
  private long bytes;

  /** Most pairs of the next round. */
  int pairs() {
    return pairs;
  }

  /** Rows of the table were read in this round. */
  void read(long sizeBytes) {
    bytes += sizeBytes;
  }

  /**
   * Ends a round.
   *
   * @param count its pairs, at least one
   */
  void endRound(int count) {
    long most = Math.min(MOST, (long) GROWTH * pairs);
    long fitting = bytes == 0 ? most : BYTES * count / bytes;
    pairs = (int) Math.max(1, Math.min(most, fitting));
    bytes = 0;
  }
}
