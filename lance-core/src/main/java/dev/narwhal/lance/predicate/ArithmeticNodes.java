package dev.narwhal.lance.predicate;

import dev.narwhal.lance.error.PredicateEvaluationException;
import dev.narwhal.lance.predicate.Expression.Arithmetic;
import dev.narwhal.lance.predicate.ValueType.Kind;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.jspecify.annotations.Nullable;

/**
 * Arithmetic on whole batches. What overflows is collected as bits and looked at once for 64 rows,
 * and counts only where both operands are there and the row still matters.
 */
final class ArithmeticNodes {
  private ArithmeticNodes() {}

  static Node of(Arithmetic arithmetic) {
    Node left = Evaluator.node(arithmetic.left());
    Node right = Evaluator.node(arithmetic.right());
    ValueType type = arithmetic.type();
    if (type.is(Kind.DECIMAL)) {
      return batch -> decimals(arithmetic, left.evaluate(batch), right.evaluate(batch), batch);
    }
    if (type.is(Kind.FLOAT)) {
      boolean single = !type.equals(ValueType.FLOAT64);
      return batch ->
          doubles(
              arithmetic.operator(),
              (DoubleValues) left.evaluate(batch),
              (DoubleValues) right.evaluate(batch),
              single);
    }
    return batch ->
        longs(
            arithmetic,
            (LongValues) left.evaluate(batch),
            (LongValues) right.evaluate(batch),
            batch);
  }

  private static Values longs(
      Arithmetic arithmetic, LongValues left, LongValues right, Batch batch) {
    long[] a = left.values();
    long[] b = right.values();
    long[] result = new long[a.length];
    long[] valid = Bits.and(left.valid(), right.valid());
    long[] counted = Bits.and(valid, batch.active());
    boolean unsigned = arithmetic.type().isUnsigned64();
    for (int w = 0; w < valid.length; w++) {
      int first = w << 6;
      int count = Math.min(64, a.length - first);
      long bad =
          unsigned
              ? unsignedBlock(arithmetic.operator(), a, b, result, first, count, counted[w])
              : signedBlock(arithmetic.operator(), a, b, result, first, count, counted[w]);
      bad &= counted[w];
      if (bad != 0) {
        int row = first + Long.numberOfTrailingZeros(bad);
        throw failure(arithmetic, row, text(a[row], unsigned), text(b[row], unsigned));
      }
    }
    return new LongValues(result, valid);
  }

  private static String text(long value, boolean unsigned) {
    return unsigned ? Long.toUnsignedString(value) : Long.toString(value);
  }

  private static PredicateEvaluationException failure(
      Arithmetic arithmetic, int row, String left, String right) {
    boolean division =
        arithmetic.operator() == ArithmeticOperator.DIVIDE
            || arithmetic.operator() == ArithmeticOperator.MODULO;
    boolean zero = division && new BigDecimal(right).signum() == 0;
    String reason =
        zero
            ? "division by zero"
            : "overflow of "
                + left
                + " "
                + arithmetic.operator().symbol()
                + " "
                + right
                + " as "
                + arithmetic.type();
    return new PredicateEvaluationException(reason, arithmetic.toString(), row);
  }

  /** Results of up to 64 rows; the bits of those that have none. */
  private static long signedBlock(
      ArithmeticOperator operator,
      long[] a,
      long[] b,
      long[] r,
      int first,
      int count,
      long counted) {
    long bad = 0;
    switch (operator) {
      case ADD -> {
        for (int i = 0; i < count; i++) {
          long x = a[first + i];
          long y = b[first + i];
          long z = x + y;
          r[first + i] = z;
          bad |= (((x ^ z) & (y ^ z)) >>> 63) << i;
        }
      }
      case SUBTRACT -> {
        for (int i = 0; i < count; i++) {
          long x = a[first + i];
          long y = b[first + i];
          long z = x - y;
          r[first + i] = z;
          bad |= (((x ^ y) & (x ^ z)) >>> 63) << i;
        }
      }
      case MULTIPLY -> {
        for (int i = 0; i < count; i++) {
          long x = a[first + i];
          long y = b[first + i];
          long z = x * y;
          r[first + i] = z;
          bad |= (Math.multiplyHigh(x, y) == (z >> 63) ? 0L : 1L) << i;
        }
      }
      case DIVIDE, MODULO -> {
        for (int i = 0; i < count; i++) {
          long x = a[first + i];
          long y = b[first + i];
          if (y == 0 || (x == Long.MIN_VALUE && y == -1)) {
            boolean exact = y == -1 && operator == ArithmeticOperator.MODULO;
            bad |= (exact ? 0L : 1L) << i;
          } else if (((counted >>> i) & 1) != 0) {
            r[first + i] = operator == ArithmeticOperator.DIVIDE ? x / y : x % y;
          }
        }
      }
    }
    return bad;
  }

