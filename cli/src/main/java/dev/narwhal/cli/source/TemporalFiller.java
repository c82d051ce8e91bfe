package dev.narwhal.cli.source;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DateMilliVector;
import org.apache.arrow.vector.DurationVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.TimeMicroVector;
import org.apache.arrow.vector.TimeMilliVector;
import org.apache.arrow.vector.TimeNanoVector;
import org.apache.arrow.vector.TimeSecVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;

/**
 * Dates, times, timestamps and durations: ISO-8601 text as {@code rows} prints it, a bare number,
 * which is the stored one, or {@link Ticks}. A timestamp with a zone needs an offset in its text,
 * or {@code Z}; one without must have none. Nothing is rounded.
 */
final class TemporalFiller {
  private static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final long NANOS_PER_MILLI = 1_000_000L;

  private TemporalFiller() {}

  static void set(FieldVector vector, int index, Object value) {
    ArrowType type = vector.getField().getType();
    try {
      switch (type.getTypeID()) {
        case Date -> date(vector, index, value);
        case Time -> time(vector, (ArrowType.Time) type, index, value);
        case Timestamp ->
            ((TimeStampVector) vector).setSafe(index, timestamp((ArrowType.Timestamp) type, value));
        default ->
            ((DurationVector) vector)
                .setSafe(index, duration(((ArrowType.Duration) type).getUnit(), value));
      }
    } catch (DateTimeException | ArithmeticException e) {
      throw BadValueException.of(value, expected(type));
    }
  }

  private static void date(FieldVector vector, int index, Object value) {
    if (vector instanceof DateMilliVector millis) {
      millis.setSafe(
          index,
          stored(value)
              ? number(value, NANOS_PER_MILLI)
              : Math.multiplyExact(LocalDate.parse(text(value)).toEpochDay(), 86_400_000L));
    } else {
      long day =
          stored(value)
              ? number(value, Ticks.NANOS_PER_DAY)
              : LocalDate.parse(text(value)).toEpochDay();
      ((DateDayVector) vector).setSafe(index, Math.toIntExact(day));
    }
  }

  private static void time(FieldVector vector, ArrowType.Time type, int index, Object value) {
    long unit = nanos(type.getUnit());
    long count =
        stored(value)
            ? number(value, unit)
            : new Ticks(LocalTime.parse(text(value)).toNanoOfDay(), 1).in(unit);
    switch (type.getUnit()) {
      case SECOND -> ((TimeSecVector) vector).setSafe(index, Math.toIntExact(count));
      case MILLISECOND -> ((TimeMilliVector) vector).setSafe(index, Math.toIntExact(count));
      case MICROSECOND -> ((TimeMicroVector) vector).setSafe(index, count);
      case NANOSECOND -> ((TimeNanoVector) vector).setSafe(index, count);
    }
  }

  private static long timestamp(ArrowType.Timestamp type, Object value) {
    long unit = nanos(type.getUnit());
    if (stored(value)) {
      return number(value, unit);
    }
    String text = text(value);
    // CSV often has a space where ISO-8601 has a T
    String iso =
        text.length() > 10 && text.charAt(10) == ' '
            ? text.substring(0, 10) + 'T' + text.substring(11)
            : text;
    LocalDateTime local =
        type.getTimezone() == null
            ? LocalDateTime.parse(iso)
            : OffsetDateTime.parse(iso).withOffsetSameInstant(ZoneOffset.UTC).toLocalDateTime();
    Instant instant = local.toInstant(ZoneOffset.UTC);
    return count(instant.getEpochSecond(), instant.getNano(), unit);
  }

  private static long duration(TimeUnit timeUnit, Object value) {
    if (stored(value)) {
      return number(value, nanos(timeUnit));
    }
    Duration duration = Duration.parse(text(value));
    return count(duration.getSeconds(), duration.getNano(), nanos(timeUnit));
  }

  private static long count(long seconds, int nanosOfSecond, long unit) {
    long whole = new Ticks(seconds, NANOS_PER_SECOND).in(unit);
    return Math.addExact(whole, new Ticks(nanosOfSecond, 1).in(unit));
  }

  private static boolean stored(Object value) {
    return value instanceof Long
        || value instanceof Ticks
        || (value instanceof NumberText number && number.isLong());
  }

  private static long number(Object value, long unit) {
    if (value instanceof Ticks ticks) {
      return ticks.in(unit);
    }
    return value instanceof NumberText number ? number.longValue() : (Long) value;
  }

  private static String text(Object value) {
    if (value instanceof String text) {
      return text;
    }
    throw new DateTimeException("no text");
  }

  private static long nanos(TimeUnit unit) {
    return switch (unit) {
      case SECOND -> NANOS_PER_SECOND;
      case MILLISECOND -> NANOS_PER_MILLI;
      case MICROSECOND -> 1_000L;
      case NANOSECOND -> 1L;
    };
  }

  private static String expected(ArrowType type) {
    return switch (type.getTypeID()) {
      case Date ->
          ((ArrowType.Date) type).getUnit() == DateUnit.DAY
              ? "a date such as 2026-01-31"
              : "a date such as 2026-01-31 (date64)";
      case Time -> "a time such as 10:00:00 in whole units of " + ((ArrowType.Time) type).getUnit();
      case Timestamp -> {
        ArrowType.Timestamp timestamp = (ArrowType.Timestamp) type;
        yield "a timestamp such as 2026-01-31T10:00:00"
            + (timestamp.getTimezone() == null ? ", without an offset," : "Z")
            + " in whole units of "
            + timestamp.getUnit();
      }
      default -> "a duration such as PT1H30M";
    };
  }
}
