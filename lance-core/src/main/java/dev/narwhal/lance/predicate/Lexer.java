package dev.narwhal.lance.predicate;

import dev.narwhal.lance.error.InvalidPredicateException;
import java.util.ArrayList;
import java.util.List;

/**
 * Splits a WHERE text into tokens by the quoting rules of Lance (facts 14.4): both {@code 'a'} and
 * {@code "a"} are strings, {@code `a`} is a name, within each the quote is doubled, and a backslash
 * is an ordinary character. Comments ({@code -- to the end of the line}, {@code /* nested *}{@code
 * /}) are left out.
 */
final class Lexer {
  /** Longer first: the longest that fits is taken. */
  private static final List<String> SYMBOLS =
      List.of(
          "<=>", "!~*", "->>", "||", "::", "==", "!=", "<>", "<=", ">=", "!~", "~*", "->", "<<",
          ">>", "@>", "<@", "&&", ":=", "(", ")", "[", "]", "{", "}", ",", ".", ";", "+", "-", "*",
          "/", "%", "=", "<", ">", "~", "&", "|", "^", "!", "?", ":", "@", "#", "$", "\\");

  private final String text;
  private final List<Token> tokens = new ArrayList<>();
  private int at;

  private Lexer(String text) {
    this.text = text;
  }

  /** The tokens of a text, with one of kind END at its end. */
  static List<Token> tokens(String text) {
    Lexer lexer = new Lexer(text);
    while (lexer.skipSpace()) {
      lexer.next();
    }
    lexer.add(Token.Kind.END, "", text.length());
    return lexer.tokens;
  }

  private void next() {
    int start = at;
    char c = text.charAt(at);
    if (c == '\'' || c == '"') {
      String content = quoted("string");
      add(Token.Kind.STRING, content, start);
    } else if (c == '`') {
      String content = quoted("name");
      if (content.isEmpty()) {
        throw error("an empty name ``", start);
      }
      add(Token.Kind.QUOTED_NAME, content, start);
    } else if ((c == 'x' || c == 'X') && peek(1) == '\'') {
      at++;
      String content = quoted("X'..' literal");
      add(Token.Kind.HEX, content, start);
    } else if (Character.isUnicodeIdentifierStart(c) || c == '_' || isSurrogate(c)) {
      word(start);
    } else if (isDigit(c) || (c == '.' && isDigit(peek(1)) && !afterOperand())) {
      number(start);
    } else {
      symbol(start);
    }
  }

  private void word(int start) {
    while (at < text.length() && isWordPart(text.charAt(at))) {
      at++;
    }
    add(Token.Kind.WORD, text.substring(start, at), start);
  }

  private static boolean isWordPart(char c) {
    return (Character.isUnicodeIdentifierPart(c) && !Character.isIdentifierIgnorable(c))
        || c == '_'
        || c == '$'
        || isSurrogate(c);
  }

  private static boolean isSurrogate(char c) {
    return Character.isSurrogate(c);
  }

  /** {@code 1}, {@code 1.5}, {@code .5}, {@code 1.}, each with an exponent if need be. */
  private void number(int start) {
    digits();
    if (peek(0) == '.') {
      at++;
      digits();
    }
    if (peek(0) == 'e' || peek(0) == 'E') {
      int sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
      if (isDigit(peek(1 + sign))) {
        at += 1 + sign;
        digits();
      }
    }
    String digits = text.substring(start, at);
    // Lance takes "1AND": a keyword may follow a number at once, as in "id=1AND x".
    if (at < text.length() && isWordPart(text.charAt(at)) && !keywordFollows()) {
      word(start);
      Token bad = tokens.remove(tokens.size() - 1);
      throw error("'" + bad.text() + "' is neither a number nor a name", start);
    }
    add(Token.Kind.NUMBER, digits, start);
  }

  private boolean keywordFollows() {
    int end = at;
    while (end < text.length() && isWordPart(text.charAt(end))) {
      end++;
    }
    return Words.isReserved(text.substring(at, end));
  }

  private void digits() {
    while (isDigit(peek(0))) {
      at++;
    }
  }

  /** In {@code a.5} the dot is one between names, not a decimal point. */
  private boolean afterOperand() {
    if (tokens.isEmpty()) {
      return false;
    }
    Token last = tokens.get(tokens.size() - 1);
    return last.isName() && last.end() == at && !Words.isReserved(last.text());
  }

  private void symbol(int start) {
    for (String symbol : SYMBOLS) {
      if (text.startsWith(symbol, at)) {
        at += symbol.length();
        add(Token.Kind.SYMBOL, symbol, start);
        return;
      }
    }
    String found = Character.toString(text.codePointAt(at));
    throw error("unexpected character '" + found + "'", start);
  }

  /** Reads from a quote to the one that ends it. */
  private String quoted(String what) {
    int start = at;
    char quote = text.charAt(at++);
    StringBuilder content = new StringBuilder();
    while (true) {
      int end = text.indexOf(quote, at);
      if (end < 0) {
        throw error("the " + what + " that begins with " + quote + " has no end", start);
      }
      content.append(text, at, end);
      at = end + 1;
      if (peek(0) != quote) {
        return content.toString();
      }
      content.append(quote);
      at++;
    }
  }

  /** Passes space and comments; false at the end of the text. */
  private boolean skipSpace() {
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '-' && peek(1) == '-') {
        int end = text.indexOf('\n', at);
        at = end < 0 ? text.length() : end + 1;
      } else if (c == '/' && peek(1) == '*') {
        skipComment();
      } else if (Character.isWhitespace(c) || Character.isSpaceChar(c)) {
        at++;
      } else {
        return true;
      }
    }
    return false;
  }

  private void skipComment() {
    int start = at;
    int depth = 0;
    do {
      if (at >= text.length()) {
        throw error("the comment that begins with /* has no end", start);
      }
      if (text.startsWith("/*", at)) {
        depth++;
        at += 2;
      } else if (text.startsWith("*/", at)) {
        depth--;
        at += 2;
      } else {
        at++;
      }
    } while (depth > 0);
  }

  private char peek(int ahead) {
    return at + ahead < text.length() ? text.charAt(at + ahead) : '\0';
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private void add(Token.Kind kind, String content, int start) {
    tokens.add(new Token(kind, content, start, at));
  }

  private InvalidPredicateException error(String message, int start) {
    return new InvalidPredicateException(message + " (at character " + (start + 1) + ")");
  }
}
