package dev.narwhal.lance.error;

import java.util.List;

/** A merge was to fail on rows that the table has already, and it has some; nothing was done. */
public final class KeysExistException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final List<String> keys;

  /**
   * @param place the dataset
   * @param keys some of those that the table has, such as {@code id = 7}
   */
  public KeysExistException(String place, List<String> keys) {
    super(
        place
            + ": the table has rows of the source already, those with "
            + String.join("; ", keys)
            + "; leave them out, or choose what is done with matched rows");
    this.keys = List.copyOf(keys);
  }

  /** The keys that the message names. */
  public List<String> keys() {
    return keys;
  }
}
