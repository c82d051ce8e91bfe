package dev.narwhal.lance.predicate;

import dev.narwhal.lance.predicate.Expression.ColumnRef;
import dev.narwhal.lance.predicate.Expression.Comparison;
import dev.narwhal.lance.predicate.Expression.In;
import dev.narwhal.lance.predicate.Expression.Literal;
import dev.narwhal.lance.predicate.Expression.Not;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Makes one IN of {@code a = 1 OR a = 2 OR a IN (3)}, and one NOT IN of {@code a <> 1 AND a <> 2}:
 * one look at a row instead of one for each value. The meaning is the same, for nulls too. A merged
 * term stands where the first of its parts stood.
 */
final class Alternatives {
  private Alternatives() {}

  /** Terms of an OR. */
  static List<Expression> ofOr(List<Expression> terms) {
    return merge(terms, true);
  }

  /** Terms of an AND. */
  static List<Expression> ofAnd(List<Expression> terms) {
    return merge(terms, false);
  }

  private static List<Expression> merge(List<Expression> terms, boolean or) {
    Map<Object, List<Expression>> groups = new LinkedHashMap<>();
    for (int i = 0; i < terms.size(); i++) {
      Expression term = terms.get(i);
      Optional<In> values = values(term, or);
      // a term that is not merged is a group of its own
      Object key = values.isPresent() ? values.get().operand() : (Object) i;
      groups.computeIfAbsent(key, k -> new ArrayList<>()).add(term);
    }
    List<Expression> merged = new ArrayList<>(groups.size());
    groups.forEach(
        (key, group) ->
            merged.add(group.size() == 1 ? group.get(0) : merged((Expression) key, group, or)));
    return merged;
  }

  private static Expression merged(Expression column, List<Expression> group, boolean or) {
    Set<Literal> all = new LinkedHashSet<>();
    for (Expression term : group) {
      values(term, or).ifPresent(in -> all.addAll(in.values()));
    }
    In in = new In(column, List.copyOf(all));
    return or ? in : new Not(in);
  }

  /** The values of a column that a term of an OR admits, or that one of an AND rules out. */
  private static Optional<In> values(Expression term, boolean or) {
    if (!or && term instanceof Not not) {
      return not.operand() instanceof In ? values(not.operand(), true) : Optional.empty();
    }
    ComparisonOperator operator = or ? ComparisonOperator.EQ : ComparisonOperator.NE;
    if (term instanceof Comparison comparison
        && comparison.operator() == operator
        && comparison.left() instanceof ColumnRef
        && comparison.right() instanceof Literal literal) {
      return Optional.of(new In(comparison.left(), List.of(literal)));
    }
    return or && term instanceof In in && in.operand() instanceof ColumnRef
        ? Optional.of(in)
        : Optional.empty();
  }
}
