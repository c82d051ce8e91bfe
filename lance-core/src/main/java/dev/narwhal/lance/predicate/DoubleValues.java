package dev.narwhal.lance.predicate;

import org.jspecify.annotations.Nullable;

/** Floats of any width. Where a row is null its {@code double} means nothing. */
final class DoubleValues implements Values {
  private final double[] values;
  private final long[] valid;

  DoubleValues(double[] values, long[] valid) {
    this.values = values;
    this.valid = valid;
  }

  static DoubleValues of(@Nullable Object[] boxed) {
    double[] values = new double[boxed.length];
    for (int row = 0; row < boxed.length; row++) {
      Object value = boxed[row];
      values[row] = value == null ? 0 : (double) value;
    }
    return new DoubleValues(values, Values.present(boxed));
  }

  double[] values() {
    return values;
  }

  @Override
  public long[] valid() {
    return valid;
  }

  @Override
  public Object get(int row) {
    return values[row];
  }
}
