package dev.narwhal.lance.predicate;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A LIKE pattern over UTF-8. Patterns without {@code _} are a begin, an end and pieces between in
 * their order; any other is matched character by character, going back to the last {@code %} only.
 */
final class LikeMatcher {
  private static final byte LITERAL = 0;
  private static final byte ONE = 1;
  private static final byte MANY = 2;

  /** Bytes of the pattern without escapes, and what each is. */
  private final byte[] bytes;

  private final byte[] kinds;
  private final boolean ignoreCase;

  /** Whether it is one {@code %} and then bytes. */
  private final boolean suffix;

  LikeMatcher(String pattern, boolean ignoreCase) {
    this.ignoreCase = ignoreCase;
    String folded = ignoreCase ? fold(pattern) : pattern;
    byte[] source = folded.getBytes(StandardCharsets.UTF_8);
    byte[] literal = new byte[source.length];
    byte[] kind = new byte[source.length];
    int n = 0;
    for (int i = 0; i < source.length; i++) {
      byte b = source[i];
      if (b == '\\' && i + 1 < source.length) {
        literal[n++] = source[++i];
      } else if (b == '%') {
        // several are one
        if (n == 0 || kind[n - 1] != MANY) {
          kind[n++] = MANY;
        }
      } else {
        kind[n] = b == '_' ? ONE : LITERAL;
        literal[n++] = b;
      }
    }
    this.bytes = Arrays.copyOf(literal, n);
    this.kinds = Arrays.copyOf(kind, n);
    this.suffix = n > 0 && kinds[0] == MANY && allLiteral(1);
  }

  private boolean allLiteral(int from) {
    for (int i = from; i < kinds.length; i++) {
      if (kinds[i] != LITERAL) {
        return false;
      }
    }
    return true;
  }

  /** Simple case folding of each character. */
  static String fold(String text) {
    int[] folded =
        text.codePoints().map(c -> Character.toLowerCase(Character.toUpperCase(c))).toArray();
    return new String(folded, 0, folded.length);
  }

  /** Whether the pattern is just these bytes. */
  boolean isExact() {
    return !ignoreCase && literals() == bytes.length;
  }

  /** Whether the pattern is these bytes and one {@code %} at its end. */
  boolean isPrefix() {
    return !ignoreCase
        && bytes.length > 0
        && literals() == bytes.length - 1
        && kinds[bytes.length - 1] == MANY;
  }

  /** The bytes that the pattern begins with, before a wildcard. */
  byte[] literal() {
    return Arrays.copyOf(bytes, literals());
  }

  private int literals() {
    int n = 0;
    while (n < kinds.length && kinds[n] == LITERAL) {
      n++;
    }
    return n;
  }

  /** Rows that match, out of those asked for. */
  long[] match(ByteValues values, long[] asked) {
    long[] words = new long[asked.length];
    byte[] data = values.data();
    int[] offsets = values.offsets();
    for (int row = 0; row < offsets.length - 1; row++) {
      if (Bits.get(asked, row)) {
        boolean found =
            ignoreCase
                ? matchesFolded(data, offsets[row], offsets[row + 1])
                : matches(data, offsets[row], offsets[row + 1]);
        if (found) {
          Bits.set(words, row);
        }
      }
    }
    return words;
  }

  private boolean matchesFolded(byte[] data, int start, int end) {
    String text = new String(data, start, end - start, StandardCharsets.UTF_8);
    byte[] folded = fold(text).getBytes(StandardCharsets.UTF_8);
    return matches(folded, 0, folded.length);
  }

  /** Whether a text that has been folded, if need be, matches. */
  boolean matches(byte[] text, int start, int end) {
    return suffix
        ? end - start >= bytes.length - 1
            && Arrays.equals(text, end - bytes.length + 1, end, bytes, 1, bytes.length)
        : matchesCharacters(text, start, end);
  }

  private boolean matchesCharacters(byte[] text, int start, int end) {
    int t = start;
    int p = 0;
    int retryPattern = -1;
    int retryText = start;
    while (t < end) {
      if (p < kinds.length && kinds[p] == MANY) {
        retryPattern = ++p;
        retryText = t;
      } else if (p < kinds.length && kinds[p] == ONE) {
        p++;
        t = next(text, t, end);
      } else if (p < kinds.length && bytes[p] == text[t]) {
        p++;
        t++;
      } else if (retryPattern >= 0) {
        p = retryPattern;
        retryText = next(text, retryText, end);
        t = retryText;
      } else {
        return false;
      }
    }
    while (p < kinds.length && kinds[p] == MANY) {
      p++;
    }
    return p == kinds.length;
  }

  /** Past the character at an index. */
  private static int next(byte[] text, int at, int end) {
    int next = at + 1;
    while (next < end && (text[next] & 0xC0) == 0x80) {
      next++;
    }
    return next;
  }
}
