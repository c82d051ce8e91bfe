package dev.narwhal.lance.datafile.layout;

/**
 * Which byte ranges are worth one read. Ranges come in ascending order as parallel arrays of starts
 * and ends.
 */
final class Spans {
  /** Bytes that are cheaper to read than to skip. */
  private static final long MAX_GAP_BYTES = 16 << 10;

  /** A read ends here, unless one range alone is larger: this bounds a call's memory. */
  static final long MAX_READ_BYTES = 8 << 20;

  private Spans() {}

  /**
   * How far one read goes that starts with range {@code from}.
   *
   * @return one past the last range of the read, in {@code (from, to]}
   */
  static int end(long[] starts, long[] ends, int from, int to) {
    int end = from + 1;
    while (end < to
        && starts[end] - ends[end - 1] <= MAX_GAP_BYTES
        && ends[end] - starts[from] <= MAX_READ_BYTES) {
      end++;
    }
    return end;
  }
}
