package dev.narwhal.lance.predicate;

import dev.narwhal.lance.predicate.Expression.Literal;
import dev.narwhal.lance.predicate.ValueType.Kind;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;

/**
 * A literal in the type of the column that it is compared with (facts 14.1). Seen in real Lance
 * 7.0.0, and the same here: an integer column takes integers in its range and neither {@code 1.0}
 * nor {@code '1'} nor 300 for a uint8; a float column takes any number, as its nearest value (so
 * that {@code f32 = 0.1} finds {@code 0.1f}); dates and timestamps take each other's literals.
 *
 * <p>Taken here and refused there: {@code 1.5} for decimals and half floats, integers above 2^63-1,
 * and text for dates, times and timestamps.
 */
final class LiteralCoercion {
  private LiteralCoercion() {}

  /** The literal in {@code target}, if that type holds just its value (floats: its nearest one). */
  static Optional<Literal> exact(Literal literal, ValueType target) {
    if (literal.isNull()) {
      return Optional.of(Literal.ofNull(target));
    }
    if (literal.type().equals(target)) {
      return Optional.of(literal);
    }
    Object value = literal.value().orElseThrow();
    return value(value, literal.type(), target).map(v -> Literal.of(v, target));
  }

  private static Optional<Object> value(Object value, ValueType from, ValueType target) {
    return switch (target.kind()) {
      case BOOLEAN -> same(value, from, Kind.BOOLEAN);
      case STRING -> same(value, from, Kind.STRING);
      case BINARY -> same(value, from, Kind.BINARY);
      case INTEGER ->
          from.is(Kind.INTEGER) ? integer(toBig(value, from), target) : Optional.empty();
      case FLOAT -> from.isNumeric() ? Optional.of(nearest(value, from, target)) : Optional.empty();
      case DECIMAL -> from.isNumeric() ? decimal(value, from, target) : Optional.empty();
      case DATE, TIMESTAMP -> instant(value, from).flatMap(i -> fromInstant(i, target));
      case TIME -> time(value, from, target);
      case LIST -> from.is(Kind.LIST) ? list((List<?>) value, from, target) : Optional.empty();
      case DURATION, STRUCT, NULL, OTHER -> Optional.empty();
    };
  }

  private static Optional<Object> same(Object value, ValueType from, Kind kind) {
    return from.is(kind) ? Optional.of(value) : Optional.empty();
  }

  /** The number that an integer literal stands for. */
  static BigInteger toBig(Object value, ValueType type) {
    long bits = (long) value;
    return type.isUnsigned64()
        ? new BigInteger(Long.toUnsignedString(bits))
        : BigInteger.valueOf(bits);
  }

  private static Optional<Object> integer(BigInteger value, ValueType target) {
    ArrowType.Int type = (ArrowType.Int) target.arrow();
    int bits = type.getBitWidth();
    boolean fits =
        type.getIsSigned()
            ? value.bitLength() < bits
            : value.signum() >= 0 && value.bitLength() <= bits;
    return fits ? Optional.of(value.longValue()) : Optional.empty();
  }

  private static Object nearest(Object value, ValueType from, ValueType target) {
    return switch (((ArrowType.FloatingPoint) target.arrow()).getPrecision()) {
      case DOUBLE -> toDecimalOrDouble(value, from).doubleValue();
      case SINGLE -> (double) toDecimalOrDouble(value, from).floatValue();
      case HALF -> HalfFloat.round(toDecimalOrDouble(value, from).doubleValue());
    };
  }

  /** An exact number, or a double that is one already. */
  private static Number toDecimalOrDouble(Object value, ValueType from) {
    return from.is(Kind.INTEGER) ? new BigDecimal(toBig(value, from)) : (Number) value;
  }

  /** The shortest decimal that reads as a double is what the user wrote: at most 15 digits. */
  static Optional<BigDecimal> toDecimal(Object value, ValueType from) {
    if (from.is(Kind.INTEGER)) {
      return Optional.of(new BigDecimal(toBig(value, from)));
    }
    if (from.is(Kind.DECIMAL)) {
      return Optional.of((BigDecimal) value);
    }
    double number = (double) value;
    if (!Double.isFinite(number)) {
      return Optional.empty();
    }
    boolean single =
        ((ArrowType.FloatingPoint) from.arrow()).getPrecision() != FloatingPointPrecision.DOUBLE;
    return Optional.of(
        new BigDecimal(single ? Float.toString((float) number) : Double.toString(number)));
  }

  private static Optional<Object> decimal(Object value, ValueType from, ValueType target) {
    ArrowType.Decimal type = (ArrowType.Decimal) target.arrow();
    return toDecimal(value, from)
        .filter(number -> number.stripTrailingZeros().scale() <= type.getScale())
        .map(number -> number.setScale(type.getScale()))
        .filter(number -> number.precision() <= type.getPrecision())
        .map(number -> number);
  }

  private static Optional<LocalDateTime> instant(Object value, ValueType from) {
    try {
      return switch (from.kind()) {
        case DATE -> Optional.of(TemporalText.ofDate((long) value, from).atStartOfDay());
        case TIMESTAMP -> Optional.of(TemporalText.ofUnits((long) value, from.unit()));
        case STRING -> Optional.of(TemporalText.timestamp((String) value));
        case NULL, BOOLEAN, INTEGER, FLOAT, DECIMAL, BINARY, TIME, DURATION, LIST, STRUCT, OTHER ->
            Optional.empty();
      };
    } catch (IllegalArgumentException | DateTimeException e) {
      return Optional.empty();
    }
  }

  private static Optional<Object> fromInstant(LocalDateTime instant, ValueType target) {
    try {
      if (target.arrow() instanceof ArrowType.Date date) {
        if (!instant.equals(instant.toLocalDate().atStartOfDay())) {
          return Optional.empty();
        }
        long days = instant.toLocalDate().toEpochDay();
        return Optional.of(
            date.getUnit() == DateUnit.DAY
                ? (long) Math.toIntExact(days)
                : Math.multiplyExact(days, 86_400_000L));
      }
      TimeUnit unit = target.unit();
      long units = TemporalText.toUnits(instant, unit);
      return TemporalText.ofUnits(units, unit).equals(instant)
          ? Optional.of(units)
          : Optional.empty();
    } catch (ArithmeticException e) {
      return Optional.empty();
    }
  }

  private static Optional<Object> time(Object value, ValueType from, ValueType target) {
    long nanos;
    if (from.is(Kind.TIME)) {
      nanos = (long) value * (1_000_000_000L / TemporalText.perSecond(from.unit()));
    } else if (from.is(Kind.STRING)) {
      try {
        nanos = TemporalText.time((String) value).toNanoOfDay();
      } catch (IllegalArgumentException e) {
        return Optional.empty();
      }
    } else {
      return Optional.empty();
    }
    long perUnit = 1_000_000_000L / TemporalText.perSecond(target.unit());
    return nanos % perUnit == 0 ? Optional.of(nanos / perUnit) : Optional.empty();
  }

  private static Optional<Object> list(List<?> items, ValueType from, ValueType target) {
    List<Object> converted = new ArrayList<>(items.size());
    for (Object item : items) {
      Optional<?> value = (Optional<?>) item;
      if (value.isEmpty()) {
        converted.add(Optional.empty());
        continue;
      }
      Optional<Object> one =
          from.item().equals(target.item())
              ? Optional.of(value.get())
              : value(value.get(), from.item(), target.item());
      if (one.isEmpty()) {
        return Optional.empty();
      }
      converted.add(one);
    }
    return Optional.of(List.copyOf(converted));
  }
}
