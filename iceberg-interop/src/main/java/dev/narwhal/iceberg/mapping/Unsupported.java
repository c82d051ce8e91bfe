package dev.narwhal.iceberg.mapping;

import java.util.Arrays;
import java.util.stream.Collectors;

/** What is done about a field whose type has no counterpart in Iceberg. */
public enum Unsupported {
  /** The whole dataset is refused. */
  FAIL("fail"),
  /**
   * The field is left out; where it is the element of a list or the key or value of a map, the list
   * or map is. A struct without fields left is left out itself.
   */
  DROP("drop"),
  /** The field becomes a string with the text of its values, {@link ArrowText}. */
  STRING("string");

  private final String text;

  Unsupported(String text) {
    this.text = text;
  }

  /** The name on the command line and in table properties. */
  public String text() {
    return text;
  }

  /**
   * The policy of that name.
   *
   * @throws IllegalArgumentException if there is none; the message lists those there are
   */
  public static Unsupported parse(String text) {
    for (Unsupported policy : values()) {
      if (policy.text.equals(text)) {
        return policy;
      }
    }
    throw new IllegalArgumentException(
        "unknown policy "
            + text
            + " for unsupported types, expected one of "
            + Arrays.stream(values()).map(Unsupported::text).collect(Collectors.joining(", ")));
  }
}