  private static long unsignedBlock(
      ArithmeticOperator operator,
      long[] a,
      long[] b,
      long[] r,
      int first,
      int count,
      long counted) {
    long bad = 0;
    for (int i = 0; i < count; i++) {
      long x = a[first + i];
      long y = b[first + i];
      boolean fails;
      switch (operator) {
        case ADD -> {
          r[first + i] = x + y;
          fails = Long.compareUnsigned(x + y, x) < 0;
        }
        case SUBTRACT -> {
          r[first + i] = x - y;
          fails = Long.compareUnsigned(x, y) < 0;
        }
        case MULTIPLY -> {
          r[first + i] = x * y;
          fails = Math.multiplyHigh(x, y) + ((x >> 63) & y) + ((y >> 63) & x) != 0;
        }
        case DIVIDE, MODULO -> {
          fails = y == 0;
          if (!fails && ((counted >>> i) & 1) != 0) {
            r[first + i] =
                operator == ArithmeticOperator.DIVIDE
                    ? Long.divideUnsigned(x, y)
                    : Long.remainderUnsigned(x, y);
          }
        }
        default -> throw new IllegalStateException("operator " + operator);
      }
      bad |= (fails ? 1L : 0L) << i;
    }
    return bad;
  }

  /** IEEE 754: nothing fails, a division by zero is infinite or NaN. */
  private static Values doubles(
      ArithmeticOperator operator, DoubleValues left, DoubleValues right, boolean single) {
    double[] a = left.values();
    double[] b = right.values();
    double[] r = new double[a.length];
    switch (operator) {
      case ADD -> {
        for (int i = 0; i < r.length; i++) {
          r[i] = a[i] + b[i];
        }
      }
      case SUBTRACT -> {
        for (int i = 0; i < r.length; i++) {
          r[i] = a[i] - b[i];
        }
      }
      case MULTIPLY -> {
        for (int i = 0; i < r.length; i++) {
          r[i] = a[i] * b[i];
        }
      }
      case DIVIDE -> {
        for (int i = 0; i < r.length; i++) {
          r[i] = a[i] / b[i];
        }
      }
      case MODULO -> {
        for (int i = 0; i < r.length; i++) {
          r[i] = a[i] % b[i];
        }
      }
    }
    // One rounding after an exact-enough double gives what float arithmetic gives.
    for (int i = 0; single && i < r.length; i++) {
      r[i] = (float) r[i];
    }
    return new DoubleValues(r, Bits.and(left.valid(), right.valid()));
  }

  private static Values decimals(Arithmetic arithmetic, Values left, Values right, Batch batch) {
    ArrowType.Decimal type = (ArrowType.Decimal) arithmetic.type().arrow();
    long[] counted = Bits.and(Bits.and(left.valid(), right.valid()), batch.active());
    @Nullable Object[] result = new Object[batch.rows()];
    for (int row = 0; row < result.length; row++) {
      if (Bits.get(counted, row)) {
        BigDecimal a = (BigDecimal) left.get(row);
        BigDecimal b = (BigDecimal) right.get(row);
        boolean division =
            arithmetic.operator() == ArithmeticOperator.DIVIDE
                || arithmetic.operator() == ArithmeticOperator.MODULO;
        if (division && b.signum() == 0) {
          throw failure(arithmetic, row, a.toString(), b.toString());
        }
        BigDecimal value =
            decimal(arithmetic.operator(), a, b, type.getScale())
                .setScale(type.getScale(), RoundingMode.DOWN);
        if (value.precision() > type.getPrecision()) {
          throw failure(arithmetic, row, a.toString(), b.toString());
        }
        result[row] = value;
      }
    }
    return new BoxedValues(result);
  }

  private static BigDecimal decimal(
      ArithmeticOperator operator, BigDecimal a, BigDecimal b, int scale) {
    return switch (operator) {
      case ADD -> a.add(b);
      case SUBTRACT -> a.subtract(b);
      case MULTIPLY -> a.multiply(b);
      // digits past the scale are dropped, as real Lance does: 2.00 / 3 is 0.666666
      case DIVIDE -> a.divide(b, scale, RoundingMode.DOWN);
      case MODULO -> a.remainder(b);
    };
  }
}
