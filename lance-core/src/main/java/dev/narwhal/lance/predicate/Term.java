package dev.narwhal.lance.predicate;

import dev.narwhal.lance.error.InvalidPredicateException;
import java.util.List;

/**
 * An expression under construction.
 *
 * @param depth number of nodes on the longest way down, at most {@value #MAX_DEPTH}: whoever visits
 *     the tree may recurse
 */
record Term(Expression expression, int depth) {
  static final int MAX_DEPTH = 500;

  Term {
    if (depth > MAX_DEPTH) {
      throw new InvalidPredicateException(
          "the predicate is nested more than " + MAX_DEPTH + " operators deep: split it");
    }
  }

  static Term leaf(Expression expression) {
    return new Term(expression, 1);
  }

  /** A node above {@code operands}. */
  static Term above(Expression expression, List<Term> operands) {
    return new Term(expression, 1 + depth(operands));
  }

  /** A node above one operand. */
  static Term above(Expression expression, Term operand) {
    return new Term(expression, 1 + operand.depth());
  }

  private static int depth(List<Term> operands) {
    int depth = 0;
    for (Term operand : operands) {
      depth = Math.max(depth, operand.depth());
    }
    return depth;
  }

  static List<Expression> expressions(List<Term> terms) {
    return terms.stream().map(Term::expression).toList();
  }
}
