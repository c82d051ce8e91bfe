package dev.narwhal.lance.predicate;

import dev.narwhal.lance.error.InvalidPredicateException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import net.sf.jsqlparser.expression.operators.arithmetic.Addition;
import net.sf.jsqlparser.expression.operators.arithmetic.Concat;
import net.sf.jsqlparser.expression.operators.arithmetic.Division;
import net.sf.jsqlparser.expression.operators.arithmetic.Modulo;
import net.sf.jsqlparser.expression.operators.arithmetic.Multiplication;
import net.sf.jsqlparser.expression.operators.arithmetic.Subtraction;
import net.sf.jsqlparser.expression.operators.relational.Between;
import net.sf.jsqlparser.expression.operators.relational.EqualsTo;
import net.sf.jsqlparser.expression.operators.relational.GreaterThan;
import net.sf.jsqlparser.expression.operators.relational.GreaterThanEquals;
import net.sf.jsqlparser.expression.operators.relational.InExpression;
import net.sf.jsqlparser.expression.operators.relational.LikeExpression;
import net.sf.jsqlparser.expression.operators.relational.MinorThan;
import net.sf.jsqlparser.expression.operators.relational.MinorThanEquals;
import net.sf.jsqlparser.expression.operators.relational.NotEqualsTo;
import net.sf.jsqlparser.parser.CCJSqlParser;
import net.sf.jsqlparser.parser.CCJSqlParserConstants;
import net.sf.jsqlparser.parser.ParseException;
import net.sf.jsqlparser.parser.StringProvider;
import net.sf.jsqlparser.parser.TokenMgrException;
import net.sf.jsqlparser.schema.Column;
import org.jspecify.annotations.Nullable;

/**
 * A run of operands and operators without parentheses. JSqlParser says how they belong together: it
 * is given the <em>shape</em>, {@code p0 + p1 * p2 > p3}, in which each operand is a numbered
 * placeholder. A shape is parsed once, so that ten thousand alternatives of the form {@code x = 1}
 * cost one parse.
 */
final class FlatExpression {
  /** JSqlParser's trees are as deep as an arithmetic run is long. */
  private static final int MAX_OPERANDS = Term.MAX_DEPTH;

  private final Binder binder;
  private final StringBuilder shape = new StringBuilder();
  private final List<List<Term>> operands = new ArrayList<>();

  /** JSqlParser's trees of shapes, which nobody alters; the last few hundred are kept. */
  private static final class Grammar {
    private static final int MAX_KEPT = 512;
    private static final int MAX_KEPT_LENGTH = 200;
    private static final Map<String, net.sf.jsqlparser.expression.Expression> TREES =
        new ConcurrentHashMap<>();

    private Grammar() {}

    static net.sf.jsqlparser.expression.Expression tree(String shape, Supplier<String> text) {
      net.sf.jsqlparser.expression.Expression known = TREES.get(shape);
      if (known != null) {
        return known;
      }
      net.sf.jsqlparser.expression.Expression tree = parse(shape, text);
      if (shape.length() <= MAX_KEPT_LENGTH) {
        if (TREES.size() >= MAX_KEPT) {
          TREES.clear();
        }
        TREES.put(shape, tree);
      }
      return tree;
    }

    private static net.sf.jsqlparser.expression.Expression parse(
        String shape, Supplier<String> text) {
      CCJSqlParser parser = new CCJSqlParser(new StringProvider(shape));
      try {
        net.sf.jsqlparser.expression.Expression tree = parser.Expression();
        if (parser.getNextToken().kind == CCJSqlParserConstants.EOF) {
          return tree;
        }
      } catch (ParseException | TokenMgrException e) {
        throw malformed(text.get(), e);
      }
      throw malformed(text.get(), null);
    }

    private static InvalidPredicateException malformed(String text, @Nullable Throwable cause) {
      String message =
          "cannot read '"
              + text
              + "' as one condition: join conditions with AND or OR, and put"
              + " parentheses around a comparison that is compared again";
      return cause == null
          ? new InvalidPredicateException(message)
          : new InvalidPredicateException(message, cause);
    }
  }

  FlatExpression(Binder binder) {
    this.binder = binder;
  }

  void operand(Term term) {
    add(List.of(term), "p" + operands.size());
  }

  /** The values of an IN. */
  void list(List<Term> terms) {
    add(terms, "(p" + operands.size() + ")");
  }

