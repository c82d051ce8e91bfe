package dev.narwhal.lance.predicate;

import dev.narwhal.lance.error.InvalidPredicateException;
import dev.narwhal.lance.predicate.Expression.Between;
import dev.narwhal.lance.predicate.Expression.Case;
import dev.narwhal.lance.predicate.Expression.Cast;
import dev.narwhal.lance.predicate.Expression.Comparison;
import dev.narwhal.lance.predicate.Expression.FunctionCall;
import dev.narwhal.lance.predicate.Expression.In;
import dev.narwhal.lance.predicate.Expression.IsBoolean;
import dev.narwhal.lance.predicate.Expression.IsNull;
import dev.narwhal.lance.predicate.Expression.Like;
import dev.narwhal.lance.predicate.Expression.Literal;
import dev.narwhal.lance.predicate.Expression.TryCast;
import dev.narwhal.lance.predicate.ValueType.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Gives each part of a predicate its type, brings operands to one type, folds constants. */
final class Binder {
  private final Scope scope;
  private final Instant now = Instant.now();
  private final Alignment alignment = new Alignment(this);

  Binder(Scope scope) {
    this.scope = scope;
  }

  boolean hasColumn(String name) {
    return scope.hasColumn(name);
  }

  Expression column(List<OperandParser.Name> path) {
    return scope.resolve(path);
  }

  /** The whole predicate: a boolean, and not just NULL. */
  Expression predicate(Expression expression) {
    if (expression.type().is(Kind.NULL)) {
      throw new InvalidPredicateException("NULL alone is not a condition: write one, or true");
    }
    return condition(expression);
  }

  /** A boolean; NULL is an unknown one. */
  private static Expression condition(Expression expression) {
    if (expression.type().is(Kind.BOOLEAN)) {
      return expression;
    }
    if (expression.type().is(Kind.NULL)) {
      return Literal.UNKNOWN;
    }
    throw new InvalidPredicateException(
        "'"
            + expression
            + "' is "
            + expression.type()
            + ", not a condition: compare it with"
            + " something, for example '"
            + expression
            + " IS NOT NULL'");
  }

  Expression and(List<Expression> terms) {
    return Folding.and(terms.stream().map(Binder::condition).toList());
  }

  Expression or(List<Expression> terms) {
    return Folding.or(terms.stream().map(Binder::condition).toList());
  }

  Expression not(Expression operand) {
    return Folding.not(condition(operand));
  }

  Expression isNull(Expression operand) {
    if (operand instanceof Literal literal) {
      return literal.isNull() ? Literal.TRUE : Literal.FALSE;
    }
    return new IsNull(operand);
  }

  Expression isBoolean(Expression operand, boolean expected) {
    Expression condition = condition(operand);
    return Folding.constant(new IsBoolean(condition, expected), List.of(condition));
  }

  Expression comparison(ComparisonOperator operator, Expression left, Expression right) {
    List<Expression> sides = alignment.compared(List.of(left, right));
    Expression l = sides.get(0);
    Expression r = sides.get(1);
    if (isNullLiteral(l) || isNullLiteral(r)) {
      return Literal.UNKNOWN;
    }
    // The column to the left: one form for whoever translates or evaluates.
    Expression comparison =
        l instanceof Literal && !(r instanceof Literal)
            ? new Comparison(operator.flip(), r, l)
            : new Comparison(operator, l, r);
    return Folding.constant(comparison, sides);
  }

  private static boolean isNullLiteral(Expression expression) {
    return expression instanceof Literal literal && literal.isNull();
  }

  Expression between(Expression operand, Expression low, Expression high) {
    List<Expression> all = alignment.compared(List.of(operand, low, high));
    if (all.stream().anyMatch(Binder::isNullLiteral)) {
      return Folding.and(
          List.of(
              comparison(ComparisonOperator.GE, operand, low),
              comparison(ComparisonOperator.LE, operand, high)));
    }
    return Folding.constant(new Between(all.get(0), all.get(1), all.get(2)), all);
  }

  /** {@code operand IN (values)}; values that are no literals become comparisons. */
  Expression in(Expression operand, List<Expression> values) {
    if (!values.stream().allMatch(Literal.class::isInstance)) {
      return or(
          values.stream().map(value -> comparison(ComparisonOperator.EQ, operand, value)).toList());
    }
    List<Expression> all = new ArrayList<>(values.size() + 1);
    all.add(operand);
    all.addAll(values);
    List<Expression> aligned = alignment.compared(all);
    boolean anyKnown = !aligned.subList(1, aligned.size()).stream().allMatch(Binder::isNullLiteral);
    if (isNullLiteral(aligned.get(0)) || !anyKnown) {
      return Literal.UNKNOWN;
    }
    Set<Literal> distinct = new LinkedHashSet<>();
    for (Expression value : aligned.subList(1, aligned.size())) {
      distinct.add((Literal) value);
    }
    In in = new In(aligned.get(0), List.copyOf(distinct));
    return Folding.constant(in, List.of(in.operand()));
  }

