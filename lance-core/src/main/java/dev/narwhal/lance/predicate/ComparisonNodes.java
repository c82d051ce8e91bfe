package dev.narwhal.lance.predicate;

import dev.narwhal.lance.predicate.Expression.Between;
import dev.narwhal.lance.predicate.Expression.ColumnRef;
import dev.narwhal.lance.predicate.Expression.Comparison;
import dev.narwhal.lance.predicate.Expression.In;
import dev.narwhal.lance.predicate.Expression.Literal;
import dev.narwhal.lance.predicate.ValueType.Kind;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Comparisons, BETWEEN and IN: by keys where there are, by bytes, or by boxed values. */
final class ComparisonNodes {
  private ComparisonNodes() {}

  static Node.Condition comparison(Comparison comparison) {
    Expression left = comparison.left();
    Expression right = comparison.right();
    boolean constant = right instanceof Literal;
    if (isKeyed(left.type())) {
      return constant
          ? keyed(left, comparison.operator(), key((Literal) right))
          : keyed(left, comparison.operator(), right);
    }
    boolean equality =
        comparison.operator() == ComparisonOperator.EQ
            || comparison.operator() == ComparisonOperator.NE;
    if (equality && constant && left instanceof ColumnRef ref && isBytes(left.type())) {
      Node.Condition equal = TextNodes.match(ref, bytes((Literal) right), false);
      return comparison.operator() == ComparisonOperator.EQ
          ? equal
          : batch -> equal.evaluate(batch).not();
    }
    return general(Evaluator.node(left), comparison.operator(), Evaluator.node(right), left.type());
  }

  private static boolean isKeyed(ValueType type) {
    return type.isLong() || type.is(Kind.FLOAT);
  }

  private static boolean isBytes(ValueType type) {
    return type.is(Kind.STRING) || type.is(Kind.BINARY);
  }

  private static long key(Literal literal) {
    return Keys.of(literal.value().orElseThrow(), literal.type());
  }

  /** Bytes of a string or binary literal. */
  static byte[] bytes(Literal literal) {
    Object value = literal.value().orElseThrow();
    return value instanceof String text
        ? GeneralFunctions.utf8(text)
        : GeneralFunctions.bytes((ByteBuffer) value);
  }

  /** Keys of the rows of a batch, and which rows have one. */
  private static final class Keyed {
    private final Keys keys;
    private final long[] valid;

    Keyed(Keys keys, long[] valid) {
      this.keys = keys;
      this.valid = valid;
    }
  }

  private interface KeyedNode {
    Keyed evaluate(Batch batch);
  }

  /** A column's keys are read where they are, others from their values. */
  private static KeyedNode keys(Expression expression) {
    ValueType type = expression.type();
    if (expression instanceof ColumnRef ref) {
      return batch -> {
        Column column = Column.find(ref, batch);
        return new Keyed(Keys.of(column, type), column.valid());
      };
    }
    Node node = Evaluator.node(expression);
    return batch -> {
      Values values = node.evaluate(batch);
      return new Keyed(Keys.of(values, type), values.valid());
    };
  }

  private static Node.Condition keyed(Expression left, ComparisonOperator operator, long right) {
    KeyedNode node = keys(left);
    return batch -> {
      Keyed keyed = node.evaluate(batch);
      return Truth.of(Compare.withConstant(keyed.keys, operator, right, batch.rows()), keyed.valid);
    };
  }

  private static Node.Condition keyed(
      Expression left, ComparisonOperator operator, Expression right) {
    KeyedNode leftNode = keys(left);
    KeyedNode rightNode = keys(right);
    return batch -> {
      Keyed l = leftNode.evaluate(batch);
      Keyed r = rightNode.evaluate(batch);
      return Truth.of(
          Compare.ofRows(l.keys, operator, r.keys, batch.rows()), Bits.and(l.valid, r.valid));
    };
  }

  private static Node.Condition general(
      Node left, ComparisonOperator operator, Node right, ValueType type) {
    return batch -> values(left.evaluate(batch), operator, right.evaluate(batch), type, batch);
  }

