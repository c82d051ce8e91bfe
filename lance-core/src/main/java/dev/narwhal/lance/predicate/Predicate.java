package dev.narwhal.lance.predicate;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * A condition on the rows of a table: WHERE text in Lance's dialect (facts, section 14), bound to a
 * schema, evaluated a batch at a time. Immutable and safe for use by many threads at once.
 *
 * <p>Logic is three-valued: only rows for which the condition is true are found, those for which it
 * is null are not, and neither by its negation. In AND and OR a row is not looked at further once
 * its result is known.
 *
 * <p>Bounds: a text has at most 8 Mi characters; parentheses, brackets and calls are nested at most
 * 100 deep, operators at most 500. Chains of AND and OR and lists of IN may be of any length.
 */
public final class Predicate {
  private final String text;
  private final Expression expression;
  private final Set<String> columns;
  private final Optional<Boolean> constant;
  private final Node.Condition condition;

  private Predicate(String text, Expression expression, Scope scope) {
    this.text = text;
    this.expression = expression;
    this.columns = scope.columnsOf(expression);
    this.constant = Folding.verdict(expression);
    this.condition = Evaluator.condition(expression);
  }

  /**
   * Reads and binds a condition.
   *
   * @param schema columns that may be named, system columns such as {@code _rowid} among them only
   *     if they are in it
   * @throws dev.narwhal.lance.error.InvalidPredicateException if the text is not a condition on the
   *     schema; the message quotes the part that is wrong and says what would be accepted
   */
  public static Predicate parse(String where, Schema schema) {
    return parse(where, Scope.of(schema));
  }

  /** The same with columns of several schemas. */
  public static Predicate parse(String where, Scope scope) {
    return new Predicate(where, Parser.parse(where, scope), scope);
  }

  /** The text as given. */
  public String text() {
    return text;
  }

  /** The typed tree, constants folded. */
  public Expression expression() {
    return expression;
  }

  /** Top-level columns that {@link #evaluate} reads, in the schema's order. */
  public Set<String> columns() {
    return columns;
  }

  /**
   * TRUE if the condition holds for every row, FALSE if for none (being false or null), whatever
   * the columns hold; else empty.
   */
  public Optional<Boolean> constant() {
    return constant;
  }

  /**
   * The rows for which the condition is true.
   *
   * @param columns vectors by name, at least those of {@link #columns()}, of the schema's types,
   *     each with at least {@code rows} values; read only
   * @throws dev.narwhal.lance.error.PredicateEvaluationException if a row has no result: overflow,
   *     division by zero, a failed cast
   */
  public RowMask evaluate(Map<String, FieldVector> columns, int rows) {
    if (constant.isPresent()) {
      return constant.get() ? RowMask.all(rows) : new RowMask(rows);
    }
    Truth truth = condition.evaluate(new Batch(columns, rows));
    return new RowMask(rows, truth.trues().clone());
  }

  @Override
  public String toString() {
    return text;
  }
}
