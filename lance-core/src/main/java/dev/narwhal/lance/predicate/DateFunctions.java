package dev.narwhal.lance.predicate;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalAdjusters;
import java.util.Locale;
import org.apache.arrow.vector.types.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Functions on timestamps in microseconds, in UTC. */
final class DateFunctions {
  private static final String PARTS =
      "year, quarter, month, week, day, doy, dow, isodow, hour, minute, second, millisecond,"
          + " microsecond, epoch";
  private static final String UNITS =
      "year, quarter, month, week, day, hour, minute, second, millisecond, microsecond";

  private DateFunctions() {}

  /** {@code dow} counts from 0 for Sunday, {@code isodow} from 0 for Monday, as DataFusion does. */
  static Object part(@Nullable Object[] a) {
    String part = (String) MathFunctions.present(a[0]);
    long micros = MathFunctions.integer(a[1]);
    LocalDateTime t = TemporalText.ofUnits(micros, TimeUnit.MICROSECOND);
    int microsOfMinute = t.getSecond() * 1_000_000 + t.get(ChronoField.MICRO_OF_SECOND);
    return switch (part.toLowerCase(Locale.ROOT)) {
      case "year" -> (double) t.getYear();
      case "quarter" -> (double) t.get(IsoFields.QUARTER_OF_YEAR);
      case "month" -> (double) t.getMonthValue();
      case "week" -> (double) t.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR);
      case "day" -> (double) t.getDayOfMonth();
      case "doy" -> (double) t.getDayOfYear();
      case "dow" -> (double) (t.getDayOfWeek().getValue() % 7);
      case "isodow" -> t.getDayOfWeek().getValue() - 1.0;
      case "hour" -> (double) t.getHour();
      case "minute" -> (double) t.getMinute();
      case "second" -> (double) t.getSecond();
      case "millisecond" -> (double) Math.floorDiv(microsOfMinute, 1000);
      case "microsecond" -> (double) microsOfMinute;
      case "epoch" -> micros / 1e6;
      default ->
          throw new IllegalArgumentException(
              "date part '" + part + "' is not supported: accepted are " + PARTS);
    };
  }

  static Object truncate(@Nullable Object[] a) {
    String unit = (String) MathFunctions.present(a[0]);
    LocalDateTime t = TemporalText.ofUnits(MathFunctions.integer(a[1]), TimeUnit.MICROSECOND);
    LocalDate day = t.toLocalDate();
    LocalDateTime truncated =
        switch (unit.toLowerCase(Locale.ROOT)) {
          case "year" -> day.withDayOfYear(1).atStartOfDay();
          case "quarter" ->
              day.withDayOfMonth(1).withMonth((t.getMonthValue() - 1) / 3 * 3 + 1).atStartOfDay();
          case "month" -> day.withDayOfMonth(1).atStartOfDay();
          case "week" ->
              day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY)).atStartOfDay();
          case "day" -> day.atStartOfDay();
          case "hour" -> t.truncatedTo(ChronoUnit.HOURS);
          case "minute" -> t.truncatedTo(ChronoUnit.MINUTES);
          case "second" -> t.truncatedTo(ChronoUnit.SECONDS);
          case "millisecond" -> t.truncatedTo(ChronoUnit.MILLIS);
          case "microsecond" -> t;
          default ->
              throw new IllegalArgumentException(
                  "date_trunc to '" + unit + "' is not supported: accepted are " + UNITS);
        };
    return TemporalText.toUnits(truncated, TimeUnit.MICROSECOND);
  }
}
