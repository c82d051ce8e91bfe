package dev.narwhal.lance.predicate;

import dev.narwhal.lance.error.PredicateEvaluationException;
import dev.narwhal.lance.predicate.Expression.FunctionCall;
import java.time.DateTimeException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Calls: the few that are loops of their own, all others row by row from the table. */
final class CallNodes {
  private CallNodes() {}

  static Node of(FunctionCall call) {
    Optional<Node.Condition> affix = TextNodes.affix(call);
    if (affix.isPresent()) {
      return affix.get();
    }
    if (call.name().equals("isnan")) {
      return isNan(Evaluator.node(call.arguments().get(0)));
    }
    if (call.name().equals("character_length")) {
      return length(Evaluator.node(call.arguments().get(0)));
    }
    Function function =
        Functions.find(call.name())
            .orElseThrow(() -> new IllegalStateException("no function " + call.name()));
    List<Node> arguments = call.arguments().stream().map(Evaluator::node).toList();
    if (call.name().equals("coalesce") || call.name().equals("nvl")) {
      return ChoiceNodes.firstPresent(arguments, call.type());
    }
    if (call.type().is(ValueType.Kind.BOOLEAN)) {
      Node.Condition condition = batch -> (Truth) rows(call, function, arguments, batch);
      return condition;
    }
    return batch -> rows(call, function, arguments, batch);
  }

  private static Node.Condition isNan(Node operand) {
    return batch -> {
      DoubleValues values = (DoubleValues) operand.evaluate(batch);
      double[] array = values.values();
      long[] matches = new long[Bits.words(array.length)];
      for (int row = 0; row < array.length; row++) {
        matches[row >>> 6] |= (Double.isNaN(array[row]) ? 1L : 0L) << row;
      }
      return Truth.of(matches, values.valid());
    };
  }

  /** Characters of UTF-8: bytes that do not continue one. */
  private static Node length(Node operand) {
    return batch -> {
      ByteValues values = (ByteValues) operand.evaluate(batch);
      byte[] data = values.data();
      int[] offsets = values.offsets();
      long[] lengths = new long[offsets.length - 1];
      for (int row = 0; row < lengths.length; row++) {
        int characters = 0;
        for (int i = offsets[row]; i < offsets[row + 1]; i++) {
          characters += (data[i] & 0xC0) == 0x80 ? 0 : 1;
        }
        lengths[row] = characters;
      }
      return new LongValues(lengths, values.valid());
    };
  }

  private static Values rows(
      FunctionCall call, Function function, List<Node> arguments, Batch batch) {
    Values[] columns = new Values[arguments.size()];
    long[] asked = batch.active();
    for (int i = 0; i < columns.length; i++) {
      columns[i] = arguments.get(i).evaluate(batch);
      if (function.nulls() == Function.Nulls.STRICT) {
        asked = Bits.and(asked, columns[i].valid());
      }
    }
    @Nullable Object[] result = new Object[batch.rows()];
    for (int row = 0; row < result.length; row++) {
      if (Bits.get(asked, row)) {
        result[row] = value(call, function, columns, row);
      }
    }
    return Values.of(call.type(), result);
  }

  private static @Nullable Object value(
      FunctionCall call, Function function, Values[] columns, int row) {
    @Nullable Object[] values = new Object[columns.length];
    for (int i = 0; i < columns.length; i++) {
      values[i] = columns[i].orNull(row);
    }
    try {
      return function.body().apply(values);
    } catch (ArithmeticException | IllegalArgumentException | DateTimeException e) {
      throw new PredicateEvaluationException(String.valueOf(e.getMessage()), call.toString(), row);
    }
  }
}
