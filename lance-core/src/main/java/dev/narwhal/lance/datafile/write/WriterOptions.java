package dev.narwhal.lance.datafile.write;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.datafile.FileVersion;
import dev.narwhal.lance.error.UnsupportedFeatureException;

/**
 * How a data file is written.
 *
 * @param version 2.0, 2.1 or 2.2
 * @param pageBytes of Arrow data that a column gathers before it writes a page, at least 4,096;
 *     memory is about as much for each column, and three times as much for each page in the making,
 *     of which there are at most two more than {@code parallelism}
 * @param parallelism pages that are encoded at the same time, at least 1
 */
public record WriterOptions(FileVersion version, int pageBytes, int parallelism) {
  private static final int LEAST_PAGE_BYTES = 4 << 10;
  private static final int PAGE_BYTES = 8 << 20;

  public WriterOptions {
    requireNonNull(version, "version");
    if (version == FileVersion.V2_3) {
      throw new UnsupportedFeatureException(
          "data files of version 2.3, which is not settled, are not written; 2.2 is the newest");
    }
    if (pageBytes < LEAST_PAGE_BYTES || pageBytes > 1 << 29) {
      throw new IllegalArgumentException(
          "pageBytes must be in [" + LEAST_PAGE_BYTES + ", 2^29]: " + pageBytes);
    }
    if (parallelism < 1) {
      throw new IllegalArgumentException("parallelism must be at least 1: " + parallelism);
    }
  }

  /** Pages of 8 MiB, as many columns at a time as there are processors. */
  public static WriterOptions of(FileVersion version) {
    return new WriterOptions(version, PAGE_BYTES, Runtime.getRuntime().availableProcessors());
  }

  /** The version that Lance writes by default, 2.1. */
  public static WriterOptions defaults() {
    return of(FileVersion.V2_1);
  }

  public WriterOptions withPageBytes(int value) {
    return new WriterOptions(version, value, parallelism);
  }

  public WriterOptions withParallelism(int value) {
    return new WriterOptions(version, pageBytes, value);
  }
}
