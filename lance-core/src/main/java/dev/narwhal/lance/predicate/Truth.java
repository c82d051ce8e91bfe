package dev.narwhal.lance.predicate;

import org.jspecify.annotations.Nullable;

/**
 * Three-valued booleans as two sets of rows: those that are true and those that are false. A row in
 * neither is null; none is in both.
 */
final class Truth implements Values {
  private final long[] trues;
  private final long[] falses;

  Truth(long[] trues, long[] falses) {
    this.trues = trues;
    this.falses = falses;
  }

  /** True where {@code matches} says so, false elsewhere, null where not {@code valid}. */
  static Truth of(long[] matches, long[] valid) {
    return new Truth(Bits.and(matches, valid), Bits.andNot(valid, matches));
  }

  /** One value for each row. */
  static Truth constant(@Nullable Boolean value, int rows) {
    long[] none = new long[Bits.words(rows)];
    if (value == null) {
      return new Truth(none, none);
    }
    return value ? new Truth(Bits.ones(rows), none) : new Truth(none, Bits.ones(rows));
  }

  static Truth of(@Nullable Object[] boxed) {
    long[] trues = new long[Bits.words(boxed.length)];
    long[] falses = new long[trues.length];
    for (int row = 0; row < boxed.length; row++) {
      Object value = boxed[row];
      if (value != null) {
        Bits.set(value.equals(true) ? trues : falses, row);
      }
    }
    return new Truth(trues, falses);
  }

  long[] trues() {
    return trues;
  }

  long[] falses() {
    return falses;
  }

  Truth and(Truth other) {
    return new Truth(Bits.and(trues, other.trues), Bits.or(falses, other.falses));
  }

  Truth or(Truth other) {
    return new Truth(Bits.or(trues, other.trues), Bits.and(falses, other.falses));
  }

  Truth not() {
    return new Truth(/* trues= */ falses, /* falses= */ trues);
  }

  @Override
  public long[] valid() {
    return Bits.or(trues, falses);
  }

  @Override
  public Object get(int row) {
    return Bits.get(trues, row);
  }
}
