package dev.narwhal.lance.predicate;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Functions on numbers: a {@link Long}, a {@link Double} or a {@link BigDecimal}. */
final class MathFunctions {
  private MathFunctions() {}

  static double real(@Nullable Object value) {
    return (double) present(value);
  }

  static long integer(@Nullable Object value) {
    return (long) present(value);
  }

  static Object present(@Nullable Object value) {
    return Objects.requireNonNull(value, "argument");
  }

  static Object abs(@Nullable Object[] a) {
    Object x = present(a[0]);
    if (x instanceof Long number) {
      if (number == Long.MIN_VALUE) {
        throw new ArithmeticException("overflow of abs(" + number + ")");
      }
      return Math.abs(number);
    }
    return x instanceof BigDecimal number ? number.abs() : Math.abs((double) x);
  }

  static Object negate(@Nullable Object[] a) {
    Object x = present(a[0]);
    if (x instanceof Long number) {
      if (number == Long.MIN_VALUE) {
        throw new ArithmeticException("overflow of -(" + number + ")");
      }
      return -number;
    }
    return x instanceof BigDecimal number ? number.negate() : -(double) x;
  }

  /** Of two integers, not negative; of 0 and x it is x. */
  static Object greatestDivisor(@Nullable Object[] a) {
    BigInteger divisor = BigInteger.valueOf(integer(a[0])).gcd(BigInteger.valueOf(integer(a[1])));
    return divisor.longValueExact();
  }

  static Object ceil(@Nullable Object[] a) {
    return rounded(present(a[0]), RoundingMode.CEILING);
  }

  static Object floor(@Nullable Object[] a) {
    return rounded(present(a[0]), RoundingMode.FLOOR);
  }

  static Object trunc(@Nullable Object[] a) {
    return rounded(present(a[0]), RoundingMode.DOWN);
  }

  /** To a whole number; a decimal keeps its scale. */
  private static Object rounded(Object x, RoundingMode mode) {
    if (x instanceof BigDecimal number) {
      return number.setScale(0, mode).setScale(number.scale());
    }
    if (x instanceof Double number) {
      return switch (mode) {
        case CEILING -> Math.ceil(number);
        case FLOOR -> Math.floor(number);
        default -> number < 0 ? Math.ceil(number) : Math.floor(number);
      };
    }
    return x;
  }

  /** Half away from zero, to a number of digits after the point (before it, if negative). */
  static Object round(@Nullable Object[] a) {
    Object x = present(a[0]);
    long digits = a.length == 2 ? integer(a[1]) : 0;
    if (digits < -400 || digits > 400) {
      throw new IllegalArgumentException("round to " + digits + " digits");
    }
    if (x instanceof BigDecimal number) {
      return number
          .setScale((int) Math.min(digits, number.scale()), RoundingMode.HALF_UP)
          .setScale(number.scale());
    }
    if (x instanceof Long number) {
      return digits >= 0
          ? number
          : (Object)
              BigDecimal.valueOf(number)
                  .setScale((int) digits, RoundingMode.HALF_UP)
                  .longValueExact();
    }
    double number = (double) x;
    if (!Double.isFinite(number) || number == 0) {
      return number;
    }
    BigDecimal exact =
        new BigDecimal(Double.toString(number)).setScale((int) digits, RoundingMode.HALF_UP);
    return Math.copySign(exact.doubleValue(), number);
  }

  /** -1, 0 or 1 of the argument's type. */
  static Object sign(@Nullable Object[] a) {
    Object x = present(a[0]);
    if (x instanceof Long number) {
      return (long) Long.signum(number);
    }
    if (x instanceof BigDecimal number) {
      return BigDecimal.valueOf(number.signum()).setScale(number.scale());
    }
    return Math.signum((double) x);
  }

  static Object power(@Nullable Object[] a) {
    return Math.pow(real(a[0]), real(a[1]));
  }

  /** To base 10, or to the base that comes first. */
  static Object log(@Nullable Object[] a) {
    return a.length == 1 ? Math.log10(real(a[0])) : Math.log(real(a[1])) / Math.log(real(a[0]));
  }

  static Object isNan(@Nullable Object[] a) {
    return Double.isNaN(real(a[0]));
  }

  static Object nanvl(@Nullable Object[] a) {
    return Double.isNaN(real(a[0])) ? real(a[1]) : real(a[0]);
  }
}