  /** Compares two forms of values row by row. */
  private static Truth values(
      Values left, ComparisonOperator operator, Values right, ValueType type, Batch batch) {
    long[] valid = Bits.and(left.valid(), right.valid());
    if (isKeyed(type)) {
      return Truth.of(
          Compare.ofRows(Keys.of(left, type), operator, Keys.of(right, type), batch.rows()), valid);
    }
    long[] matches = new long[valid.length];
    for (int row = 0; row < batch.rows(); row++) {
      if (Bits.get(valid, row) && Compare.holds(operator, sign(left, right, row))) {
        Bits.set(matches, row);
      }
    }
    return Truth.of(matches, valid);
  }

  private static int sign(Values left, Values right, int row) {
    if (left instanceof ByteValues l && right instanceof ByteValues r) {
      return Arrays.compareUnsigned(
          l.data(),
          l.offsets()[row],
          l.offsets()[row + 1],
          r.data(),
          r.offsets()[row],
          r.offsets()[row + 1]);
    }
    return GeneralFunctions.compare(left.get(row), right.get(row));
  }

  static Node.Condition between(Between between) {
    Expression operand = between.operand();
    boolean constants = between.low() instanceof Literal && between.high() instanceof Literal;
    if (constants && isKeyed(operand.type())) {
      KeyedNode node = keys(operand);
      long low = key((Literal) between.low());
      long high = key((Literal) between.high());
      return batch -> {
        Keyed keyed = node.evaluate(batch);
        long[] above = Compare.withConstant(keyed.keys, ComparisonOperator.GE, low, batch.rows());
        long[] below = Compare.withConstant(keyed.keys, ComparisonOperator.LE, high, batch.rows());
        return Truth.of(Bits.and(above, below), keyed.valid);
      };
    }
    Node node = Evaluator.node(operand);
    Node lowNode = Evaluator.node(between.low());
    Node highNode = Evaluator.node(between.high());
    ValueType type = operand.type();
    return batch -> {
      Values values = node.evaluate(batch);
      Truth above = values(values, ComparisonOperator.GE, lowNode.evaluate(batch), type, batch);
      Truth below = values(values, ComparisonOperator.LE, highNode.evaluate(batch), type, batch);
      return above.and(below);
    };
  }

  static Node.Condition in(In in) {
    List<Literal> present = in.values().stream().filter(value -> !value.isNull()).toList();
    Node.Condition found = found(in.operand(), present);
    if (!in.hasNull()) {
      return found;
    }
    // Not found among the values that are known: unknown.
    return batch -> {
      long[] trues = found.evaluate(batch).trues();
      return new Truth(trues, new long[trues.length]);
    };
  }

  private static Node.Condition found(Expression operand, List<Literal> values) {
    ValueType type = operand.type();
    if (isKeyed(type)) {
      KeyedNode node = keys(operand);
      LongSet set = new LongSet(values.stream().mapToLong(ComparisonNodes::key).toArray());
      return batch -> {
        Keyed keyed = node.evaluate(batch);
        return Truth.of(Compare.inSet(keyed.keys, set, batch.rows()), keyed.valid);
      };
    }
    Node node = Evaluator.node(operand);
    if (isBytes(type)) {
      ByteSet set = new ByteSet(values.stream().map(ComparisonNodes::bytes).toList());
      return batch -> inBytes((ByteValues) node.evaluate(batch), set);
    }
    Set<Object> set = new HashSet<>();
    values.forEach(value -> set.add(comparable(value.value().orElseThrow())));
    return batch -> {
      Values rows = node.evaluate(batch);
      long[] valid = rows.valid();
      long[] matches = new long[valid.length];
      for (int row = 0; row < batch.rows(); row++) {
        if (Bits.get(valid, row) && set.contains(comparable(rows.get(row)))) {
          Bits.set(matches, row);
        }
      }
      return Truth.of(matches, valid);
    };
  }

  /** Decimals are equal whatever their scale. */
  private static Object comparable(Object value) {
    return value instanceof BigDecimal number
        ? number.stripTrailingZeros()
        : Objects.requireNonNull(value);
  }

  private static Truth inBytes(ByteValues values, ByteSet set) {
    long[] valid = values.valid();
    long[] matches = new long[valid.length];
    int[] offsets = values.offsets();
    for (int row = 0; row < offsets.length - 1; row++) {
      if (set.contains(values.data(), offsets[row], offsets[row + 1])) {
        Bits.set(matches, row);
      }
    }
    return Truth.of(matches, valid);
  }
}
