package dev.narwhal.lance.error;

import java.util.List;
import java.util.StringJoiner;

/** Rows that were asked for by name are not among the live rows of a version. */
public final class RowNotFoundException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int NAMED = 5;

  private RowNotFoundException(String message) {
    super(message);
  }

  /**
   * Names the first five that are missing.
   *
   * @param what kind of name, such as {@code row id}
   * @param missing in the order of the request, at least one
   */
  public static RowNotFoundException of(String what, List<String> missing) {
    StringJoiner named = new StringJoiner(", ");
    missing.subList(0, Math.min(NAMED, missing.size())).forEach(named::add);
    return new RowNotFoundException(
        "no live row has the "
            + what
            + " "
            + named
            + (missing.size() > NAMED ? " and " + (missing.size() - NAMED) + " more" : "")
            + "; rows may have been deleted, or moved by an update or a compaction");
  }
}
