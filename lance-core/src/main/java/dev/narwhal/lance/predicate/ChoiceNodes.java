package dev.narwhal.lance.predicate;

import dev.narwhal.lance.predicate.Expression.Case;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Nodes that take each row's value from one of several operands. An operand is asked only for the
 * rows that it decides.
 */
final class ChoiceNodes {
  /** No operand: null. */
  private static final int NONE = -1;

  private ChoiceNodes() {}

  static Node of(Case choice) {
    List<Node.Condition> conditions = new ArrayList<>();
    List<Node> results = new ArrayList<>();
    for (Case.Branch branch : choice.branches()) {
      conditions.add(Evaluator.condition(branch.condition()));
      results.add(Evaluator.node(branch.result()));
    }
    results.add(Evaluator.node(choice.otherwise()));
    if (choice.type().is(ValueType.Kind.BOOLEAN)) {
      Node.Condition condition =
          batch -> (Truth) firstTrue(conditions, results, choice.type(), batch);
      return condition;
    }
    return batch -> firstTrue(conditions, results, choice.type(), batch);
  }

  private static Values firstTrue(
      List<Node.Condition> conditions, List<Node> results, ValueType type, Batch batch) {
    int[] chosen = new int[batch.rows()];
    Arrays.fill(chosen, NONE);
    Values[] values = new Values[results.size()];
    Batch open = batch;
    for (int i = 0; i < conditions.size(); i++) {
      long[] taken = Bits.and(conditions.get(i).evaluate(open).trues(), open.active());
      if (!Bits.isEmpty(taken)) {
        values[i] = results.get(i).evaluate(open.only(taken));
        choose(chosen, taken, i);
        open = open.without(taken);
      }
    }
    int last = results.size() - 1;
    if (!Bits.isEmpty(open.active())) {
      values[last] = results.get(last).evaluate(open);
      choose(chosen, open.active(), last);
    }
    return select(values, chosen, type);
  }

  /** {@code coalesce}: the first operand that is not null. */
  static Node firstPresent(List<Node> operands, ValueType type) {
    if (type.is(ValueType.Kind.BOOLEAN)) {
      Node.Condition condition = batch -> (Truth) present(operands, type, batch);
      return condition;
    }
    return batch -> present(operands, type, batch);
  }

  private static Values present(List<Node> operands, ValueType type, Batch batch) {
    int[] chosen = new int[batch.rows()];
    Arrays.fill(chosen, NONE);
    Values[] values = new Values[operands.size()];
    Batch open = batch;
    for (int i = 0; i < values.length && !Bits.isEmpty(open.active()); i++) {
      values[i] = operands.get(i).evaluate(open);
      long[] taken = Bits.and(values[i].valid(), open.active());
      choose(chosen, taken, i);
      open = open.without(taken);
    }
    return select(values, chosen, type);
  }

  private static void choose(int[] chosen, long[] rows, int operand) {
    for (int w = 0; w < rows.length; w++) {
      for (long word = rows[w]; word != 0; word &= word - 1) {
        chosen[(w << 6) + Long.numberOfTrailingZeros(word)] = operand;
      }
    }
  }

  /** Values of rows from the operands that were chosen for them; what nobody chose may be null. */
  private static Values select(@Nullable Values[] operands, int[] chosen, ValueType type) {
    long[] valid = valid(operands, chosen);
    return switch (type.kind()) {
      case BOOLEAN -> truth(operands, chosen, valid);
      case INTEGER, DATE, TIME, TIMESTAMP, DURATION -> longs(operands, chosen, valid);
      case FLOAT -> doubles(operands, chosen, valid);
      case STRING, BINARY -> bytes(operands, chosen, valid, type.is(ValueType.Kind.STRING));
      case DECIMAL, LIST, NULL, STRUCT, OTHER -> boxed(operands, chosen, valid);
    };
  }

  private static long[] valid(@Nullable Values[] operands, int[] chosen) {
    long[][] valids = new long[operands.length][];
    for (int i = 0; i < operands.length; i++) {
      Values values = operands[i];
      valids[i] = values == null ? new long[0] : values.valid();
    }
    long[] valid = new long[Bits.words(chosen.length)];
    for (int row = 0; row < chosen.length; row++) {
      if (chosen[row] != NONE && Bits.get(valids[chosen[row]], row)) {
        Bits.set(valid, row);
      }
    }
    return valid;
  }

  private static Truth truth(@Nullable Values[] operands, int[] chosen, long[] valid) {
    long[] trues = new long[valid.length];
    for (int row = 0; row < chosen.length; row++) {
      if (Bits.get(valid, row) && operands[chosen[row]] instanceof Truth truth) {
        trues[row >>> 6] |= Bits.get(truth.trues(), row) ? 1L << row : 0;
      }
    }
    return Truth.of(trues, valid);
  }

  private static LongValues longs(@Nullable Values[] operands, int[] chosen, long[] valid) {
    long[] result = new long[chosen.length];
    for (int row = 0; row < chosen.length; row++) {
      if (chosen[row] != NONE && operands[chosen[row]] instanceof LongValues values) {
        result[row] = values.values()[row];
      }
    }
    return new LongValues(result, valid);
  }

  private static DoubleValues doubles(@Nullable Values[] operands, int[] chosen, long[] valid) {
    double[] result = new double[chosen.length];
    for (int row = 0; row < chosen.length; row++) {
      if (chosen[row] != NONE && operands[chosen[row]] instanceof DoubleValues values) {
        result[row] = values.values()[row];
      }
    }
    return new DoubleValues(result, valid);
  }

  private static ByteValues bytes(
      @Nullable Values[] operands, int[] chosen, long[] valid, boolean text) {
    int[] offsets = new int[chosen.length + 1];
    for (int row = 0; row < chosen.length; row++) {
      int length = 0;
      if (Bits.get(valid, row) && operands[chosen[row]] instanceof ByteValues values) {
        length = values.offsets()[row + 1] - values.offsets()[row];
      }
      offsets[row + 1] = Math.addExact(offsets[row], length);
    }
    byte[] data = new byte[offsets[chosen.length]];
    for (int row = 0; row < chosen.length; row++) {
      int length = offsets[row + 1] - offsets[row];
      if (length > 0 && operands[chosen[row]] instanceof ByteValues values) {
        System.arraycopy(values.data(), values.offsets()[row], data, offsets[row], length);
      }
    }
    return new ByteValues(data, offsets, valid, text);
  }

  private static BoxedValues boxed(@Nullable Values[] operands, int[] chosen, long[] valid) {
    @Nullable Object[] result = new Object[chosen.length];
    for (int row = 0; row < chosen.length; row++) {
      Values values = chosen[row] == NONE ? null : operands[chosen[row]];
      result[row] = values != null && Bits.get(valid, row) ? values.get(row) : null;
    }
    return new BoxedValues(result);
  }
}
