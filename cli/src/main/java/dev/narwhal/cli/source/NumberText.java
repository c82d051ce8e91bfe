package dev.narwhal.cli.source;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Optional;

/**
 * A number as it is written. It becomes a value only where it is known what the column can hold:
 * eight characters can stand for a number of a billion digits, and no {@link BigDecimal} keeps the
 * sign of {@code -0.0}.
 *
 * @param text a decimal number: digits with or without a sign, a point and an exponent
 */
public record NumberText(String text) {
  /** No type holds a number that needs more characters than this. */
  private static final int MAX_LENGTH = 1000;

  /** Integers of as many digits are all told apart by a double. */
  private static final int DOUBLE_DIGITS = 15;

  /** As many digits are a long whatever they are. */
  private static final int LONG_DIGITS = 18;

  public NumberText {
    if (!isNumber(text)) {
      throw new IllegalArgumentException("no number: " + text);
    }
  }

  /** The number, if the text is one. */
  static Optional<NumberText> of(String text) {
    return isNumber(text) ? Optional.of(new NumberText(text)) : Optional.empty();
  }

  private static boolean isNumber(String text) {
    int start = afterSign(text, 0);
    int point = afterDigits(text, start);
    int end = point;
    if (point < text.length() && text.charAt(point) == '.') {
      end = afterDigits(text, point + 1);
    }
    boolean hasDigits = point > start || end > point + 1;
    if (end < text.length() && (text.charAt(end) == 'e' || text.charAt(end) == 'E')) {
      int exponent = afterSign(text, end + 1);
      end = afterDigits(text, exponent);
      hasDigits &= end > exponent;
    }
    return hasDigits && end == text.length();
  }

  private static int afterSign(String text, int at) {
    return at < text.length() && (text.charAt(at) == '-' || text.charAt(at) == '+') ? at + 1 : at;
  }

  private static int afterDigits(String text, int at) {
    int end = at;
    while (end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
      end++;
    }
    return end;
  }

  /** Whether it is written as an integer: without a point and an exponent. */
  boolean isWhole() {
    return afterDigits(text, afterSign(text, 0)) == text.length();
  }

  /** The integer that is written; empty when it is none, or one of very many digits. */
  Optional<BigInteger> whole() {
    if (!isWhole() || text.length() > MAX_LENGTH) {
      return Optional.empty();
    }
    return Optional.of(
        text.length() <= LONG_DIGITS
            ? BigInteger.valueOf(Long.parseLong(text))
            : new BigInteger(text));
  }

  /** Whether it is written as an integer in [-2^63, 2^63). */
  public boolean isLong() {
    return whole().filter(value -> value.bitLength() < Long.SIZE).isPresent();
  }

  /**
   * The integer that is written.
   *
   * @throws ArithmeticException when {@link #isLong} is false
   */
  public long longValue() {
    return whole()
        .orElseThrow(() -> new ArithmeticException("no integer of 64 bits: " + text))
        .longValueExact();
  }

  /** The nearest double; an infinity for what is larger than all. */
  public double doubleValue() {
    return Double.parseDouble(text);
  }

  /** The nearest float; an infinity for what is larger than all. */
  public float floatValue() {
    return Float.parseFloat(text);
  }

  /** Whether a double holds just this number. */
  boolean isExactDouble() {
    if (isWhole() && text.length() <= DOUBLE_DIGITS) {
      return true;
    }
    double nearest = doubleValue();
    return Double.isFinite(nearest)
        && exact().filter(value -> value.compareTo(new BigDecimal(nearest)) == 0).isPresent();
  }

  /** Its value for a decimal column; empty when the column cannot hold just this number. */
  public Optional<BigDecimal> decimal(int precision, int scale) {
    return exact().flatMap(value -> fit(value, precision, scale));
  }

  /** All of it, its exponent still one; empty when it is longer than any number of use. */
  private Optional<BigDecimal> exact() {
    try {
      return text.length() > MAX_LENGTH ? Optional.empty() : Optional.of(new BigDecimal(text));
    } catch (NumberFormatException e) {
      return Optional.empty(); // an exponent beyond 32 bits
    }
  }

  /**
   * A number with so many digits after the point; empty when it has more, or needs more digits than
   * {@code precision}. Its size is looked at before any digit is added.
   */
  static Optional<BigDecimal> fit(BigDecimal value, int precision, int scale) {
    if (value.signum() == 0) {
      return Optional.of(BigDecimal.ZERO.setScale(scale));
    }
    long digitsBeforePoint = (long) value.precision() - value.scale();
    if (digitsBeforePoint > (long) precision - scale) {
      return Optional.empty();
    }
    BigDecimal bare = value.scale() > scale ? value.stripTrailingZeros() : value;
    return bare.scale() > scale ? Optional.empty() : Optional.of(bare.setScale(scale));
  }

  /** As it is written. */
  @Override
  public String toString() {
    return text;
  }
}
