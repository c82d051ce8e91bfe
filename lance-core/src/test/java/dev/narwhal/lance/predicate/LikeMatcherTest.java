package dev.narwhal.lance.predicate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.narwhal.lance.RandomSeeds;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LikeMatcherTest {
  static LongStream seeds() {
    return RandomSeeds.seeds();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void matchesAsTheRegularExpressionDoes(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 2_000; i++) {
      String pattern =
          text(
              random, new String[] {"a", "b", "\u00fc", "%", "%", "_", "\\%", "\\_", "\\\\", "\\"});
      String text =
          text(random, new String[] {"a", "b", "\u00fc", "A", "%", "_", "\\", "\ud83d\ude00"});
      assertThat(matches(pattern, text, false))
          .as("'%s' LIKE '%s'", text, pattern)
          .isEqualTo(regex(pattern, 0).matcher(text).matches());
      assertThat(matches(pattern, text, true))
          .as("'%s' ILIKE '%s'", text, pattern)
          .isEqualTo(
              regex(pattern, Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE)
                  .matcher(text)
                  .matches());
    }
  }

  private static String text(Random random, String[] pool) {
    StringBuilder text = new StringBuilder();
    for (int n = random.nextInt(8); n > 0; n--) {
      text.append(pool[random.nextInt(pool.length)]);
    }
    return text.toString();
  }

  private static boolean matches(String pattern, String text, boolean ignoreCase) {
    byte[] bytes = GeneralFunctions.utf8(ignoreCase ? LikeMatcher.fold(text) : text);
    return new LikeMatcher(pattern, ignoreCase).matches(bytes, 0, bytes.length);
  }

  private static Pattern regex(String pattern, int flags) {
    StringBuilder regex = new StringBuilder();
    for (int i = 0; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      if (c == '\\' && i + 1 < pattern.length()) {
        regex.append(Pattern.quote(String.valueOf(pattern.charAt(++i))));
      } else {
        regex.append(c == '%' ? ".*" : c == '_' ? "." : Pattern.quote(String.valueOf(c)));
      }
    }
    return Pattern.compile(regex.toString(), flags | Pattern.DOTALL);
  }

  @Test
  void knowsPatternsThatNeedNoMatching() {
    assertThat(new LikeMatcher("abc", false).isExact()).isTrue();
    assertThat(new LikeMatcher("ab\\%", false).isExact()).isTrue();
    assertThat(new LikeMatcher("", false).isExact()).isTrue();
    assertThat(new LikeMatcher("ab%", false).isPrefix()).isTrue();
    assertThat(new LikeMatcher("ab%%", false).isPrefix()).isTrue();
    assertThat(new LikeMatcher("%", false).isPrefix()).isTrue();
    assertThat(new LikeMatcher("ab_", false).isPrefix()).isFalse();
    assertThat(new LikeMatcher("ab%c", false).isPrefix()).isFalse();
    assertThat(new LikeMatcher("ab\\%%", false).literal())
        .isEqualTo("ab%".getBytes(StandardCharsets.UTF_8));
    assertThat(new LikeMatcher("ab%", true).isPrefix()).isFalse();
  }
}
