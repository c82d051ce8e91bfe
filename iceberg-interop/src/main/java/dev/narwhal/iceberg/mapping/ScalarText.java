package dev.narwhal.iceberg.mapping;

import static java.util.Objects.requireNonNull;

import java.math.BigInteger;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Period;
import java.time.ZoneOffset;
import java.util.Base64;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.DurationVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float2Vector;
import org.apache.arrow.vector.IntervalDayVector;
import org.apache.arrow.vector.IntervalYearVector;
import org.apache.arrow.vector.PeriodDuration;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;

/**
 * Scalars of Arrow as what JSON has: numbers and booleans as they are; NaN and infinities by name;
 * bytes in base64; dates, times, timestamps (zoned ones in UTC), durations and intervals in ISO
 * 8601, or as the number that is stored where no calendar has it.
 */
final class ScalarText {
  private static final long NANOS_PER_DAY = 86_400_000_000_000L;
  private static final long MILLIS_PER_DAY = 86_400_000L;
  private static final long MIN_SECOND = LocalDateTime.MIN.toEpochSecond(ZoneOffset.UTC);
  private static final long MAX_SECOND = LocalDateTime.MAX.toEpochSecond(ZoneOffset.UTC);

  private ScalarText() {}

  /** A boolean, a number, or a text. */
  static Object of(FieldVector vector, int row) {
    ArrowType type = vector.getField().getType();
    return switch (type.getTypeID()) {
      case Int -> integer((BaseIntVector) vector, row);
      case FloatingPoint -> floating(vector, row);
      case Bool, Decimal -> object(vector, row);
      case Utf8, LargeUtf8, Utf8View -> object(vector, row).toString();
      case Binary, LargeBinary, BinaryView, FixedSizeBinary ->
          Base64.getEncoder().encodeToString((byte[]) object(vector, row));
      case Date -> date(vector, ((ArrowType.Date) type).getUnit(), row);
      case Time -> time(vector, (ArrowType.Time) type, row);
      case Timestamp -> timestamp(vector, (ArrowType.Timestamp) type, row);
      case Duration -> duration((DurationVector) vector, row).toString();
      case Interval -> interval(vector, row);
      default -> throw new IllegalArgumentException("no text for values of type " + type);
    };
  }

  private static Object object(FieldVector vector, int row) {
    return requireNonNull(vector.getObject(row), "value");
  }

  private static Object integer(BaseIntVector vector, int row) {
    long value = vector.getValueAsLong(row);
    return vector instanceof UInt8Vector ? new BigInteger(Long.toUnsignedString(value)) : value;
  }

  private static Object floating(FieldVector vector, int row) {
    if (vector instanceof Float2Vector halves) {
      return finite(halves.getValueAsFloat(row));
    }
    return object(vector, row) instanceof Float single
        ? finite(single)
        : finite((Double) object(vector, row));
  }

  private static Object finite(float value) {
    return Float.isFinite(value) ? (Object) value : Float.toString(value);
  }

  private static Object finite(double value) {
    return Double.isFinite(value) ? (Object) value : Double.toString(value);
  }

  private static Object date(FieldVector vector, DateUnit unit, int row) {
    if (unit == DateUnit.DAY) {
      return LocalDate.ofEpochDay(vector.getDataBuffer().getInt((long) row * Integer.BYTES))
          .toString();
    }
    long millis = vector.getDataBuffer().getLong((long) row * Long.BYTES);
    return Math.floorMod(millis, MILLIS_PER_DAY) == 0
        ? LocalDate.ofEpochDay(Math.floorDiv(millis, MILLIS_PER_DAY)).toString()
        : dateTime(millis, TimeUnit.MILLISECOND);
  }

  private static Object time(FieldVector vector, ArrowType.Time type, int row) {
    long value =
        type.getBitWidth() == Long.SIZE
            ? vector.getDataBuffer().getLong((long) row * Long.BYTES)
            : vector.getDataBuffer().getInt((long) row * Integer.BYTES);
    long nanos = 1_000_000_000L / perSecond(type.getUnit());
    return value < 0 || value >= NANOS_PER_DAY / nanos
        ? (Object) value
        : text(LocalTime.ofNanoOfDay(value * nanos));
  }

  private static Object timestamp(FieldVector vector, ArrowType.Timestamp type, int row) {
    Object local =
        dateTime(vector.getDataBuffer().getLong((long) row * Long.BYTES), type.getUnit());
    boolean zoned = type.getTimezone() != null && !type.getTimezone().isEmpty();
    return zoned && local instanceof String ? local + "Z" : local;
  }

  private static Object dateTime(long value, TimeUnit unit) {
    long perSecond = perSecond(unit);
    long second = Math.floorDiv(value, perSecond);
    if (second < MIN_SECOND || second > MAX_SECOND) {
      return value;
    }
    int nano = (int) (Math.floorMod(value, perSecond) * (1_000_000_000L / perSecond));
    LocalDateTime time = LocalDateTime.ofEpochSecond(second, nano, ZoneOffset.UTC);
    return time.toLocalDate() + "T" + text(time.toLocalTime());
  }

  /** With seconds, which Java leaves out where they are zero. */
  private static String text(LocalTime time) {
    String text = time.toString();
    return text.length() == "hh:mm".length() ? text + ":00" : text;
  }

  private static Duration duration(DurationVector vector, int row) {
    long value = vector.getDataBuffer().getLong((long) row * Long.BYTES);
    long perSecond = perSecond(((ArrowType.Duration) vector.getField().getType()).getUnit());
    return Duration.ofSeconds(
        Math.floorDiv(value, perSecond),
        Math.floorMod(value, perSecond) * (1_000_000_000L / perSecond));
  }

  private static String interval(FieldVector vector, int row) {
    if (vector instanceof IntervalYearVector years) {
      return Period.ofMonths(years.get(row)).normalized().toString();
    }
    PeriodDuration interval =
        vector instanceof IntervalDayVector days
            ? new PeriodDuration(
                Period.ofDays(IntervalDayVector.getDays(days.getDataBuffer(), row)),
                Duration.ofMillis(IntervalDayVector.getMilliseconds(days.getDataBuffer(), row)))
            : (PeriodDuration) object(vector, row);
    return interval.toISO8601IntervalString();
  }

  private static long perSecond(TimeUnit unit) {
    return switch (unit) {
      case SECOND -> 1L;
      case MILLISECOND -> 1_000L;
      case MICROSECOND -> 1_000_000L;
      case NANOSECOND -> 1_000_000_000L;
    };
  }
}
