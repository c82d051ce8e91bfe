package dev.narwhal.lance.predicate;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Functions on strings. Positions and lengths count characters (Unicode code points), from 1. */
final class StringFunctions {
  /** Characters of a result: a table's text does not grow without bound. */
  private static final int MAX_RESULT = 16 << 20;

  private StringFunctions() {}

  static String text(@Nullable Object value) {
    return (String) MathFunctions.present(value);
  }

  private static int characters(String text) {
    return text.codePointCount(0, text.length());
  }

  static Object length(@Nullable Object[] a) {
    return (long) characters(text(a[0]));
  }

  static Object octetLength(@Nullable Object[] a) {
    return (long) text(a[0]).getBytes(StandardCharsets.UTF_8).length;
  }

  static Object bitLength(@Nullable Object[] a) {
    return 8L * text(a[0]).getBytes(StandardCharsets.UTF_8).length;
  }

  static Object lower(@Nullable Object[] a) {
    return text(a[0]).toLowerCase(Locale.ROOT);
  }

  static Object upper(@Nullable Object[] a) {
    return text(a[0]).toUpperCase(Locale.ROOT);
  }

  static Object trim(@Nullable Object[] a) {
    return strip(a, true, true);
  }

  static Object trimLeft(@Nullable Object[] a) {
    return strip(a, true, false);
  }

  static Object trimRight(@Nullable Object[] a) {
    return strip(a, false, true);
  }

  /** Takes away characters of the second argument, or spaces. */
  private static String strip(@Nullable Object[] a, boolean left, boolean right) {
    String text = text(a[0]);
    String set = a.length == 2 ? text(a[1]) : " ";
    int start = 0;
    int end = text.length();
    while (left && start < end && set.indexOf(text.codePointAt(start)) >= 0) {
      start += Character.charCount(text.codePointAt(start));
    }
    while (right && end > start && set.indexOf(text.codePointBefore(end)) >= 0) {
      end -= Character.charCount(text.codePointBefore(end));
    }
    return text.substring(start, end);
  }

  static Object startsWith(@Nullable Object[] a) {
    return text(a[0]).startsWith(text(a[1]));
  }

  static Object endsWith(@Nullable Object[] a) {
    return text(a[0]).endsWith(text(a[1]));
  }

  static Object contains(@Nullable Object[] a) {
    return text(a[0]).contains(text(a[1]));
  }

  /** Where the second argument begins in the first; 0 if nowhere. */
  static Object position(@Nullable Object[] a) {
    int index = text(a[0]).indexOf(text(a[1]));
    return index < 0 ? 0L : 1L + text(a[0]).codePointCount(0, index);
  }

  /** From a position that may be before the begin, up to a number of characters. */
  static Object substring(@Nullable Object[] a) {
    String text = text(a[0]);
    long count = characters(text);
    long start = MathFunctions.integer(a[1]);
    long end = count + 1;
    if (a.length == 3) {
      long length = MathFunctions.integer(a[2]);
      if (length < 0) {
        throw new IllegalArgumentException("negative length " + length);
      }
      end = Math.min(end, saturatedAdd(start, length));
    }
    return slice(text, Math.min(Math.max(start, 1), count + 1) - 1, Math.max(end, 1) - 1);
  }

  private static long saturatedAdd(long a, long b) {
    long sum = a + b;
    return ((a ^ sum) & (b ^ sum)) < 0 ? Long.MAX_VALUE : sum;
  }

  /** The first n characters; all but the last -n if negative. */
  static Object left(@Nullable Object[] a) {
    String text = text(a[0]);
    long n = MathFunctions.integer(a[1]);
    long count = characters(text);
    return slice(text, 0, n >= 0 ? Math.min(n, count) : Math.max(0, count + Math.max(n, -count)));
  }

  /** The last n characters; all but the first -n if negative. */
  static Object right(@Nullable Object[] a) {
    String text = text(a[0]);
    long n = MathFunctions.integer(a[1]);
    long count = characters(text);
    return slice(
        text, n >= 0 ? count - Math.min(n, count) : Math.min(count, -Math.max(n, -count)), count);
  }

  /** Characters [start, endExclusive), none if that is no range. */
  private static String slice(String text, long start, long endExclusive) {
    if (start >= endExclusive) {
      return "";
    }
    int from = text.offsetByCodePoints(0, (int) start);
    return text.substring(from, text.offsetByCodePoints(from, (int) (endExclusive - start)));
  }

