package dev.narwhal.lance.predicate;

import dev.narwhal.lance.error.PredicateEvaluationException;
import dev.narwhal.lance.predicate.Expression.Cast;
import dev.narwhal.lance.predicate.Expression.TryCast;
import dev.narwhal.lance.predicate.ValueType.Kind;
import java.time.DateTimeException;
import java.util.function.UnaryOperator;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.jspecify.annotations.Nullable;

/** Casts: between numbers in loops, of others value by value. */
final class CastNodes {
  private CastNodes() {}

  static Node of(Cast cast) {
    ValueType from = cast.operand().type();
    ValueType to = cast.type();
    Node operand = Evaluator.node(cast.operand());
    if (from.is(Kind.INTEGER) && to.is(Kind.INTEGER)) {
      return batch -> integers(cast, (LongValues) operand.evaluate(batch), batch);
    }
    if (from.is(Kind.INTEGER) && to.equals(ValueType.FLOAT64) && !from.isUnsigned64()) {
      return batch -> doubles((LongValues) operand.evaluate(batch));
    }
    if (from.is(Kind.FLOAT) && to.equals(ValueType.FLOAT64)) {
      return operand;
    }
    if (from.is(Kind.FLOAT) && to.is(Kind.FLOAT)) {
      return batch -> narrowed((DoubleValues) operand.evaluate(batch), to);
    }
    if (from.is(Kind.FLOAT) && to.is(Kind.INTEGER) && !to.isUnsigned64()) {
      return batch -> truncated(cast, (DoubleValues) operand.evaluate(batch), batch);
    }
    UnaryOperator<Object> conversion = conversion(from, to);
    if (to.is(Kind.BOOLEAN)) {
      Node.Condition condition =
          batch -> (Truth) boxed(cast, operand.evaluate(batch), conversion, batch);
      return condition;
    }
    return batch -> boxed(cast, operand.evaluate(batch), conversion, batch);
  }

  private static UnaryOperator<Object> conversion(ValueType from, ValueType to) {
    return Conversion.between(from, to)
        .orElseThrow(() -> new IllegalStateException("no cast from " + from + " to " + to));
  }

  /** Null where a cast fails. */
  static Node of(TryCast cast) {
    Node operand = Evaluator.node(cast.operand());
    UnaryOperator<Object> strict = conversion(cast.operand().type(), cast.type());
    if (cast.type().is(Kind.BOOLEAN)) {
      Node.Condition condition = batch -> (Truth) lenient(cast, operand, strict, batch);
      return condition;
    }
    return batch -> lenient(cast, operand, strict, batch);
  }

  private static Values lenient(
      TryCast cast, Node operand, UnaryOperator<Object> conversion, Batch batch) {
    Values values = operand.evaluate(batch);
    long[] counted = Bits.and(values.valid(), batch.active());
    @Nullable Object[] result = new Object[batch.rows()];
    for (int row = 0; row < result.length; row++) {
      if (Bits.get(counted, row)) {
        try {
          result[row] = conversion.apply(values.get(row));
        } catch (ArithmeticException | IllegalArgumentException | DateTimeException e) {
          result[row] = null;
        }
      }
    }
    return Values.of(cast.type(), result);
  }

  /** The nearest floats of a smaller width. */
  private static Values narrowed(DoubleValues operand, ValueType to) {
    double[] values = operand.values();
    double[] result = new double[values.length];
    boolean half =
        ((ArrowType.FloatingPoint) to.arrow()).getPrecision() == FloatingPointPrecision.HALF;
    for (int row = 0; row < values.length; row++) {
      result[row] = half ? HalfFloat.round(values[row]) : (float) values[row];
    }
    return new DoubleValues(result, operand.valid());
  }

  /** Floats without their fraction, where the integer type holds them. */
  private static Values truncated(Cast cast, DoubleValues operand, Batch batch) {
    ArrowType.Int type = (ArrowType.Int) cast.type().arrow();
    int bits = type.getBitWidth();
    // exact as doubles but for -2^63 - 1, which rounds to -2^63: that one is in range itself
    double above = type.getIsSigned() ? Math.scalb(1.0, bits - 1) : Math.scalb(1.0, bits);
    double below = type.getIsSigned() ? -above - 1 : -1;
    double[] values = operand.values();
    long[] result = new long[values.length];
    long[] counted = Bits.and(operand.valid(), batch.active());
    for (int row = 0; row < values.length; row++) {
      double value = values[row];
      boolean fits = value < above && (bits == 64 ? value >= below : value > below);
      if (!fits && Bits.get(counted, row)) {
        throw new PredicateEvaluationException(
            Conversion.number(value, false) + " is out of the range of " + cast.type(),
            cast.toString(),
            row);
      }
      result[row] = (long) value;
    }
    return new LongValues(result, operand.valid());
  }

  /** Integers stay as they are, but those that the target does not hold are errors. */
  private static Values integers(Cast cast, LongValues operand, Batch batch) {
    ArrowType.Int type = (ArrowType.Int) cast.type().arrow();
    int bits = type.getBitWidth();
    // A uint64 of 2^63 or more is negative as a long: below each of these bounds, but for an int64
    // source, whose negative values only signed targets hold.
    boolean unsignedSource = cast.operand().type().isUnsigned64();
    long low = !type.getIsSigned() || unsignedSource ? 0 : -1L << (bits - 1);
    long high =
        type.getIsSigned()
            ? Long.MAX_VALUE >>> (64 - bits)
            : bits == 64 ? Long.MAX_VALUE : (1L << bits) - 1;
    long[] values = operand.values();
    long[] counted = Bits.and(operand.valid(), batch.active());
    for (int row = 0; row < values.length; row++) {
      if ((values[row] < low || values[row] > high) && Bits.get(counted, row)) {
        String value =
            unsignedSource ? Long.toUnsignedString(values[row]) : Long.toString(values[row]);
        throw new PredicateEvaluationException(
            value + " is out of the range of " + cast.type(), cast.toString(), row);
      }
    }
    return operand;
  }

  private static Values doubles(LongValues operand) {
    long[] values = operand.values();
    double[] result = new double[values.length];
    for (int row = 0; row < values.length; row++) {
      result[row] = values[row];
    }
    return new DoubleValues(result, operand.valid());
  }

  private static Values boxed(
      Cast cast, Values operand, UnaryOperator<Object> conversion, Batch batch) {
    long[] counted = Bits.and(operand.valid(), batch.active());
    @Nullable Object[] result = new Object[batch.rows()];
    for (int row = 0; row < result.length; row++) {
      if (Bits.get(counted, row)) {
        try {
          result[row] = conversion.apply(operand.get(row));
        } catch (ArithmeticException | IllegalArgumentException | DateTimeException e) {
          throw new PredicateEvaluationException(
              String.valueOf(e.getMessage()), cast.toString(), row);
        }
      }
    }
    return Values.of(cast.type(), result);
  }
}
