package dev.narwhal.cli.rows;

import java.io.IOException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.Period;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DateMilliVector;
import org.apache.arrow.vector.DurationVector;
import org.apache.arrow.vector.IntervalDayVector;
import org.apache.arrow.vector.IntervalMonthDayNanoVector;
import org.apache.arrow.vector.IntervalYearVector;
import org.apache.arrow.vector.PeriodDuration;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.ValueVector;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;

/**
 * Cells of dates, times, timestamps, durations and intervals, in ISO-8601. Rows are not null.
 *
 * <p>A timestamp with a zone is the instant, in UTC with {@code Z}; one without has neither zone
 * nor offset. A stored number that no calendar text can carry (a time of day outside the day, a
 * second beyond the years of {@code java.time}) is written as that number, so nothing is lost.
 */
final class TemporalCells {
  private static final long MILLIS_PER_DAY = 86_400_000;
  private static final long NANOS_PER_DAY = 86_400_000_000_000L;

  private TemporalCells() {}

  static Cell of(ValueVector vector) {
    if (vector instanceof DateDayVector v) {
      return (row, out) -> out.text(LocalDate.ofEpochDay(v.get(row)).toString());
    }
    if (vector instanceof DateMilliVector v) {
      return (row, out) -> dateMillis(v.get(row), out);
    }
    if (vector instanceof TimeStampVector v) {
      return timestamp(v);
    }
    if (vector instanceof DurationVector v) {
      TimeUnit unit = ((ArrowType.Duration) v.getField().getType()).getUnit();
      return (row, out) -> out.text(duration(v.getDataBuffer().getLong(row * 8L), unit).toString());
    }
    if (vector instanceof IntervalYearVector v) {
      return (row, out) -> out.text(Period.ofMonths(v.get(row)).normalized().toString());
    }
    if (vector instanceof IntervalDayVector v) {
      return (row, out) -> out.text(dayInterval(v.getDataBuffer(), row).toISO8601IntervalString());
    }
    if (vector instanceof IntervalMonthDayNanoVector v) {
      return (row, out) -> out.text(v.getObject(row).toISO8601IntervalString());
    }
    return time((BaseFixedWidthVector) vector);
  }

  private static Cell time(BaseFixedWidthVector vector) {
    ArrowType.Time type = (ArrowType.Time) vector.getField().getType();
    long nanosPerUnit = nanosPerUnit(type.getUnit());
    long unitsPerDay = NANOS_PER_DAY / nanosPerUnit;
    boolean wide = type.getBitWidth() == 64;
    return (row, out) -> {
      long value =
          wide ? vector.getDataBuffer().getLong(row * 8L) : vector.getDataBuffer().getInt(row * 4L);
      if (value < 0 || value >= unitsPerDay) {
        out.integer(value);
      } else {
        out.text(IsoText.timeOfDay(value * nanosPerUnit));
      }
    };
  }

  private static Cell timestamp(TimeStampVector vector) {
    ArrowType.Timestamp type = (ArrowType.Timestamp) vector.getField().getType();
    long unitsPerSecond = 1_000_000_000L / nanosPerUnit(type.getUnit());
    long nanosPerUnit = nanosPerUnit(type.getUnit());
    String suffix = type.getTimezone() == null ? "" : "Z";
    return (row, out) -> {
      long value = vector.get(row);
      long second = Math.floorDiv(value, unitsPerSecond);
      int nano = (int) (Math.floorMod(value, unitsPerSecond) * nanosPerUnit);
      if (IsoText.hasSecond(second)) {
        out.text(IsoText.dateTime(second, nano) + suffix);
      } else {
        out.integer(value);
      }
    };
  }

  /** A date of whole days; one that carries a time of day, which the type forbids, shows it. */
  private static void dateMillis(long millis, ValueWriter out) throws IOException {
    long day = Math.floorDiv(millis, MILLIS_PER_DAY);
    long rest = Math.floorMod(millis, MILLIS_PER_DAY);
    if (rest == 0) {
      out.text(LocalDate.ofEpochDay(day).toString());
    } else {
      out.text(IsoText.dateTime(Math.floorDiv(millis, 1000L), (int) (rest % 1000) * 1_000_000));
    }
  }

  private static PeriodDuration dayInterval(ArrowBuf intervals, int row) {
    return new PeriodDuration(
        Period.ofDays(IntervalDayVector.getDays(intervals, row)),
        Duration.ofMillis(IntervalDayVector.getMilliseconds(intervals, row)));
  }

  private static Duration duration(long value, TimeUnit unit) {
    return switch (unit) {
      case SECOND -> Duration.ofSeconds(value);
      case MILLISECOND -> Duration.ofMillis(value);
      case MICROSECOND ->
          Duration.ofSeconds(
              Math.floorDiv(value, 1_000_000L), Math.floorMod(value, 1_000_000L) * 1000);
      case NANOSECOND -> Duration.ofNanos(value);
    };
  }

  private static long nanosPerUnit(TimeUnit unit) {
    return switch (unit) {
      case SECOND -> 1_000_000_000L;
      case MILLISECOND -> 1_000_000L;
      case MICROSECOND -> 1_000L;
      case NANOSECOND -> 1L;
    };
  }
}
