package dev.narwhal.iceberg.rowdelete.plan;

import java.util.Arrays;
import java.util.stream.Collectors;

/** What becomes of a data file that has both rows to delete and rows to keep. */
public enum DeleteMode {
  /** It stays; the deleted positions are written: a vector in version 3, a file in version 2. */
  MERGE_ON_READ("merge-on-read"),
  /** It is replaced by a file of the rows to keep. */
  COPY_ON_WRITE("copy-on-write");

  private final String text;

  DeleteMode(String text) {
    this.text = text;
  }

  /** The name in Iceberg's table properties and on the command line. */
  public String text() {
    return text;
  }

  /**
   * The mode of that name.
   *
   * @throws IllegalArgumentException if there is none; the message lists those there are
   */
  public static DeleteMode parse(String text) {
    for (DeleteMode mode : values()) {
      if (mode.text.equals(text)) {
        return mode;
      }
    }
    throw new IllegalArgumentException(
        "unknown mode "
            + text
            + ", expected one of "
            + Arrays.stream(values()).map(DeleteMode::text).collect(Collectors.joining(", ")));
  }
}
