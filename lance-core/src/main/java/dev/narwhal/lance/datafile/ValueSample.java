package dev.narwhal.lance.datafile;

import dev.narwhal.lance.datafile.page.PageSource;

/**
 * Which rows of a page are read to learn how large its values are when decoded: metadata does not
 * tell for compressed ones, and a page of few bytes may hold long ones many times. Pure.
 */
final class ValueSample {
  private static final int MAX_ROWS = 8;
  private static final double STORED_BYTES = 64 << 10;

  private ValueSample() {}

  /** Rows of one stretch. */
  static int rows(PageSource page, double valuesPerRow) {
    double stored = Math.max(1, (double) page.buffers().totalBytes() / page.rows());
    double most = Math.min(MAX_ROWS / Math.max(1, valuesPerRow), STORED_BYTES / stored);
    return (int) Math.min(page.rows(), (long) Math.max(1, most));
  }

  /** First rows of the stretches: two in pages of many rows. */
  static long[] starts(PageSource page, int rows) {
    long last = page.rows() - rows;
    return page.rows() < 1 << 12 ? new long[] {last / 2} : new long[] {last / 4, last / 4 * 3};
  }
}
