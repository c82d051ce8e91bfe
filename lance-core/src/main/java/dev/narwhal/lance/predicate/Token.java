package dev.narwhal.lance.predicate;

/**
 * A token of the text.
 *
 * @param kind what it is
 * @param text a word, number or symbol as written; the content of a quoted name or string
 * @param start index of its first character in the text
 * @param end index past its last character
 */
record Token(Kind kind, String text, int start, int end) {
  enum Kind {
    WORD,
    /** In back quotes. */
    QUOTED_NAME,
    NUMBER,
    /** In single or double quotes. */
    STRING,
    /** {@code X'..'}; the text is the digits. */
    HEX,
    SYMBOL,
    END
  }

  boolean isWord(String word) {
    return kind == Kind.WORD && text.equalsIgnoreCase(word);
  }

  boolean isSymbol(String symbol) {
    return kind == Kind.SYMBOL && text.equals(symbol);
  }

  boolean isName() {
    return kind == Kind.WORD || kind == Kind.QUOTED_NAME;
  }
}
