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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Collects the columns that an expression reads. */
final class Columns implements Expression.Visitor<Set<ColumnRef>> {
  private final Set<ColumnRef> found = new LinkedHashSet<>();

  private Columns() {}

  static Set<ColumnRef> of(Expression expression) {
    return expression.accept(new Columns());
  }

  private Set<ColumnRef> all(Expression... operands) {
    return all(List.of(operands));
  }

  private Set<ColumnRef> all(List<Expression> operands) {
    for (Expression operand : operands) {
      operand.accept(this);
    }
    return found;
  }

  @Override
  public Set<ColumnRef> columnRef(ColumnRef column) {
    found.add(column);
    return found;
  }

  @Override
  public Set<ColumnRef> literal(Literal literal) {
    return found;
  }

  @Override
  public Set<ColumnRef> comparison(Comparison comparison) {
    return all(comparison.left(), comparison.right());
  }

  @Override
  public Set<ColumnRef> between(Between between) {
    return all(between.operand(), between.low(), between.high());
  }

  @Override
  public Set<ColumnRef> and(And and) {
    return all(and.terms());
  }

  @Override
  public Set<ColumnRef> or(Or or) {
    return all(or.terms());
  }

  @Override
  public Set<ColumnRef> not(Not not) {
    return all(not.operand());
  }

  @Override
  public Set<ColumnRef> isNull(IsNull isNull) {
    return all(isNull.operand());
  }

  @Override
  public Set<ColumnRef> isBoolean(IsBoolean isBoolean) {
    return all(isBoolean.operand());
  }

  @Override
  public Set<ColumnRef> in(In in) {
    return all(in.operand());
  }

  @Override
  public Set<ColumnRef> like(Like like) {
    return all(like.operand(), like.pattern());
  }

  @Override
  public Set<ColumnRef> arithmetic(Arithmetic arithmetic) {
    return all(arithmetic.left(), arithmetic.right());
  }

  @Override
  public Set<ColumnRef> cast(Cast cast) {
    return all(cast.operand());
  }

  @Override
  public Set<ColumnRef> tryCast(TryCast cast) {
    return all(cast.operand());
  }

  @Override
  public Set<ColumnRef> choice(Case choice) {
    for (Case.Branch branch : choice.branches()) {
      all(branch.condition(), branch.result());
    }
    return all(choice.otherwise());
  }

  @Override
  public Set<ColumnRef> functionCall(FunctionCall call) {
    return all(call.arguments());
  }
}
