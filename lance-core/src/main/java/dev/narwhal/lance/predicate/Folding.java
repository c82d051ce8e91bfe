package dev.narwhal.lance.predicate;

import dev.narwhal.lance.error.PredicateEvaluationException;
import dev.narwhal.lance.predicate.Expression.And;
import dev.narwhal.lance.predicate.Expression.Between;
import dev.narwhal.lance.predicate.Expression.Comparison;
import dev.narwhal.lance.predicate.Expression.FunctionCall;
import dev.narwhal.lance.predicate.Expression.In;
import dev.narwhal.lance.predicate.Expression.IsBoolean;
import dev.narwhal.lance.predicate.Expression.IsNull;
import dev.narwhal.lance.predicate.Expression.Like;
import dev.narwhal.lance.predicate.Expression.Literal;
import dev.narwhal.lance.predicate.Expression.Not;
import dev.narwhal.lance.predicate.Expression.Or;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Constants worked out while the tree is built, and what is known without reading a row. */
final class Folding {
  private Folding() {}

  /**
   * The value of an expression whose operands are all literals. One that has none (a division by
   * zero) stays, and fails when a row is evaluated: {@code false AND 1/0 = 1} is false.
   */
  static Expression constant(Expression expression, List<? extends Expression> operands) {
    boolean random =
        expression instanceof FunctionCall call && call.name().equals(Functions.RANDOM);
    for (Expression operand : operands) {
      if (!(operand instanceof Literal)) {
        return expression;
      }
    }
    if (random) {
      return expression;
    }
    try {
      return Evaluator.constant(expression);
    } catch (PredicateEvaluationException e) {
      return expression;
    }
  }

  /** Flattens; leaves out TRUE; one FALSE makes it FALSE. */
  static Expression and(List<Expression> terms) {
    return connective(terms, true);
  }

  /** Flattens; leaves out FALSE; one TRUE makes it TRUE. */
  static Expression or(List<Expression> terms) {
    return connective(terms, false);
  }

  private static Expression connective(List<Expression> terms, boolean and) {
    Literal neutral = and ? Literal.TRUE : Literal.FALSE;
    Literal absorbing = and ? Literal.FALSE : Literal.TRUE;
    List<Expression> kept = new ArrayList<>();
    boolean unknown = false;
    for (Expression term : terms) {
      if (term instanceof Literal literal) {
        if (literal.equals(absorbing)) {
          return absorbing;
        }
        unknown |= !literal.equals(neutral);
      } else if (and && term instanceof And inner) {
        kept.addAll(inner.terms());
      } else if (!and && term instanceof Or inner) {
        kept.addAll(inner.terms());
      } else {
        kept.add(term);
      }
    }
    kept = and ? Alternatives.ofAnd(kept) : Alternatives.ofOr(kept);
    if (unknown) {
      kept.add(Literal.UNKNOWN);
    }
    if (kept.isEmpty()) {
      return neutral;
    }
    if (kept.size() == 1) {
      return kept.get(0);
    }
    return and ? new And(kept) : new Or(kept);
  }

  static Expression not(Expression operand) {
    if (operand instanceof Literal literal) {
      return literal
          .value()
          .<Expression>map(value -> value.equals(true) ? Literal.FALSE : Literal.TRUE)
          .orElse(Literal.UNKNOWN);
    }
    return operand instanceof Not not ? not.operand() : new Not(operand);
  }

  /** Whether a condition is true, or never true, whatever the rows hold. */
  static Optional<Boolean> verdict(Expression condition) {
    if (condition.equals(Literal.TRUE)) {
      return Optional.of(true);
    }
    return canBe(true, condition) ? Optional.empty() : Optional.of(false);
  }

  /** False if a condition never has the value {@code truth}; true if it may. */
  private static boolean canBe(boolean truth, Expression condition) {
    if (condition instanceof Literal literal) {
      return literal.value().isPresent() && literal.value().get().equals(truth);
    }
    if (condition instanceof Not not) {
      return canBe(!truth, not.operand());
    }
    if (condition instanceof And and) {
      return truth ? all(true, and.terms()) : any(false, and.terms());
    }
    if (condition instanceof Or or) {
      return truth ? any(true, or.terms()) : all(false, or.terms());
    }
    if (condition instanceof In in) {
      return truth || !in.hasNull();
    }
    if (condition instanceof Comparison
        || condition instanceof Between
        || condition instanceof IsNull
        || condition instanceof Like) {
      return true;
    }
    return !(condition instanceof IsBoolean is && truth) || canBe(is.expected(), is.operand());
  }

  private static boolean all(boolean truth, List<Expression> terms) {
    for (Expression term : terms) {
      if (!canBe(truth, term)) {
        return false;
      }
    }
    return true;
  }

  private static boolean any(boolean truth, List<Expression> terms) {
    for (Expression term : terms) {
      if (canBe(truth, term)) {
        return true;
      }
    }
    return false;
  }
}
