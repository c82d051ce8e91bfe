package dev.narwhal.lance.predicate;

import org.jspecify.annotations.Nullable;

/** Integers. Where a row is null its {@code long} means nothing. */
final class LongValues implements Values {
  private final long[] values;
  private final long[] valid;

  LongValues(long[] values, long[] valid) {
    this.values = values;
    this.valid = valid;
  }

  static LongValues of(@Nullable Object[] boxed) {
    long[] values = new long[boxed.length];
    for (int row = 0; row < boxed.length; row++) {
      Object value = boxed[row];
      values[row] = value == null ? 0 : (long) value;
    }
    return new LongValues(values, Values.present(boxed));
  }

  long[] values() {
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
