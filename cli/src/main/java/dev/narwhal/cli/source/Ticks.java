package dev.narwhal.cli.source;

import java.math.BigInteger;

/**
 * A time, or a point in time, as a count.
 *
 * @param count of units
 * @param nanosPerUnit 1 to a day's
 */
record Ticks(long count, long nanosPerUnit) {
  static final long NANOS_PER_DAY = 86_400_000_000_000L;

  /**
   * The same in another unit.
   *
   * @throws ArithmeticException when it is not whole, or does not fit a long
   */
  long in(long otherNanosPerUnit) {
    if (nanosPerUnit == otherNanosPerUnit) {
      return count;
    }
    BigInteger nanos = BigInteger.valueOf(count).multiply(BigInteger.valueOf(nanosPerUnit));
    BigInteger[] parts = nanos.divideAndRemainder(BigInteger.valueOf(otherNanosPerUnit));
    if (parts[1].signum() != 0) {
      throw new ArithmeticException("not a whole number of units");
    }
    return parts[0].longValueExact();
  }
}
