package dev.narwhal.iceberg.rowdelete.plan;

import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;

/**
 * A condition as Iceberg expressions, between which it lies. They only choose files and row groups;
 * they decide about no single row.
 *
 * @param mayMatch true, under Iceberg's rules, for every row for which the condition is true
 * @param mustMatch true for no row for which the condition is not true, be it false or null
 */
public record Pruning(Expression mayMatch, Expression mustMatch) {
  /** Says nothing. */
  public static final Pruning UNKNOWN =
      new Pruning(Expressions.alwaysTrue(), Expressions.alwaysFalse());

  static final Pruning ALL = exactly(Expressions.alwaysTrue());
  static final Pruning NONE = exactly(Expressions.alwaysFalse());

  static Pruning exactly(Expression expression) {
    return new Pruning(expression, expression);
  }

  static Pruning atMost(Expression expression) {
    return new Pruning(expression, Expressions.alwaysFalse());
  }

  Pruning and(Pruning other) {
    return new Pruning(
        Expressions.and(mayMatch, other.mayMatch), Expressions.and(mustMatch, other.mustMatch));
  }

  Pruning or(Pruning other) {
    return new Pruning(
        Expressions.or(mayMatch, other.mayMatch), Expressions.or(mustMatch, other.mustMatch));
  }
}
