package dev.narwhal.lance.predicate;

import dev.narwhal.lance.predicate.Expression.And;
import dev.narwhal.lance.predicate.Expression.Arithmetic;
import dev.narwhal.lance.predicate.Expression.Between;
import dev.narwhal.lance.predicate.Expression.Case;
import dev.narwhal.lance.predicate.Expression.Cast;
import dev.narwhal.lance.predicate.Expression.ColumnRef;
import dev.narwhal.lance.predicate.Expression.Comparison;
import dev.narwhal.lance.predicate.Expression.FunctionCall;
import dev.narwhal.lance.predicate.Expression.In;
import dev.narwhal.lance.predicate.Expression.IsBoolean;
import dev.narwhal.lance.predicate.Expression.IsNull;
import dev.narwhal.lance.predicate.Expression.Like;
import dev.narwhal.lance.predicate.Expression.Literal;
import dev.narwhal.lance.predicate.Expression.Not;
import dev.narwhal.lance.predicate.Expression.Or;
import dev.narwhal.lance.predicate.Expression.TryCast;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Compiles expressions to nodes: what can be prepared is, so that a batch costs its loops only. */
final class Evaluator implements Expression.Visitor<Node> {
  private static final Evaluator INSTANCE = new Evaluator();

  private Evaluator() {}

  static Node.Condition condition(Expression expression) {
    return (Node.Condition) expression.accept(INSTANCE);
  }

  static Node node(Expression expression) {
    return expression.accept(INSTANCE);
  }

  /** The value of an expression without columns. */
  static Literal constant(Expression expression) {
    Object value = node(expression).evaluate(new Batch(Map.of(), 1)).orNull(0);
    return value == null ? Literal.ofNull(expression.type()) : Literal.of(value, expression.type());
  }

  @Override
  public Node columnRef(ColumnRef ref) {
    if (ref.type().is(ValueType.Kind.BOOLEAN)) {
      Node.Condition condition = batch -> Loading.truth(Column.find(ref, batch));
      return condition;
    }
    return batch -> Loading.values(Column.find(ref, batch), ref.type());
  }

  @Override
  public Node literal(Literal literal) {
    if (literal.type().is(ValueType.Kind.BOOLEAN)) {
      @Nullable Boolean value = (Boolean) literal.value().orElse(null);
      Node.Condition condition = batch -> Truth.constant(value, batch.rows());
      return condition;
    }
    return new ConstantNode(literal);
  }

  /** A value for each row, kept for the next batch of as many rows. */
  private static final class ConstantNode implements Node {
    private final Literal literal;
    private volatile Repeated repeated = new Repeated(0, new BoxedValues(new Object[0]));

    private record Repeated(int rows, Values values) {}

    ConstantNode(Literal literal) {
      this.literal = literal;
    }

    @Override
    public Values evaluate(Batch batch) {
      Repeated last = repeated;
      if (last.rows() != batch.rows() || last.rows() == 0) {
        @Nullable Object[] boxed = new Object[batch.rows()];
        Arrays.fill(boxed, literal.value().orElse(null));
        last = new Repeated(batch.rows(), Values.of(literal.type(), boxed));
        repeated = last;
      }
      return last.values();
    }
  }

  @Override
  public Node comparison(Comparison comparison) {
    return ComparisonNodes.comparison(comparison);
  }

  @Override
  public Node between(Between between) {
    return ComparisonNodes.between(between);
  }

  @Override
  public Node in(In in) {
    return ComparisonNodes.in(in);
  }

  @Override
  public Node and(And and) {
    List<Node.Condition> terms = conditions(and.terms());
    Node.Condition condition =
        batch -> {
          Truth result = terms.get(0).evaluate(batch);
          for (int i = 1; i < terms.size(); i++) {
            Batch open = batch.without(result.falses());
            if (Bits.isEmpty(open.active())) {
              break;
            }
            result = result.and(terms.get(i).evaluate(open));
          }
          return result;
        };
    return condition;
  }

  @Override
  public Node or(Or or) {
    List<Node.Condition> terms = conditions(or.terms());
    Node.Condition condition =
        batch -> {
          Truth result = terms.get(0).evaluate(batch);
          for (int i = 1; i < terms.size(); i++) {
            Batch open = batch.without(result.trues());
            if (Bits.isEmpty(open.active())) {
              break;
            }
            result = result.or(terms.get(i).evaluate(open));
          }
          return result;
        };
    return condition;
  }

  private static List<Node.Condition> conditions(List<Expression> terms) {
    return terms.stream().map(Evaluator::condition).toList();
  }

  @Override
  public Node not(Not not) {
    Node.Condition operand = condition(not.operand());
    Node.Condition condition = batch -> operand.evaluate(batch).not();
    return condition;
  }

  @Override
  public Node isNull(IsNull isNull) {
    Node.Condition condition;
    if (isNull.operand() instanceof ColumnRef ref) {
      condition = batch -> nullOf(Column.find(ref, batch).valid(), batch.rows());
    } else {
      Node operand = node(isNull.operand());
      condition = batch -> nullOf(operand.evaluate(batch).valid(), batch.rows());
    }
    return condition;
  }

  private static Truth nullOf(long[] valid, int rows) {
    return new Truth(Bits.andNot(Bits.ones(rows), valid), valid);
  }

  @Override
  public Node isBoolean(IsBoolean is) {
    Node.Condition operand = condition(is.operand());
    Node.Condition condition =
        batch -> {
          Truth truth = operand.evaluate(batch);
          long[] matches = is.expected() ? truth.trues() : truth.falses();
          return new Truth(matches, Bits.andNot(Bits.ones(batch.rows()), matches));
        };
    return condition;
  }

  @Override
  public Node like(Like like) {
    return TextNodes.like(like);
  }

  @Override
  public Node arithmetic(Arithmetic arithmetic) {
    return ArithmeticNodes.of(arithmetic);
  }

  @Override
  public Node cast(Cast cast) {
    return CastNodes.of(cast);
  }

  @Override
  public Node tryCast(TryCast cast) {
    return CastNodes.of(cast);
  }

  @Override
  public Node choice(Case choice) {
    return ChoiceNodes.of(choice);
  }

  @Override
  public Node functionCall(FunctionCall call) {
    return CallNodes.of(call);
  }
}
