package dev.narwhal.lance.predicate;

import dev.narwhal.lance.error.InvalidPredicateException;
import java.util.List;

/** A position in the tokens of a text. */
final class Tokens {
  private final String text;
  private final List<Token> tokens;
  private int at;

  Tokens(String text) {
    this.text = text;
    this.tokens = Lexer.tokens(text);
  }

  Token peek() {
    return tokens.get(at);
  }

  /** The token {@code ahead} past the next one; the last one past the end. */
  Token peek(int ahead) {
    return tokens.get(Math.min(at + ahead, tokens.size() - 1));
  }

  Token next() {
    Token token = tokens.get(at);
    if (token.kind() != Token.Kind.END) {
      at++;
    }
    return token;
  }

  boolean acceptWord(String word) {
    boolean found = peek().isWord(word);
    if (found) {
      at++;
    }
    return found;
  }

  boolean acceptSymbol(String symbol) {
    boolean found = peek().isSymbol(symbol);
    if (found) {
      at++;
    }
    return found;
  }

  void expectSymbol(String symbol) {
    if (!acceptSymbol(symbol)) {
      throw unexpected("'" + symbol + "'");
    }
  }

  /** Text from a token's begin to the end of the last one taken. */
  String since(Token first) {
    return at == 0 ? "" : text.substring(first.start(), tokens.get(at - 1).end());
  }

  /** What is there instead of {@code expected}. */
  InvalidPredicateException unexpected(String expected) {
    Token found = peek();
    if (found.kind() == Token.Kind.END) {
      return new InvalidPredicateException("the predicate ends where " + expected + " is expected");
    }
    String shown = text.substring(found.start(), Math.min(found.end(), found.start() + 60));
    return error("found '" + shown + "' where " + expected + " is expected", found);
  }

  InvalidPredicateException error(String message, Token place) {
    return new InvalidPredicateException(message + " (at character " + (place.start() + 1) + ")");
  }
}
