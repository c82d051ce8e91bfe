package dev.narwhal.lance.predicate;

import dev.narwhal.lance.error.InvalidPredicateException;
import dev.narwhal.lance.predicate.Expression.Literal;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDateTime;
import java.time.temporal.ChronoField;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;

/** Literals as written, in the type that they have until a column asks for another. */
final class Literals {
  /** A decimal of so many digits is told from its neighbours by a double. */
  private static final int DOUBLE_DIGITS = 15;

  private static final int MAX_DIGITS = 76;

  private Literals() {}

  /**
   * A whole number is an int64, above that a uint64; any other is a double, unless it has more
   * digits than a double keeps (and no exponent): then a decimal.
   */
  static Literal number(String text) {
    boolean whole = text.chars().allMatch(c -> c >= '0' && c <= '9');
    if (text.length() > 400) {
      throw new InvalidPredicateException("a number of " + text.length() + " characters");
    }
    if (whole) {
      BigInteger value = new BigInteger(text);
      if (value.bitLength() <= 64) {
        return Literal.of(
            value.longValue(), value.bitLength() <= 63 ? ValueType.INT64 : ValueType.UINT64);
      }
    }
    boolean exponent = text.indexOf('e') >= 0 || text.indexOf('E') >= 0;
    if (!exponent) {
      BigDecimal exact = new BigDecimal(text.endsWith(".") ? text + "0" : text);
      if (exact.precision() > DOUBLE_DIGITS
          && exact.precision() <= MAX_DIGITS
          && exact.scale() <= MAX_DIGITS) {
        return decimal(exact);
      }
    }
    double value = Double.parseDouble(text);
    if (Double.isInfinite(value)) {
      throw new InvalidPredicateException("the number " + text + " is larger than a double");
    }
    return Literal.of(value, ValueType.FLOAT64);
  }

  /** A decimal of just the digits that it has. */
  static Literal decimal(BigDecimal value) {
    return Literal.of(
        value, ValueType.decimal(Math.max(value.precision(), value.scale()), value.scale()));
  }

  /**
   * The literal of {@code DATE '..'}, {@code TIME '..'} or {@code TIMESTAMP '..'}. A timestamp is
   * in microseconds, unless it has digits past them: then in nanoseconds.
   *
   * @param type as written; of a timestamp, its precision
   * @throws IllegalArgumentException saying what is wrong with the text
   */
  static Literal temporal(String text, boolean date, boolean time, ValueType type) {
    if (date) {
      return Literal.of(TemporalText.date(text).toEpochDay(), ValueType.DATE);
    }
    if (time) {
      long nanos = TemporalText.time(text).toNanoOfDay();
      return nanos % 1000 == 0
          ? Literal.of(nanos / 1000, type)
          : Literal.of(nanos, ValueType.of(new ArrowType.Time(TimeUnit.NANOSECOND, 64)));
    }
    LocalDateTime utc = TemporalText.timestamp(text);
    TimeUnit unit =
        utc.get(ChronoField.NANO_OF_SECOND) % 1000 == 0 && type.unit() == TimeUnit.NANOSECOND
            ? TimeUnit.MICROSECOND
            : type.unit();
    try {
      return Literal.of(TemporalText.toUnits(utc, unit), ValueType.timestamp(unit));
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("is out of the range of timestamps in nanoseconds", e);
    }
  }
}
