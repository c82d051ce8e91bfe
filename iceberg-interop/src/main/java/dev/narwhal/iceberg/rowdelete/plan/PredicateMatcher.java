package dev.narwhal.iceberg.rowdelete.plan;

import dev.narwhal.iceberg.mapping.ArrowSchemas;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.predicate.Predicate;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.iceberg.Schema;
import org.apache.iceberg.expressions.Expression;

/** A predicate in Narwhal's dialect, over the columns of an Iceberg table. */
public final class PredicateMatcher implements RowMatcher {
  private final String text;
  private final Predicate predicate;
  private final Pruning pruning;

  private PredicateMatcher(String text, Predicate predicate, Schema schema) {
    this.text = text;
    this.predicate = predicate;
    this.pruning = PredicatePruning.of(predicate.expression(), schema);
  }

  /**
   * Binds a predicate to a table.
   *
   * @throws dev.narwhal.lance.error.InvalidPredicateException when it cannot be parsed, names
   *     something that the table lacks, or has a type error
   */
  public static PredicateMatcher of(String where, Schema schema) {
    return new PredicateMatcher(
        where, Predicate.parse(where, ArrowSchemas.ofRepresentable(schema)), schema);
  }

  /**
   * The rows for which an expression of Iceberg's is true, by the dialect's rules: where Iceberg
   * takes null for a value that differs from others, or is less, the condition is null here.
   *
   * @throws org.apache.iceberg.exceptions.ValidationException if it names a column that is not
   *     there, or compares it with a value of another type
   * @throws UnsupportedFeatureException if it has a transform of a column
   */
  public static PredicateMatcher of(Expression expression, Schema schema) {
    Predicate predicate =
        Predicate.parse(
            ExpressionText.of(expression, schema), ArrowSchemas.ofRepresentable(schema));
    return new PredicateMatcher(expression.toString(), predicate, schema);
  }

  @Override
  public String text() {
    return text;
  }

  @Override
  public Set<String> columns() {
    return predicate.columns();
  }

  @Override
  public Pruning pruning() {
    return pruning;
  }

  @Override
  public void match(VectorSchemaRoot batch, long[] matches) {
    Map<String, FieldVector> columns = new LinkedHashMap<>();
    for (FieldVector vector : batch.getFieldVectors()) {
      columns.put(vector.getName(), vector);
    }
    long[] words = predicate.evaluate(columns, batch.getRowCount()).words();
    System.arraycopy(words, 0, matches, 0, words.length);
  }
}
