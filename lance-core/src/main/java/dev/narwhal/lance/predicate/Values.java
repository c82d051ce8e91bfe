package dev.narwhal.lance.predicate;

import org.jspecify.annotations.Nullable;

/**
 * What an expression is worth in each row of a batch. The form follows from the type: {@link Truth}
 * for booleans, {@link LongValues} for integers, dates, times and durations, {@link DoubleValues}
 * for floats, {@link ByteValues} for strings and binaries, {@link BoxedValues} for the rest. Never
 * altered once made.
 */
sealed interface Values permits Truth, LongValues, DoubleValues, ByteValues, BoxedValues {

  /** The rows that are not null. */
  long[] valid();

  /** The value of a row that is not null, of the class that {@link Expression.Literal} lists. */
  Object get(int row);

  /** The value of a row, or null. */
  default @Nullable Object orNull(int row) {
    return Bits.get(valid(), row) ? get(row) : null;
  }

  /** Values of a type from boxed ones. */
  static Values of(ValueType type, @Nullable Object[] boxed) {
    return switch (type.kind()) {
      case BOOLEAN -> Truth.of(boxed);
      case INTEGER, DATE, TIME, TIMESTAMP, DURATION -> LongValues.of(boxed);
      case FLOAT -> DoubleValues.of(boxed);
      case STRING, BINARY -> ByteValues.of(boxed, type.is(ValueType.Kind.STRING));
      case DECIMAL, LIST, NULL, STRUCT, OTHER -> new BoxedValues(boxed);
    };
  }

  /** The rows whose boxed value is there. */
  static long[] present(@Nullable Object[] boxed) {
    long[] valid = new long[Bits.words(boxed.length)];
    for (int row = 0; row < boxed.length; row++) {
      if (boxed[row] != null) {
        Bits.set(valid, row);
      }
    }
    return valid;
  }
}
