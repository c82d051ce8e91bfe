package dev.narwhal.lance.write;

/**
 * How a delete is written.
 *
 * @param arrayThreshold number of deleted rows of a fragment from which on a first deletion file is
 *     a bitmap, at least 0. Lance's own value is {@link #LANCE_ARRAY_THRESHOLD}; readers accept
 *     either encoding at any size
 * @param dryRun whether only the outcome is worked out, and nothing is written
 */
public record DeleteOptions(int arrayThreshold, boolean dryRun) {
  /** Source: table format sheet 4.1. */
  public static final int LANCE_ARRAY_THRESHOLD = 5_000;

  public DeleteOptions {
    if (arrayThreshold < 0) {
      throw new IllegalArgumentException("arrayThreshold must be at least 0: " + arrayThreshold);
    }
  }

  /** As real Lance does. */
  public static DeleteOptions standard() {
    return new DeleteOptions(LANCE_ARRAY_THRESHOLD, false);
  }

  public DeleteOptions withArrayThreshold(int rows) {
    return new DeleteOptions(rows, dryRun);
  }

  /** Works the outcome out and writes nothing. */
  public DeleteOptions asDryRun() {
    return new DeleteOptions(arrayThreshold, true);
  }
}
