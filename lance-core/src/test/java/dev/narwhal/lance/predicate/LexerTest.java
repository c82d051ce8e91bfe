package dev.narwhal.lance.predicate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.narwhal.lance.error.InvalidPredicateException;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LexerTest {
  private static String tokens(String text) {
    return Lexer.tokens(text).stream()
        .filter(token -> token.kind() != Token.Kind.END)
        .map(token -> token.kind() + ":" + token.text())
        .collect(Collectors.joining(" "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      quoteCharacter = '^',
      value = {
        "'a' => STRING:a",
        "\"a\" => STRING:a",
        "`a` => QUOTED_NAME:a",
        "\"it''s\" => STRING:it''s",
        "'it''s' => STRING:it's",
        "\"a\"\"b\" => STRING:a\"b",
        "'a\"b' => STRING:a\"b",
        "'a`b' => STRING:a`b",
        "\"a'b`c\" => STRING:a'b`c",
        "`a``b` => QUOTED_NAME:a`b",
        "`a'\"b` => QUOTED_NAME:a'\"b",
        "'a--b' => STRING:a--b",
        "'a/*b*/' => STRING:a/*b*/",
        "'' => STRING:",
        "'''' => STRING:'",
        "'a\\' => STRING:a\\",
        "a--b => WORD:a",
        "a - -b => WORD:a SYMBOL:- SYMBOL:- WORD:b",
        "a/*'*/b => WORD:a WORD:b",
        "a/*x/*y*/z*/b => WORD:a WORD:b",
        "x'0a' => HEX:0a",
        "X'0A' => HEX:0A",
        "x '0a' => WORD:x STRING:0a",
        "1 => NUMBER:1",
        "1.5 => NUMBER:1.5",
        ".5 => NUMBER:.5",
        "5. => NUMBER:5.",
        "1e10 => NUMBER:1e10",
        "1.5E-3 => NUMBER:1.5E-3",
        "1-2 => NUMBER:1 SYMBOL:- NUMBER:2",
        "1and 2 => NUMBER:1 WORD:and NUMBER:2",
        "a.b => WORD:a SYMBOL:. WORD:b",
        "a.`b c`.d => WORD:a SYMBOL:. QUOTED_NAME:b c SYMBOL:. WORD:d",
        "a<=b => WORD:a SYMBOL:<= WORD:b",
        "a<>b => WORD:a SYMBOL:<> WORD:b",
        "a||b => WORD:a SYMBOL:|| WORD:b",
        "a::int => WORD:a SYMBOL::: WORD:int",
        "_rowid => WORD:_rowid",
        "größe => WORD:größe",
        "a$1 => WORD:a$1",
      })
  void splits(String text, String expected) {
    assertThat(tokens(text)).isEqualTo(expected);
  }

  @Test
  void keepsSpacesAndLinesWithinQuotes() {
    assertThat(tokens("' a\n b '")).isEqualTo("STRING: a\n b ");
    assertThat(tokens("a -- b\n = 1")).isEqualTo("WORD:a SYMBOL:= NUMBER:1");
  }

  @Test
  void knowsWhereTokensAre() {
    assertThat(Lexer.tokens("ab = 'c''d'"))
        .containsExactly(
            new Token(Token.Kind.WORD, "ab", 0, 2),
            new Token(Token.Kind.SYMBOL, "=", 3, 4),
            new Token(Token.Kind.STRING, "c'd", 5, 11),
            new Token(Token.Kind.END, "", 11, 11));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"'a", "\"a", "`a", "a = 'b''", "/* a", "/* /* */", "1a", "``", "\u0000", "x'0a"})
  void refusesWhatHasNoEndOrMeaning(String text) {
    assertThatThrownBy(() -> tokens(text))
        .isInstanceOf(InvalidPredicateException.class)
        .hasMessageContaining("(at character ");
  }
}
