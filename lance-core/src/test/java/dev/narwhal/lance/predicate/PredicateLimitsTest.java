package dev.narwhal.lance.predicate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.narwhal.lance.error.InvalidPredicateException;
import dev.narwhal.lance.error.PredicateEvaluationException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Long, deep and hostile texts: they work, or are refused with the bound that they break. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class PredicateLimitsTest {
  private final SampleRows rows = new SampleRows();

  @AfterEach
  void close() {
    rows.close();
  }

  private static String numbers(int from, int count, String separator, String prefix) {
    return IntStream.range(from, from + count)
        .mapToObj(i -> prefix + i)
        .collect(Collectors.joining(separator));
  }

  @Test
  void takesTenThousandAlternatives() {
    assertThat(rows.select(numbers(5, 10_000, " OR ", "id = "))).containsExactly(5, 6, 7);
    assertThat(rows.select("(" + numbers(5, 10_000, ") OR (", "id = ") + ")"))
        .containsExactly(5, 6, 7);
  }

  @Test
  void takesTenThousandConditions() {
    assertThat(rows.select(numbers(3, 10_000, " AND ", "id <> "))).containsExactly(0, 1, 2);
  }

  @Test
  void takesTenThousandValues() {
    assertThat(rows.select("id IN (" + numbers(5, 10_000, ", ", "") + ")"))
        .containsExactly(5, 6, 7);
    assertThat(rows.select("id NOT IN (" + numbers(5, 10_000, ", ", "") + ")"))
        .containsExactly(0, 1, 2, 3, 4);
    assertThat(rows.select("s IN ('" + numbers(0, 10_000, "', '", "x") + "', 'abc')"))
        .containsExactly(3);
    assertThat(rows.select("dec IN (" + numbers(1, 10_000, ", ", "") + ")")).containsExactly(3);
    assertThat(rows.select("f64 IN (" + numbers(0, 10_000, ", ", "") + ")")).containsExactly(2, 3);
  }

  @Test
  void takesTenThousandColumnsInAList() {
    assertThat(rows.select("id IN (" + "i32, ".repeat(10_000) + "i8)")).isEmpty();
  }

  @Test
  void takesNestingUpToItsBound() {
    int most = Parser.MAX_NESTING;
    assertThat(rows.select("(".repeat(most) + "id = 1" + ")".repeat(most))).containsExactly(1);
    assertThatThrownBy(() -> rows.select("(".repeat(most + 1) + "id = 1" + ")".repeat(most + 1)))
        .isInstanceOf(InvalidPredicateException.class)
        .hasMessageContaining("nested more than " + most + " deep");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"(", "NOT (", "abs(", "[", "li[", "CAST(", "id IN (", "((", "- (", "id + ("})
  void refusesDeepNesting(String open) {
    assertThatThrownBy(() -> rows.select(open.repeat(100_000) + "id"))
        .isInstanceOf(InvalidPredicateException.class)
        .hasMessageContaining("deep");
  }

  @Test
  void takesTenThousandNots() {
    assertThat(rows.select("NOT ".repeat(10_000) + "b")).containsExactly(1, 3, 5);
    assertThat(rows.select("NOT ".repeat(10_001) + "b")).containsExactly(0, 2, 4);
  }

  @Test
  void refusesLongArithmetic() {
    assertThat(rows.select("id" + " + 1".repeat(400) + " = 401")).containsExactly(1);
    assertThatThrownBy(() -> rows.select("id" + " + 1".repeat(10_000) + " = 1"))
        .isInstanceOf(InvalidPredicateException.class)
        .hasMessageContaining("more than 500 operands");
    assertThatThrownBy(
            () -> rows.select("-".repeat(3).replace("-", "- ").repeat(10_000) + "id = 1"))
        .isInstanceOf(InvalidPredicateException.class)
        .hasMessageContaining("500 operators deep");
    assertThatThrownBy(() -> rows.select("id" + "::bigint::int".repeat(10_000) + " = 1"))
        .isInstanceOf(InvalidPredicateException.class)
        .hasMessageContaining("500 operators deep");
    String nested = "id";
    for (int i = 0; i < 20; i++) {
      nested = "(" + nested + " + 1".repeat(50) + ")";
    }
    String deep = nested + " = 1";
    assertThatThrownBy(() -> rows.select(deep))
        .isInstanceOf(InvalidPredicateException.class)
        .hasMessageContaining("500 operators deep");
  }

  @Test
  void refusesLongTexts() {
    assertThatThrownBy(() -> rows.select("id = 1" + " ".repeat(Parser.MAX_LENGTH)))
        .isInstanceOf(InvalidPredicateException.class)
        .hasMessageContaining("characters, at most");
    assertThatThrownBy(() -> rows.select("id = " + "9".repeat(100_000)))
        .isInstanceOf(InvalidPredicateException.class)
        .hasMessageContaining("a number of 100000 characters");
  }

  @Test
  void refusesTextsThatMakeParsersBacktrack() {
    String nested = "id";
    for (int i = 0; i < 60; i++) {
      nested = "abs((" + nested + ") + 1)";
      if (i % 4 == 3) {
        nested = "id";
      }
    }
    assertThat(rows.select(nested + " >= 0")).hasSize(8);
    String calls = "abs(".repeat(90) + "id" + ")".repeat(90);
    assertThat(rows.select(calls + " = 1")).containsExactly(1);
  }

  @Test
  void endsRegularExpressionsThatTryForEver() {
    assertThatThrownBy(
            () -> rows.select("regexp_like(repeat('a', 60) || s || '!!', '^(a|a?)+\\1!$')"))
        .isInstanceOf(PredicateEvaluationException.class)
        .hasMessageContaining("needs too many steps");
  }

  @Test
  void refusesResultsWithoutBound() {
    assertThatThrownBy(() -> rows.select("length(repeat(s || 'x', 1000000000)) = 1"))
        .isInstanceOf(PredicateEvaluationException.class)
        .hasMessageContaining("a text of over");
    assertThatThrownBy(() -> rows.select("lpad(s, 1000000000) = 'x'"))
        .isInstanceOf(PredicateEvaluationException.class)
        .hasMessageContaining("a text of over");
  }
}
