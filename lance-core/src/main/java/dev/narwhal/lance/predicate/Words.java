package dev.narwhal.lance.predicate;

import java.util.Locale;
import java.util.Set;

/** Words that are part of the grammar. A column of such a name is written in back quotes. */
final class Words {
  private static final Set<String> RESERVED =
      Set.of(
          "and", "or", "not", "in", "is", "null", "true", "false", "like", "ilike", "between",
          "escape", "similar", "rlike", "regexp");

  private Words() {}

  static boolean isReserved(String word) {
    return RESERVED.contains(word.toLowerCase(Locale.ROOT));
  }
}