  Expression like(Expression operand, Expression pattern, boolean ignoreCase) {
    // Constant patterns are matched on bytes, so that a binary need not be UTF-8.
    boolean bytes = operand.type().is(Kind.BINARY) && !ignoreCase && pattern instanceof Literal;
    Expression text = bytes ? operand : text(operand, ignoreCase ? "ILIKE" : "LIKE");
    if (!pattern.type().is(Kind.STRING) && !pattern.type().is(Kind.NULL)) {
      throw new InvalidPredicateException(
          "'" + pattern + "' is " + pattern.type() + ": LIKE takes a string as its pattern");
    }
    if (isNullLiteral(text) || isNullLiteral(pattern)) {
      return Literal.UNKNOWN;
    }
    return Folding.constant(new Like(text, pattern, ignoreCase), List.of(text, pattern));
  }

  /** A string, or what real Lance converts to one. */
  private Expression text(Expression operand, String what) {
    return switch (operand.type().kind()) {
      case STRING -> operand;
      case NULL -> Literal.ofNull(ValueType.STRING);
      case INTEGER, FLOAT, DECIMAL, BOOLEAN, DATE, TIME, TIMESTAMP, BINARY ->
          cast(operand, ValueType.STRING);
      case DURATION, LIST, STRUCT, OTHER ->
          throw new InvalidPredicateException(
              "'" + operand + "' is " + operand.type() + ": " + what + " takes a string");
    };
  }

  Expression concat(Expression left, Expression right) {
    boolean string = left.type().is(Kind.STRING) || right.type().is(Kind.STRING);
    boolean anyNull = isNullLiteral(left) || isNullLiteral(right);
    if (!string && !anyNull) {
      throw new InvalidPredicateException(
          "'"
              + left
              + "' is "
              + left.type()
              + " and '"
              + right
              + "' is "
              + right.type()
              + ": || takes a string on one side");
    }
    Expression l = text(left, "||");
    Expression r = text(right, "||");
    if (anyNull) {
      return Literal.ofNull(ValueType.STRING);
    }
    return Folding.constant(
        new FunctionCall(Functions.CONCAT_OPERATOR, List.of(l, r), ValueType.STRING),
        List.of(l, r));
  }

  Expression arithmetic(ArithmeticOperator operator, Expression left, Expression right) {
    return ArithmeticRules.bind(operator, left, right, this);
  }

  Expression negate(Expression operand) {
    return ArithmeticRules.negate(operand, this);
  }

  Expression cast(Expression operand, ValueType type) {
    if (operand.type().equals(type)) {
      return operand;
    }
    if (operand.type().is(Kind.NULL)) {
      return Literal.ofNull(type);
    }
    if (Conversion.between(operand.type(), type).isEmpty()) {
      throw new InvalidPredicateException(
          "'" + operand + "' is " + operand.type() + ", which has no cast to " + type);
    }
    Expression folded = Folding.constant(new Cast(operand, type), List.of(operand));
    if (folded instanceof Cast && operand instanceof Literal) {
      throw new InvalidPredicateException("cannot cast " + operand + " to " + type);
    }
    return folded;
  }

  Expression element(Expression operand, Expression index) {
    if (operand.type().is(Kind.STRUCT)
        && index instanceof Literal literal
        && index.type().is(Kind.STRING)
        && operand instanceof Expression.ColumnRef struct) {
      return Names.member(
          struct, new OperandParser.Name((String) literal.value().orElseThrow(), true));
    }
    return call(Functions.ELEMENT, List.of(operand, index));
  }

  Expression list(List<Expression> items) {
    return call(Functions.LIST, items);
  }

  /** A cast that gives null where {@link #cast} fails. */
  Expression tryCast(Expression operand, ValueType type) {
    if (operand.type().equals(type) || operand.type().is(Kind.NULL)) {
      return cast(operand, type);
    }
    if (Conversion.between(operand.type(), type).isEmpty()) {
      throw new InvalidPredicateException(
          "'" + operand + "' is " + operand.type() + ", which has no cast to " + type);
    }
    return Folding.constant(new TryCast(operand, type), List.of(operand));
  }

  /**
   * CASE WHEN .. THEN .. ELSE .. END.
   *
   * @param conditions as many as there are results
   * @param otherwise the result where no condition is true
   */
  Expression choice(List<Expression> conditions, List<Expression> results, Expression otherwise) {
    List<Expression> all = new ArrayList<>(results);
    all.add(otherwise);
    List<Expression> aligned = alignment.united(all);
    ValueType type = aligned.get(0).type();
    if (!Loading.isLoadable(type)) {
      throw new InvalidPredicateException(
          "'" + results.get(0) + "' is " + type + ", which no CASE can give");
    }
    List<Case.Branch> branches = new ArrayList<>();
    List<Expression> parts = new ArrayList<>(aligned);
    for (int i = 0; i < results.size(); i++) {
      Expression condition = condition(conditions.get(i));
      parts.add(condition);
      branches.add(new Case.Branch(condition, aligned.get(i)));
    }
    Expression last = aligned.get(aligned.size() - 1);
    return Folding.constant(new Case(branches, last, type), parts);
  }

  /** Fails unless there is a function of a lower-case name. */
  static void requireFunction(String name) {
    if (!CastFunctions.NAMES.contains(name)) {
      CallRules.function(name);
    }
  }

  /** A call by lower-case name. */
  Expression call(String name, List<Expression> arguments) {
    String key = name.toLowerCase(Locale.ROOT);
    return CastFunctions.rewrite(key, arguments, this, now)
        .orElseGet(() -> CallRules.bind(key, arguments, this, alignment));
  }
}
