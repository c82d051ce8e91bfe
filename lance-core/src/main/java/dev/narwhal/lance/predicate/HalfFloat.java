package dev.narwhal.lance.predicate;

import org.apache.arrow.memory.util.Float16;

/** IEEE 754 binary16 values as doubles. */
final class HalfFloat {
  private HalfFloat() {}

  static double toDouble(short bits) {
    return Float16.toFloat(bits);
  }

  /** The nearest half float; infinity past 65,504. */
  static double round(double value) {
    return Float16.toFloat(Float16.toFloat16((float) value));
  }
}
