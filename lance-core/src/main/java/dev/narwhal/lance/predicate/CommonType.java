package dev.narwhal.lance.predicate;

import dev.narwhal.lance.predicate.ValueType.Kind;
import java.util.Optional;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;

/**
 * The type in which two types are compared.
 *
 * <table>
 * <caption>Two of different kinds or widths</caption>
 * <tr><td>integers</td><td>int64; uint64 with unsigned: uint64; uint64 with signed: decimal, exact</td></tr>
 * <tr><td>integer, float</td><td>the float's type, as in real Lance: int64 with float is compared as float</td></tr>
 * <tr><td>floats</td><td>the wider</td></tr>
 * <tr><td>decimal, integer</td><td>decimal, exact</td></tr>
 * <tr><td>decimal, float</td><td>double</td></tr>
 * <tr><td>dates, timestamps, times, durations</td><td>the finer unit; date with timestamp: timestamp</td></tr>
 * <tr><td>string, number or boolean</td><td>string</td></tr>
 * <tr><td>string, date, time, timestamp</td><td>the latter</td></tr>
 * </table>
 */
final class CommonType {
  /** Holds each 64-bit integer, signed or not. */
  static final ValueType ANY_INTEGER = ValueType.decimal(20, 0);

  private CommonType() {}

  /** Empty if values of the two types cannot be compared. */
  static Optional<ValueType> of(ValueType a, ValueType b) {
    if (a.equals(b) || b.is(Kind.NULL)) {
      return comparable(a);
    }
    if (a.is(Kind.NULL)) {
      return comparable(b);
    }
    if (a.isNumeric() && b.isNumeric()) {
      return Optional.of(numeric(a, b));
    }
    if (a.is(b.kind())) {
      return sameKind(a, b);
    }
    if (a.is(Kind.DATE) && b.is(Kind.TIMESTAMP)) {
      return Optional.of(b);
    }
    if (a.is(Kind.TIMESTAMP) && b.is(Kind.DATE)) {
      return Optional.of(a);
    }
    if (a.is(Kind.STRING)) {
      return withString(a, b);
    }
    return b.is(Kind.STRING) ? withString(b, a) : Optional.empty();
  }

  private static Optional<ValueType> comparable(ValueType type) {
    return switch (type.kind()) {
      case LIST, STRUCT, OTHER -> Optional.empty();
      case NULL,
          BOOLEAN,
          INTEGER,
          FLOAT,
          DECIMAL,
          STRING,
          BINARY,
          DATE,
          TIME,
          TIMESTAMP,
          DURATION ->
          Optional.of(type);
    };
  }

  private static Optional<ValueType> withString(ValueType string, ValueType other) {
    return switch (other.kind()) {
      case INTEGER, FLOAT, DECIMAL, BOOLEAN -> Optional.of(string);
      case DATE, TIME, TIMESTAMP -> Optional.of(other);
      case NULL, STRING, BINARY, DURATION, LIST, STRUCT, OTHER -> Optional.empty();
    };
  }

  private static Optional<ValueType> sameKind(ValueType a, ValueType b) {
    return switch (a.kind()) {
      case STRING, BINARY, BOOLEAN -> Optional.of(a);
      case DATE -> Optional.of(ValueType.of(new ArrowType.Date(DateUnit.MILLISECOND)));
      case TIME, TIMESTAMP, DURATION -> Optional.of(isFiner(a, b) ? a : b);
      case NULL, INTEGER, FLOAT, DECIMAL, LIST, STRUCT, OTHER -> Optional.empty();
    };
  }

  private static boolean isFiner(ValueType a, ValueType b) {
    return TemporalText.perSecond(a.unit()) >= TemporalText.perSecond(b.unit());
  }

  static ValueType numeric(ValueType a, ValueType b) {
    if (a.is(Kind.FLOAT) || b.is(Kind.FLOAT)) {
      return floating(a, b);
    }
    if (a.is(Kind.DECIMAL) || b.is(Kind.DECIMAL)) {
      return decimal(toDecimal(a), toDecimal(b));
    }
    if (a.isUnsigned64() || b.isUnsigned64()) {
      return a.isSigned() || b.isSigned() ? ANY_INTEGER : ValueType.UINT64;
    }
    return ValueType.INT64;
  }

  private static ValueType floating(ValueType a, ValueType b) {
    if (a.is(Kind.DECIMAL) || b.is(Kind.DECIMAL) || isDouble(a) || isDouble(b)) {
      return ValueType.FLOAT64;
    }
    return a.equals(b) ? a : ValueType.FLOAT32;
  }

  private static boolean isDouble(ValueType type) {
    return type.arrow() instanceof ArrowType.FloatingPoint f
        && f.getPrecision() == FloatingPointPrecision.DOUBLE;
  }

  /** The decimal type that holds an integer type; a decimal type itself. */
  static ValueType toDecimal(ValueType type) {
    return type.is(Kind.DECIMAL) ? type : ANY_INTEGER;
  }

  private static ValueType decimal(ValueType a, ValueType b) {
    ArrowType.Decimal x = (ArrowType.Decimal) a.arrow();
    ArrowType.Decimal y = (ArrowType.Decimal) b.arrow();
    int scale = Math.max(x.getScale(), y.getScale());
    int whole = Math.max(x.getPrecision() - x.getScale(), y.getPrecision() - y.getScale());
    return ValueType.decimal(Math.min(76, whole + scale), scale);
  }

  /** Whether values of both types are compared as they are held, without a cast. */
  static boolean sameForm(ValueType a, ValueType b) {
    if (!a.is(b.kind())) {
      return false;
    }
    return switch (a.kind()) {
      case STRING, BINARY, BOOLEAN, DECIMAL, NULL -> true;
      case TIME, TIMESTAMP, DURATION -> a.unit() == b.unit();
      case INTEGER, FLOAT, DATE, LIST, STRUCT, OTHER -> a.equals(b);
    };
  }
}
