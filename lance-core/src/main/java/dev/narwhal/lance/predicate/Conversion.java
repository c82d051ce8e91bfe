package dev.narwhal.lance.predicate;

import dev.narwhal.lance.predicate.ValueType.Kind;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.jspecify.annotations.Nullable;

/**
 * {@code CAST} of one value, of the classes that {@link Expression.Literal} lists.
 *
 * <p>As in real Lance 7.0.0: a float or decimal becomes an integer by dropping its fraction and a
 * decimal of fewer digits by rounding half up; a boolean is 1 or 0 and a number is true unless it
 * is 0; a date or time as an integer is its count of units; a value that the target does not hold,
 * or text that does not read as it, is an error.
 */
final class Conversion {
  private static final Set<String> TRUE_WORDS = Set.of("true", "t", "yes", "y", "on", "1");
  private static final Set<String> FALSE_WORDS = Set.of("false", "f", "no", "n", "off", "0");

  private static final Map<String, Double> SPECIAL_NUMBERS =
      Map.of(
          "nan", Double.NaN,
          "inf", Double.POSITIVE_INFINITY,
          "+inf", Double.POSITIVE_INFINITY,
          "infinity", Double.POSITIVE_INFINITY,
          "+infinity", Double.POSITIVE_INFINITY,
          "-inf", Double.NEGATIVE_INFINITY,
          "-infinity", Double.NEGATIVE_INFINITY);

  private Conversion() {}

  /**
   * How values of one type become values of another. The result throws {@link ArithmeticException}
   * or {@link IllegalArgumentException}, saying why a value has no counterpart.
   *
   * @return empty if no value has one
   */
  static Optional<UnaryOperator<Object>> between(ValueType from, ValueType to) {
    if (from.equals(to)) {
      return Optional.of(value -> value);
    }
    UnaryOperator<Object> found =
        switch (to.kind()) {
          case BOOLEAN -> toBoolean(from);
          case INTEGER -> toInteger(from, to);
          case FLOAT -> toFloat(from, to);
          case DECIMAL -> toDecimal(from, to);
          case STRING -> toText(from);
          case BINARY -> toBinary(from);
          case DATE -> toDate(from, to);
          case TIME -> toTime(from, to);
          case TIMESTAMP -> toTimestamp(from, to);
          case DURATION -> from.is(Kind.DURATION) ? rescale(from, to) : null;
          case LIST -> toList(from, to);
          case NULL, STRUCT, OTHER -> null;
        };
    return Optional.ofNullable(found);
  }

  /** Item by item. */
  private static @Nullable UnaryOperator<Object> toList(ValueType from, ValueType to) {
    if (!from.is(Kind.LIST)) {
      return null;
    }
    boolean empty = from.item().is(Kind.NULL); // items that are all null, or none
    Optional<UnaryOperator<Object>> item =
        empty ? Optional.of(value -> value) : between(from.item(), to.item());
    return item.<UnaryOperator<Object>>map(one -> list -> list((List<?>) list, one, to))
        .orElse(null);
  }

  private static Object list(List<?> items, UnaryOperator<Object> conversion, ValueType to) {
    if (to.arrow() instanceof ArrowType.FixedSizeList fixed
        && items.size() != fixed.getListSize()) {
      throw new IllegalArgumentException(
          "a list of " + items.size() + " items, not of " + fixed.getListSize());
    }
    List<Object> converted = new ArrayList<>(items.size());
    for (Object item : items) {
      Optional<?> value = (Optional<?>) item;
      if (value.isEmpty() && !to.children().get(0).isNullable()) {
        throw new IllegalArgumentException("a null in a list whose items are not nullable");
      }
      converted.add(value.map(conversion));
    }
    return converted;
  }

  private static @Nullable UnaryOperator<Object> toBoolean(ValueType from) {
    return switch (from.kind()) {
      case INTEGER -> value -> (long) value != 0;
      case FLOAT -> value -> (double) value != 0;
      case STRING -> value -> parseBoolean((String) value);
      case BOOLEAN -> value -> value;
      case NULL, DECIMAL, BINARY, DATE, TIME, TIMESTAMP, DURATION, LIST, STRUCT, OTHER -> null;
    };
  }