  private void add(List<Term> slot, String placeholder) {
    if (operands.size() == MAX_OPERANDS) {
      throw new InvalidPredicateException(
          "more than " + MAX_OPERANDS + " operands in a row without AND, OR or parentheses");
    }
    shape.append(placeholder).append(' ');
    operands.add(slot);
  }

  void operator(String operator) {
    shape.append(operator).append(' ');
  }

  /**
   * The expression.
   *
   * @param text the run as written, for messages
   */
  Term bind(Supplier<String> text) {
    if (operands.size() == 1) {
      return operands.get(0).get(0);
    }
    return bind(Grammar.tree(shape.toString(), text), text);
  }

  private Term bind(net.sf.jsqlparser.expression.Expression tree, Supplier<String> text) {
    if (tree instanceof Column column) {
      return slot(column).get(0);
    }
    if (tree instanceof Between between) {
      Term operand = bind(between.getLeftExpression(), text);
      Term low = bind(between.getBetweenExpressionStart(), text);
      Term high = bind(between.getBetweenExpressionEnd(), text);
      return negateIf(
          between.isNot(),
          Term.above(
              binder.between(operand.expression(), low.expression(), high.expression()),
              List.of(operand, low, high)));
    }
    if (tree instanceof InExpression in) {
      Term operand = bind(in.getLeftExpression(), text);
      List<Term> values = slot(listPlaceholder(in));
      List<Term> all = new ArrayList<>(values);
      all.add(operand);
      // Values that are not literals become comparisons below an OR.
      Expression test = binder.in(operand.expression(), Term.expressions(values));
      return negateIf(in.isNot(), Term.above(test, Term.above(test, all)));
    }
    if (tree instanceof net.sf.jsqlparser.expression.BinaryExpression binary) {
      Term left = bind(binary.getLeftExpression(), text);
      Term right = bind(binary.getRightExpression(), text);
      return binary(binary, left, right, text);
    }
    throw Grammar.malformed(text.get(), null);
  }

  private Term binary(
      net.sf.jsqlparser.expression.BinaryExpression tree,
      Term left,
      Term right,
      Supplier<String> text) {
    Expression l = left.expression();
    Expression r = right.expression();
    List<Term> both = List.of(left, right);
    if (tree instanceof LikeExpression like) {
      boolean ignoreCase = like.getLikeKeyWord() == LikeExpression.KeyWord.ILIKE;
      return negateIf(like.isNot(), Term.above(binder.like(l, r, ignoreCase), both));
    }
    if (tree instanceof Concat) {
      return Term.above(binder.concat(l, r), both);
    }
    ArithmeticOperator arithmetic = ARITHMETIC.get(tree.getClass());
    if (arithmetic != null) {
      return Term.above(binder.arithmetic(arithmetic, l, r), both);
    }
    ComparisonOperator comparison = COMPARISONS.get(tree.getClass());
    if (comparison != null) {
      return Term.above(binder.comparison(comparison, l, r), both);
    }
    throw Grammar.malformed(text.get(), null);
  }

  private static final Map<Class<?>, ArithmeticOperator> ARITHMETIC =
      Map.of(
          Addition.class, ArithmeticOperator.ADD,
          Subtraction.class, ArithmeticOperator.SUBTRACT,
          Multiplication.class, ArithmeticOperator.MULTIPLY,
          Division.class, ArithmeticOperator.DIVIDE,
          Modulo.class, ArithmeticOperator.MODULO);

  private static final Map<Class<?>, ComparisonOperator> COMPARISONS =
      Map.of(
          EqualsTo.class, ComparisonOperator.EQ,
          NotEqualsTo.class, ComparisonOperator.NE,
          MinorThan.class, ComparisonOperator.LT,
          MinorThanEquals.class, ComparisonOperator.LE,
          GreaterThan.class, ComparisonOperator.GT,
          GreaterThanEquals.class, ComparisonOperator.GE);

  private Term negateIf(boolean negated, Term term) {
    return negated ? Term.above(binder.not(term.expression()), term) : term;
  }

  private static Column listPlaceholder(InExpression in) {
    Object right = in.getRightExpression();
    if (right instanceof List<?> list) {
      right = list.get(0);
    }
    if (right instanceof net.sf.jsqlparser.expression.operators.relational.ExpressionList<?> list) {
      right = list.get(0);
    }
    return (Column) Objects.requireNonNull(right, "IN list");
  }

  private List<Term> slot(Column placeholder) {
    return operands.get(Integer.parseInt(placeholder.getColumnName().substring(1)));
  }
}
