package dev.narwhal.lance.schema;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;

/**
 * What a field's metadata says of the table's unenforced primary key. Source: table format sheet
 * 2.9.
 */
public final class KeyMetadata {
  private static final String PRIMARY = "lance-schema:unenforced-primary-key";
  private static final String POSITION = PRIMARY + ":position";
  private static final List<String> YES = List.of("true", "1", "yes");

  private KeyMetadata() {}

  /**
   * The place of a field in the primary key, from 1 on, 0 where only the schema's order tells;
   * empty when it is not part of the key.
   *
   * @throws IllegalArgumentException for a place that is no number of at least 1
   */
  public static OptionalInt primary(Map<String, String> metadata) {
    String position = metadata.get(POSITION);
    if (position != null) {
      return OptionalInt.of(number(position));
    }
    String key = metadata.getOrDefault(PRIMARY, "");
    return YES.contains(key.toLowerCase(Locale.ROOT)) ? OptionalInt.of(0) : OptionalInt.empty();
  }

  private static int number(String text) {
    try {
      int number = Integer.parseInt(text);
      if (number >= 1) {
        return number;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw new IllegalArgumentException(
        POSITION + " must be a number of at least 1: '" + text + "'");
  }
}
