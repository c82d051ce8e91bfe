package dev.narwhal.lance.predicate;

import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.chrono.IsoChronology;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.format.SignStyle;
import java.time.temporal.ChronoField;
import java.util.Locale;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;

/**
 * Dates, times and timestamps as text, in the forms that real Lance 7.0.0 reads and writes: {@code
 * 2024-01-31} (digits may be missing: {@code 2024-1-31}), {@code 13:45:00[.123456789]}, and both
 * with a space or a {@code T} between and a zone ({@code Z}, {@code +01:00}, {@code UTC}, {@code
 * Europe/Berlin}) at the end if need be. A timestamp without time is at midnight, one without zone
 * in UTC.
 */
final class TemporalText {
  private static final DateTimeFormatter DATE =
      new DateTimeFormatterBuilder()
          .appendValue(ChronoField.YEAR, 4, 6, SignStyle.NORMAL)
          .appendLiteral('-')
          .appendValue(ChronoField.MONTH_OF_YEAR, 1, 2, SignStyle.NOT_NEGATIVE)
          .appendLiteral('-')
          .appendValue(ChronoField.DAY_OF_MONTH, 1, 2, SignStyle.NOT_NEGATIVE)
          .toFormatter(Locale.ROOT)
          .withResolverStyle(ResolverStyle.STRICT)
          .withChronology(IsoChronology.INSTANCE);

  private TemporalText() {}

  /** Units in a second. */
  static long perSecond(TimeUnit unit) {
    return switch (unit) {
      case SECOND -> 1L;
      case MILLISECOND -> 1_000L;
      case MICROSECOND -> 1_000_000L;
      case NANOSECOND -> 1_000_000_000L;
    };
  }

  static LocalDate date(String text) {
    try {
      return LocalDate.parse(text, DATE);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("is not a date like 2024-01-31", e);
    }
  }

  static LocalTime time(String text) {
    try {
      return LocalTime.parse(text, DateTimeFormatter.ISO_LOCAL_TIME);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("is not a time like 13:45:00", e);
    }
  }

  /** The instant, as date and time in UTC. */
  static LocalDateTime timestamp(String text) {
    try {
      int split = split(text);
      if (split < 0) {
        return date(text).atStartOfDay();
      }
      LocalDate date = date(text.substring(0, split));
      String rest = text.substring(split + 1);
      int end = 0;
      while (end < rest.length() && "0123456789:.".indexOf(rest.charAt(end)) >= 0) {
        end++;
      }
      if (end < 8) {
        throw new IllegalArgumentException("has no time like 13:45:00");
      }
      LocalDateTime local = date.atTime(time(rest.substring(0, end)));
      String zone = rest.substring(end).strip();
      return zone.isEmpty()
          ? local
          : local.atZone(ZoneId.of(zone)).withZoneSameInstant(ZoneOffset.UTC).toLocalDateTime();
    } catch (DateTimeException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "is not a timestamp like 2024-01-31 13:45:00, or with a zone at its end", e);
    }
  }

  /** Index of the space or T between date and time; negative if there is none. */
  private static int split(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == ' ' || c == 'T' || c == 't') {
        return i;
      }
    }
    return -1;
  }

  /**
   * An instant in units since 1970, rounded down.
   *
   * @throws ArithmeticException if a {@code long} does not hold it
   */
  static long toUnits(LocalDateTime utc, TimeUnit unit) {
    long perSecond = perSecond(unit);
    long fraction = utc.get(ChronoField.NANO_OF_SECOND) / (1_000_000_000L / perSecond);
    BigInteger units =
        BigInteger.valueOf(utc.toEpochSecond(ZoneOffset.UTC))
            .multiply(BigInteger.valueOf(perSecond))
            .add(BigInteger.valueOf(fraction));
    return units.longValueExact();
  }

  static LocalDateTime ofUnits(long value, TimeUnit unit) {
    long perSecond = perSecond(unit);
    long nanos = Math.floorMod(value, perSecond) * (1_000_000_000L / perSecond);
    return LocalDateTime.ofEpochSecond(
        Math.floorDiv(value, perSecond), (int) nanos, ZoneOffset.UTC);
  }

  /** The date that a value of a date column stands for. */
  static LocalDate ofDate(long value, ValueType type) {
    boolean days = ((ArrowType.Date) type.arrow()).getUnit() == DateUnit.DAY;
    return LocalDate.ofEpochDay(days ? value : Math.floorDiv(value, 86_400_000L));
  }

  /** Text of a date, time or timestamp as real Lance casts it to a string. */
  static String format(long value, ValueType type) {
    return switch (type.kind()) {
      case DATE -> ofDate(value, type).toString();
      case TIME ->
          DateTimeFormatter.ISO_LOCAL_TIME.format(
              LocalTime.ofNanoOfDay(value * (1_000_000_000L / perSecond(type.unit()))));
      case TIMESTAMP -> {
        String text = DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(ofUnits(value, type.unit()));
        yield ((ArrowType.Timestamp) type.arrow()).getTimezone() == null ? text : text + "Z";
      }
      case NULL, BOOLEAN, INTEGER, FLOAT, DECIMAL, STRING, BINARY, DURATION, LIST, STRUCT, OTHER ->
          throw new IllegalArgumentException("not a date or time: " + type);
    };
  }
}
