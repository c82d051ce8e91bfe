package dev.narwhal.lance.predicate;

import dev.narwhal.lance.error.PredicateEvaluationException;
import dev.narwhal.lance.predicate.Expression.Cast;
import dev.narwhal.lance.predicate.ValueType.Kind;
import java.time.DateTimeException;
import java.util.function.UnaryOperator;
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
    UnaryOperator<Object> conversion =
        Conversion.between(from, to)
            .orElseThrow(() -> new IllegalStateException("no cast from " + from + " to " + to));
    if (to.is(Kind.BOOLEAN)) {
      Node.Condition condition =
          batch -> (Truth) boxed(cast, operand.evaluate(batch), conversion, batch);
      return condition;
    }
    return batch -> boxed(cast, operand.evaluate(batch), conversion, batch);
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
