package dev.narwhal.cli.rows;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/**
 * ISO-8601 text with seconds always there and the fraction in groups of three digits, only as many
 * as needed: {@code 2026-01-31T10:00:00}, {@code 10:00:00.250}.
 */
final class IsoText {
  private static final long MIN_SECOND = LocalDateTime.MIN.toEpochSecond(ZoneOffset.UTC);
  private static final long MAX_SECOND = LocalDateTime.MAX.toEpochSecond(ZoneOffset.UTC);

  private IsoText() {}

  /** Whether a second since the epoch lies in the years that the calendar classes know. */
  static boolean hasSecond(long epochSecond) {
    return epochSecond >= MIN_SECOND && epochSecond <= MAX_SECOND;
  }

  /**
   * A date and time of day.
   *
   * @param epochSecond second since the epoch, one that {@link #hasSecond} knows
   * @param nano {@code 0..999_999_999}
   */
  static String dateTime(long epochSecond, int nano) {
    long day = Math.floorDiv(epochSecond, 86_400L);
    long nanoOfDay = Math.floorMod(epochSecond, 86_400L) * 1_000_000_000L + nano;
    return LocalDate.ofEpochDay(day) + "T" + timeOfDay(nanoOfDay);
  }

  /**
   * A time of day.
   *
   * @param nanoOfDay {@code 0..86_399_999_999_999}
   */
  static String timeOfDay(long nanoOfDay) {
    int second = (int) (nanoOfDay / 1_000_000_000L);
    int nano = (int) (nanoOfDay % 1_000_000_000L);
    StringBuilder text = new StringBuilder(18);
    digits(text, second / 3600, 2);
    digits(text.append(':'), second / 60 % 60, 2);
    digits(text.append(':'), second % 60, 2);
    if (nano % 1_000_000 == 0) {
      if (nano != 0) {
        digits(text.append('.'), nano / 1_000_000, 3);
      }
    } else if (nano % 1000 == 0) {
      digits(text.append('.'), nano / 1000, 6);
    } else {
      digits(text.append('.'), nano, 9);
    }
    return text.toString();
  }

  private static void digits(StringBuilder text, int value, int width) {
    int start = text.length();
    text.setLength(start + width);
    for (int i = start + width - 1, rest = value; i >= start; i--, rest /= 10) {
      text.setCharAt(i, (char) ('0' + rest % 10));
    }
  }
}