  private static Object parseBoolean(String text) {
    String word = text.toLowerCase(Locale.ROOT);
    if (!TRUE_WORDS.contains(word) && !FALSE_WORDS.contains(word)) {
      throw new IllegalArgumentException("'" + text + "' is neither true nor false");
    }
    return TRUE_WORDS.contains(word);
  }

  private static @Nullable UnaryOperator<Object> toInteger(ValueType from, ValueType to) {
    return switch (from.kind()) {
      case BOOLEAN -> value -> value.equals(true) ? 1L : 0L;
      case INTEGER -> value -> inRange(LiteralCoercion.toBig(value, from), to);
      case FLOAT -> value -> inRange(truncate((double) value, to), to);
      case DECIMAL -> value -> inRange(((BigDecimal) value).toBigInteger(), to);
      case STRING -> value -> inRange(parseInteger((String) value), to);
      case DATE, TIME, TIMESTAMP, DURATION ->
          value -> inRange(BigInteger.valueOf((long) value), to);
      case NULL, BINARY, LIST, STRUCT, OTHER -> null;
    };
  }

  private static BigInteger truncate(double value, ValueType to) {
    if (!Double.isFinite(value)) {
      throw new ArithmeticException(number(value, false) + " is not a " + to);
    }
    return new BigDecimal(value).toBigInteger();
  }

  private static BigInteger parseInteger(String text) {
    boolean signed = text.startsWith("-") || text.startsWith("+");
    String digits = signed ? text.substring(1) : text;
    boolean valid = !digits.isEmpty() && digits.length() <= 100;
    for (int i = 0; valid && i < digits.length(); i++) {
      valid = digits.charAt(i) >= '0' && digits.charAt(i) <= '9';
    }
    if (!valid) {
      throw new IllegalArgumentException("'" + text + "' is not an integer");
    }
    BigInteger value = new BigInteger(digits);
    return text.startsWith("-") ? value.negate() : value;
  }

  private static Object inRange(BigInteger value, ValueType to) {
    ArrowType.Int type = (ArrowType.Int) to.arrow();
    int bits = type.getBitWidth();
    boolean fits =
        type.getIsSigned()
            ? value.bitLength() < bits
            : value.signum() >= 0 && value.bitLength() <= bits;
    if (!fits) {
      throw new ArithmeticException(value + " is out of the range of " + to);
    }
    return value.longValue();
  }

  private static @Nullable UnaryOperator<Object> toFloat(ValueType from, ValueType to) {
    UnaryOperator<Object> narrow = narrow(to);
    return switch (from.kind()) {
      case BOOLEAN -> value -> value.equals(true) ? 1.0 : 0.0;
      case INTEGER ->
          from.isUnsigned64()
              ? value -> narrow.apply(LiteralCoercion.toBig(value, from).doubleValue())
              : value -> narrowLong((long) value, to);
      case FLOAT -> narrow;
      case DECIMAL -> value -> narrow.apply(((BigDecimal) value).doubleValue());
      case STRING -> value -> narrow.apply(parseDouble((String) value));
      case NULL, BINARY, DATE, TIME, TIMESTAMP, DURATION, LIST, STRUCT, OTHER -> null;
    };
  }

  private static FloatingPointPrecision precision(ValueType type) {
    return ((ArrowType.FloatingPoint) type.arrow()).getPrecision();
  }

  private static UnaryOperator<Object> narrow(ValueType to) {
    return switch (precision(to)) {
      case DOUBLE -> value -> value;
      case SINGLE -> value -> (double) (float) (double) value;
      case HALF -> value -> HalfFloat.round((double) value);
    };
  }

  private static Object narrowLong(long value, ValueType to) {
    return switch (precision(to)) {
      case DOUBLE -> (double) value;
      case SINGLE -> (double) (float) value;
      case HALF -> HalfFloat.round((double) value);
    };
  }

