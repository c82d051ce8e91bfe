package dev.narwhal.lance.write;

/**
 * When a data file is full and the next begins. Real Lance's numbers by default.
 *
 * @param maxRows of a file, {@code [1, 2^31)}; kept exactly
 * @param maxBytes of a file, at least 1; a file ends after the first rows with which it is as
 *     large, so that it is larger by at most what its columns gather for their pages, and by the
 *     few pages that are being encoded
 */
public record FragmentLimits(long maxRows, long maxBytes) {
  /** Source: table format sheet 11.1, which says the same of compaction. */
  public static final long LANCE_MAX_ROWS = 1 << 20;

  /** 90 GiB. */
  public static final long LANCE_MAX_BYTES = 90L << 30;

  public FragmentLimits {
    if (maxRows < 1 || maxRows > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("rows of a file must be in [1, 2^31): " + maxRows);
    }
    if (maxBytes < 1) {
      throw new IllegalArgumentException("bytes of a file must be at least 1: " + maxBytes);
    }
  }

  /** 1,048,576 rows or 90 GiB. */
  public static FragmentLimits standard() {
    return new FragmentLimits(LANCE_MAX_ROWS, LANCE_MAX_BYTES);
  }

  public FragmentLimits withMaxRows(long rows) {
    return new FragmentLimits(rows, maxBytes);
  }

  public FragmentLimits withMaxBytes(long bytes) {
    return new FragmentLimits(maxRows, bytes);
  }
}
