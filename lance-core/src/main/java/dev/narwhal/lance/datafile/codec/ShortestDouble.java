package dev.narwhal.lance.datafile.codec;

import java.math.BigDecimal;
import java.math.MathContext;

/**
 * Float64 as text with the fewest digits that tell it from its neighbours, in the form that Rust
 * writers of JSON use: {@code 100.0}, {@code 0.00001}, {@code 1e-6}, {@code 1.5e+16}. {@link
 * Double#toString} has another form, and before Java 19 too many digits for some values.
 */
final class ShortestDouble {
  /** So many digits every decimal keeps on its way through a normal double. */
  private static final int SAFE_DIGITS = 15;

  private static final int MAX_DIGITS = 17;

  private static final int MAX_FIXED_EXPONENT = 15;
  private static final int MIN_FIXED_EXPONENT = -5;

  private ShortestDouble() {}

  /**
   * @param value finite
   */
  static String text(double value) {
    String sign = Double.doubleToRawLongBits(value) < 0 ? "-" : "";
    double magnitude = Math.abs(value);
    if (magnitude == 0) {
      return sign + "0.0";
    }
    BigDecimal shortest = shortest(magnitude).stripTrailingZeros();
    String digits = shortest.unscaledValue().toString();
    int exponent = digits.length() - 1 - shortest.scale();
    return sign + layOut(digits, exponent);
  }

  private static BigDecimal shortest(double magnitude) {
    BigDecimal exact = new BigDecimal(magnitude);
    for (int digits = magnitude < Double.MIN_NORMAL ? 1 : SAFE_DIGITS;
        digits < MAX_DIGITS;
        digits++) {
      BigDecimal rounded = exact.round(new MathContext(digits));
      if (rounded.doubleValue() == magnitude) {
        return rounded;
      }
    }
    return exact.round(new MathContext(MAX_DIGITS));
  }

  /**
   * @param exponent power of ten of the first digit
   */
  private static String layOut(String digits, int exponent) {
    int count = digits.length();
    if (exponent > MAX_FIXED_EXPONENT || exponent < MIN_FIXED_EXPONENT) {
      String fraction = count == 1 ? "" : "." + digits.substring(1);
      return digits.charAt(0) + fraction + (exponent < 0 ? "e" : "e+") + exponent;
    }
    if (exponent < 0) {
      return "0." + "0".repeat(-exponent - 1) + digits;
    }
    if (count <= exponent + 1) {
      return digits + "0".repeat(exponent + 1 - count) + ".0";
    }
    return digits.substring(0, exponent + 1) + "." + digits.substring(exponent + 1);
  }
}