  private static double parseDouble(String text) {
    Double special = SPECIAL_NUMBERS.get(text.toLowerCase(Locale.ROOT));
    if (special != null) {
      return special;
    }
    boolean plain = !text.isEmpty() && text.length() <= 400;
    for (int i = 0; plain && i < text.length(); i++) {
      plain = "0123456789+-.eE".indexOf(text.charAt(i)) >= 0;
    }
    if (plain) {
      try {
        return Double.parseDouble(text);
      } catch (NumberFormatException e) {
        // reported below
      }
    }
    throw new IllegalArgumentException("'" + text + "' is not a number");
  }

  private static @Nullable UnaryOperator<Object> toDecimal(ValueType from, ValueType to) {
    return switch (from.kind()) {
      case INTEGER -> value -> fit(new BigDecimal(LiteralCoercion.toBig(value, from)), to);
      case FLOAT ->
          value -> {
            if (!Double.isFinite((double) value)) {
              throw new ArithmeticException(number((double) value, false) + " is not a " + to);
            }
            return fit(LiteralCoercion.toDecimal(value, from).orElseThrow(), to);
          };
      case DECIMAL -> value -> fit((BigDecimal) value, to);
      case STRING -> value -> fit(parseDecimal((String) value), to);
      case NULL, BOOLEAN, BINARY, DATE, TIME, TIMESTAMP, DURATION, LIST, STRUCT, OTHER -> null;
    };
  }

  private static BigDecimal parseDecimal(String text) {
    try {
      if (text.length() <= 400) {
        BigDecimal value = new BigDecimal(text);
        if (Math.abs((long) value.scale()) <= 1000) {
          return value;
        }
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw new IllegalArgumentException("'" + text + "' is not a decimal");
  }

  /** Rounds half up to the type's scale. */
  static BigDecimal fit(BigDecimal value, ValueType to) {
    ArrowType.Decimal type = (ArrowType.Decimal) to.arrow();
    BigDecimal rounded = value.setScale(type.getScale(), RoundingMode.HALF_UP);
    if (rounded.precision() > type.getPrecision()) {
      throw new ArithmeticException(value.toPlainString() + " is out of the range of " + to);
    }
    return rounded;
  }

  private static @Nullable UnaryOperator<Object> toText(ValueType from) {
    return switch (from.kind()) {
      case BOOLEAN -> String::valueOf;
      case INTEGER -> value -> LiteralCoercion.toBig(value, from).toString();
      case FLOAT ->
          value -> number((double) value, precision(from) != FloatingPointPrecision.DOUBLE);
      case DECIMAL -> value -> ((BigDecimal) value).toPlainString();
      case STRING -> value -> value;
      case BINARY -> value -> utf8((ByteBuffer) value);
      case DATE, TIME, TIMESTAMP -> value -> TemporalText.format((long) value, from);
      case NULL, DURATION, LIST, STRUCT, OTHER -> null;
    };
  }

  private static Object utf8(ByteBuffer bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes.duplicate()).toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("the bytes are not UTF-8", e);
    }
  }

  /**
   * Shortest text of a float as real Lance writes it: {@code 1.0}, {@code 0.1}, {@code 1e20},
   * {@code NaN}, {@code inf}.
   */
  static String number(double value, boolean single) {
    if (Double.isNaN(value)) {
      return "NaN";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "inf" : "-inf";
    }
    if (value == 0) {
      return 1 / value > 0 ? "0.0" : "-0.0";
    }
    String shortest = single ? Float.toString((float) value) : Double.toString(value);
    BigDecimal exact = new BigDecimal(shortest).stripTrailingZeros();
    int point = exact.precision() - exact.scale();
    if (point > -5 && point <= 16) {
      return exact.scale() <= 0 ? exact.toPlainString() + ".0" : exact.toPlainString();
    }
    String digits = exact.unscaledValue().abs().toString();
    String fraction = digits.length() == 1 ? "" : "." + digits.substring(1);
    return (value < 0 ? "-" : "") + digits.charAt(0) + fraction + "e" + (point - 1);
  }

