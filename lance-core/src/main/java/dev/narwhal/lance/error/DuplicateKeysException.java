package dev.narwhal.lance.error;

import java.util.List;

/** Several rows of a source would update one row of the table; nothing was committed. */
public final class DuplicateKeysException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final List<String> keys;

  /**
   * @param place the dataset
   * @param keys some of those that are there more than once, such as {@code id = 7}
   */
  public DuplicateKeysException(String place, List<String> keys) {
    super(
        place
            + ": several rows of the source would update the same row of the table, those with "
            + String.join("; ", keys)
            + "; give each key once, or let the first row of the source win");
    this.keys = List.copyOf(keys);
  }

  /** The keys that the message names. */
  public List<String> keys() {
    return keys;
  }
}
