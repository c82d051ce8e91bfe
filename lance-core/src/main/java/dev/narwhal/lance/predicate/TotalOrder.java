package dev.narwhal.lance.predicate;

/**
 * Floats in IEEE 754 total order, as real Lance compares them, also for equality: {@code -NaN <
 * -inf < .. < -0.0 < 0.0 < .. < inf < NaN}.
 */
final class TotalOrder {
  private TotalOrder() {}

  /** A signed integer that is ordered as the float is, and equal if just its bits are. */
  static long key(double value) {
    long bits = Double.doubleToRawLongBits(value);
    return bits ^ ((bits >> 63) & Long.MAX_VALUE);
  }
}