  private static @Nullable UnaryOperator<Object> toBinary(ValueType from) {
    return switch (from.kind()) {
      case STRING ->
          value ->
              ByteBuffer.wrap(((String) value).getBytes(StandardCharsets.UTF_8)).asReadOnlyBuffer();
      case BINARY -> value -> value;
      case NULL,
          BOOLEAN,
          INTEGER,
          FLOAT,
          DECIMAL,
          DATE,
          TIME,
          TIMESTAMP,
          DURATION,
          LIST,
          STRUCT,
          OTHER ->
          null;
    };
  }

  private static long dateFromDays(long days, ValueType to) {
    return to.unit() == TimeUnit.MILLISECOND
        ? Math.multiplyExact(days, 86_400_000L)
        : Math.toIntExact(days);
  }

  private static @Nullable UnaryOperator<Object> toDate(ValueType from, ValueType to) {
    return switch (from.kind()) {
      case INTEGER -> value -> inDateRange(LiteralCoercion.toBig(value, from), to);
      case STRING -> value -> dateFromDays(textOf(value, TemporalText::date).toEpochDay(), to);
      case DATE -> value -> dateFromDays(TemporalText.ofDate((long) value, from).toEpochDay(), to);
      case TIMESTAMP ->
          value ->
              dateFromDays(
                  Math.floorDiv((long) value, 86_400L * TemporalText.perSecond(from.unit())), to);
      case NULL, BOOLEAN, FLOAT, DECIMAL, BINARY, TIME, DURATION, LIST, STRUCT, OTHER -> null;
    };
  }

  private static Object inDateRange(BigInteger value, ValueType to) {
    return to.unit() == TimeUnit.MILLISECOND
        ? value.longValueExact()
        : (long) value.intValueExact();
  }

  /** A parse whose complaint begins with the text. */
  private static <T> T textOf(Object value, java.util.function.Function<String, T> parse) {
    try {
      return parse.apply((String) value);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("'" + value + "' " + e.getMessage(), e);
    }
  }

  private static @Nullable UnaryOperator<Object> toTime(ValueType from, ValueType to) {
    return switch (from.kind()) {
      case STRING ->
          value ->
              textOf(value, TemporalText::time).toNanoOfDay()
                  / (1_000_000_000L / TemporalText.perSecond(to.unit()));
      case TIME -> rescale(from, to);
      case TIMESTAMP ->
          value ->
              TemporalText.ofUnits((long) value, from.unit()).toLocalTime().toNanoOfDay()
                  / (1_000_000_000L / TemporalText.perSecond(to.unit()));
      case NULL, BOOLEAN, INTEGER, FLOAT, DECIMAL, BINARY, DATE, DURATION, LIST, STRUCT, OTHER ->
          null;
    };
  }

  private static @Nullable UnaryOperator<Object> toTimestamp(ValueType from, ValueType to) {
    return switch (from.kind()) {
      case INTEGER -> value -> LiteralCoercion.toBig(value, from).longValueExact();
      case STRING ->
          value -> TemporalText.toUnits(textOf(value, TemporalText::timestamp), to.unit());
      case DATE ->
          value ->
              Math.multiplyExact(
                  TemporalText.ofDate((long) value, from).toEpochDay(),
                  86_400L * TemporalText.perSecond(to.unit()));
      case TIMESTAMP -> rescale(from, to);
      case NULL, BOOLEAN, FLOAT, DECIMAL, BINARY, TIME, DURATION, LIST, STRUCT, OTHER -> null;
    };
  }

  /** From one unit to another, rounding down. */
  private static UnaryOperator<Object> rescale(ValueType from, ValueType to) {
    long finer = TemporalText.perSecond(to.unit());
    long coarser = TemporalText.perSecond(from.unit());
    return finer >= coarser
        ? value -> Math.multiplyExact((long) value, finer / coarser)
        : value -> Math.floorDiv((long) value, coarser / finer);
  }
}