  static Object reverse(@Nullable Object[] a) {
    return new StringBuilder(text(a[0])).reverse().toString();
  }

  /** Each occurrence of a text; an empty one is between all characters, as in DataFusion. */
  static Object replace(@Nullable Object[] a) {
    String from = text(a[1]);
    String to = text(a[2]);
    String text = text(a[0]);
    long occurrences = from.isEmpty() ? text.length() + 1L : text.length() / from.length();
    checkSize(text.length() + occurrences * to.length());
    return text.replace(from, to);
  }

  static Object repeat(@Nullable Object[] a) {
    String text = text(a[0]);
    long times = Math.max(0, MathFunctions.integer(a[1]));
    checkSize(text.isEmpty() ? 0 : Math.min(times, MAX_RESULT + 1L) * text.length());
    return text.isEmpty() ? "" : text.repeat((int) times);
  }

  private static void checkSize(long characters) {
    if (characters > MAX_RESULT) {
      throw new IllegalArgumentException("a text of over " + MAX_RESULT + " characters");
    }
  }

  /** The n-th part between delimiters, from 1; from the end if negative; empty if there is none. */
  static Object splitPart(@Nullable Object[] a) {
    long n = MathFunctions.integer(a[2]);
    if (n == 0) {
      throw new IllegalArgumentException("split_part counts from 1");
    }
    String delimiter = text(a[1]);
    String[] parts =
        delimiter.isEmpty()
            ? new String[] {text(a[0])}
            : text(a[0]).split(Pattern.quote(delimiter), -1);
    long index = n > 0 ? n - 1 : parts.length + n;
    return index >= 0 && index < parts.length ? parts[(int) index] : "";
  }

  /** Nulls, where they are seen, are left out. */
  static Object concat(@Nullable Object[] a) {
    StringBuilder text = new StringBuilder();
    for (Object part : a) {
      text.append(part == null ? "" : (String) part);
      checkSize(text.length());
    }
    return text.toString();
  }

  /** Between separators; nulls are left out. */
  static @Nullable Object join(@Nullable Object[] a) {
    if (a[0] == null) {
      return null;
    }
    StringBuilder text = new StringBuilder();
    boolean first = true;
    for (int i = 1; i < a.length; i++) {
      if (a[i] != null) {
        text.append(first ? "" : text(a[0])).append(text(a[i]));
        first = false;
        checkSize(text.length());
      }
    }
    return text.toString();
  }

  /** Code point of the first character, 0 of an empty text. */
  static Object firstCharacter(@Nullable Object[] a) {
    String text = text(a[0]);
    return text.isEmpty() ? 0L : (long) text.codePointAt(0);
  }

  /** The character of a code point. */
  static Object character(@Nullable Object[] a) {
    long point = MathFunctions.integer(a[0]);
    boolean valid = point >= 0 && point <= Character.MAX_CODE_POINT;
    if (!valid || Character.getType((int) point) == Character.SURROGATE) {
      throw new IllegalArgumentException(point + " is no character");
    }
    return Character.toString((int) point);
  }

  /** Of a negative number the two's complement in 64 bits. */
  static Object hexadecimal(@Nullable Object[] a) {
    return Long.toHexString(MathFunctions.integer(a[0]));
  }

  /** The first letter of each word large, the others small. */
  static Object capitals(@Nullable Object[] a) {
    StringBuilder result = new StringBuilder();
    boolean within = false;
    for (int c : text(a[0]).codePoints().toArray()) {
      result.appendCodePoint(within ? Character.toLowerCase(c) : Character.toUpperCase(c));
      within = Character.isLetterOrDigit(c);
    }
    return result.toString();
  }

  static Object padLeft(@Nullable Object[] a) {
    return pad(a, true);
  }

  static Object padRight(@Nullable Object[] a) {
    return pad(a, false);
  }

  /** To just so many characters, with the third argument or spaces; a longer text is cut. */
  private static String pad(@Nullable Object[] a, boolean left) {
    String text = text(a[0]);
    String fill = a.length == 3 ? text(a[2]) : " ";
    long length = Math.max(0, MathFunctions.integer(a[1]));
    checkSize(Math.min(length, MAX_RESULT + 1L));
    int count = characters(text);
    if (length <= count || fill.isEmpty()) {
      return slice(text, 0, Math.min(length, count));
    }
    long missing = length - count;
    String filling = slice(fill.repeat((int) (missing / characters(fill)) + 1), 0, missing);
    return left ? filling + text : text + filling;
  }
}
