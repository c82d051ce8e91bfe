package dev.narwhal.lance.predicate;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * Regular expressions, in Java's syntax: that of Lance (Rust's regex crate) but for rare
 * constructs.
 */
final class RegexFunctions {
  private static final int CACHED_PATTERNS = 64;
  private static final Map<String, Pattern> PATTERNS = new ConcurrentHashMap<>();

  private RegexFunctions() {}

  /** Whether a regular expression (flags i, m, s, x) is found in a text. */
  static Object matches(@Nullable Object[] a) {
    Pattern pattern =
        pattern(StringFunctions.text(a[1]), a.length == 3 ? StringFunctions.text(a[2]) : "");
    try {
      return pattern.matcher(new BoundedText(StringFunctions.text(a[0]))).find();
    } catch (StackOverflowError e) {
      throw new IllegalArgumentException("the text is too long for '" + pattern + "'", e);
    }
  }

  /** Real Lance coerces {@code regexp_match} by IS NOT NULL: it is false where it is null. */
  static Object matchesOrFalse(@Nullable Object[] a) {
    for (Object argument : a) {
      if (argument == null) {
        return false;
      }
    }
    return matches(a);
  }

  private static Pattern pattern(String regex, String flags) {
    String key = flags + "/" + regex;
    Pattern known = PATTERNS.get(key);
    if (known != null) {
      return known;
    }
    Pattern compiled;
    try {
      compiled = Pattern.compile(regex, flags(flags));
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(
          "'" + regex + "' is not a regular expression: " + e.getDescription(), e);
    }
    if (PATTERNS.size() >= CACHED_PATTERNS) {
      PATTERNS.clear();
    }
    PATTERNS.put(key, compiled);
    return compiled;
  }

  private static int flags(String flags) {
    int bits = Pattern.UNICODE_CHARACTER_CLASS | Pattern.UNICODE_CASE | Pattern.UNIX_LINES;
    for (int i = 0; i < flags.length(); i++) {
      char flag = flags.charAt(i);
      bits |=
          switch (flag) {
            case 'i' -> Pattern.CASE_INSENSITIVE;
            case 'm' -> Pattern.MULTILINE;
            case 's' -> Pattern.DOTALL;
            case 'x' -> Pattern.COMMENTS;
            default -> throw new IllegalArgumentException("unknown flag '" + flag + "'");
          };
    }
    return bits;
  }
}
