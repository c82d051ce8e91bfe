package dev.narwhal.iceberg.rowdelete.plan;

import dev.narwhal.lance.predicate.ComparisonOperator;
import dev.narwhal.lance.predicate.Expression;
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
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.iceberg.Schema;

/**
 * Tells Iceberg where a condition of our dialect is true, or where it is false: the two are not
 * each other's complement, because it may be null. What Iceberg has no words for may be true
 * anywhere and must be nowhere.
 */
final class PredicatePruning implements Expression.Visitor<Pruning> {
  private final PrunedColumns columns;
  private final boolean wanted;

  private PredicatePruning(PrunedColumns columns, boolean wanted) {
    this.columns = columns;
    this.wanted = wanted;
  }

  /** Where a condition is true. */
  static Pruning of(Expression condition, Schema schema) {
    return condition.accept(new PredicatePruning(new PrunedColumns(schema), true));
  }

  private PredicatePruning opposite() {
    return new PredicatePruning(columns, !wanted);
  }

  @Override
  public Pruning columnRef(ColumnRef column) {
    return columns.isBoolean(column, wanted);
  }

  @Override
  public Pruning literal(Literal literal) {
    return literal.value().equals(Optional.of(wanted)) ? Pruning.ALL : Pruning.NONE;
  }

  @Override
  public Pruning comparison(Comparison comparison) {
    ComparisonOperator operator = wanted ? comparison.operator() : negated(comparison.operator());
    if (comparison.left() instanceof ColumnRef column
        && comparison.right() instanceof Literal literal) {
      return columns.compare(column, operator, literal);
    }
    if (comparison.left() instanceof Literal literal
        && comparison.right() instanceof ColumnRef column) {
      return columns.compare(column, operator.flip(), literal);
    }
    return Pruning.UNKNOWN;
  }

  private static ComparisonOperator negated(ComparisonOperator operator) {
    return switch (operator) {
      case EQ -> ComparisonOperator.NE;
      case NE -> ComparisonOperator.EQ;
      case LT -> ComparisonOperator.GE;
      case GE -> ComparisonOperator.LT;
      case GT -> ComparisonOperator.LE;
      case LE -> ComparisonOperator.GT;
    };
  }

  @Override
  public Pruning between(Between between) {
    Pruning low =
        comparison(new Comparison(ComparisonOperator.GE, between.operand(), between.low()));
    Pruning high =
        comparison(new Comparison(ComparisonOperator.LE, between.operand(), between.high()));
    return wanted ? low.and(high) : low.or(high);
  }

  @Override
  public Pruning and(And and) {
    return join(and.terms().stream(), wanted ? Pruning::and : Pruning::or);
  }

  @Override
  public Pruning or(Or or) {
    return join(or.terms().stream(), wanted ? Pruning::or : Pruning::and);
  }

  private Pruning join(Stream<Expression> terms, BinaryOperator<Pruning> how) {
    return terms.map(term -> term.accept(this)).reduce(how).orElseThrow();
  }

  @Override
  public Pruning not(Not not) {
    return not.operand().accept(opposite());
  }

  @Override
  public Pruning isNull(IsNull isNull) {
    return isNull.operand() instanceof ColumnRef column
        ? columns.isNull(column, wanted)
        : Pruning.UNKNOWN;
  }

  @Override
  public Pruning isBoolean(IsBoolean is) {
    if (!(is.operand() instanceof ColumnRef column)) {
      return Pruning.UNKNOWN;
    }
    return wanted
        ? columns.isBoolean(column, is.expected())
        : columns.isNull(column, true).or(columns.isBoolean(column, !is.expected()));
  }

  @Override
  public Pruning in(In in) {
    if (!(in.operand() instanceof ColumnRef column)) {
      return Pruning.UNKNOWN;
    }
    Stream<Literal> values = in.values().stream().filter(value -> !value.isNull());
    if (wanted) {
      return columns.isOneOf(column, values.toList());
    }
    return in.hasNull() ? Pruning.NONE : columns.isNoneOf(column, values.toList());
  }

  @Override
  public Pruning like(Like like) {
    if (like.ignoreCase()
        || !(like.operand() instanceof ColumnRef column)
        || !(like.pattern() instanceof Literal pattern)) {
      return Pruning.UNKNOWN;
    }
    return text(pattern)
        .filter(text -> text.endsWith("%"))
        .map(text -> text.substring(0, text.length() - 1))
        .filter(prefix -> !prefix.isEmpty() && prefix.chars().noneMatch(PredicatePruning::isWild))
        .map(startsWith(column))
        .orElse(Pruning.UNKNOWN);
  }

  private static boolean isWild(int c) {
    return c == '%' || c == '_' || c == '\\';
  }

  @Override
  public Pruning functionCall(FunctionCall call) {
    if (call.name().equals("starts_with")
        && call.arguments().get(0) instanceof ColumnRef column
        && call.arguments().get(1) instanceof Literal prefix) {
      return text(prefix)
          .filter(text -> !text.isEmpty())
          .map(startsWith(column))
          .orElse(Pruning.UNKNOWN);
    }
    return Pruning.UNKNOWN;
  }

  private Function<String, Pruning> startsWith(ColumnRef column) {
    return prefix -> columns.startsWith(column, prefix, wanted);
  }

  private static Optional<String> text(Literal literal) {
    return literal.value().filter(String.class::isInstance).map(String.class::cast);
  }

  @Override
  public Pruning arithmetic(Arithmetic arithmetic) {
    return Pruning.UNKNOWN;
  }

  @Override
  public Pruning cast(Cast cast) {
    return Pruning.UNKNOWN;
  }

  @Override
  public Pruning tryCast(TryCast cast) {
    return Pruning.UNKNOWN;
  }

  @Override
  public Pruning choice(Case choice) {
    return Pruning.UNKNOWN;
  }
}
