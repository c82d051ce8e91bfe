package dev.narwhal.iceberg.rowdelete;

import dev.narwhal.iceberg.mapping.ArrowSchemas;
import dev.narwhal.lance.predicate.Predicate;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.iceberg.Schema;

/** A predicate in Narwhal's dialect, over the columns of an Iceberg table. */
public final class PredicateMatcher implements RowMatcher {
  private final Predicate predicate;

  private PredicateMatcher(Predicate predicate) {
    this.predicate = predicate;
  }

  /**
   * Binds a predicate to a table.
   *
   * @throws dev.narwhal.lance.error.InvalidPredicateException when it cannot be parsed, names
   *     something that the table lacks, or has a type error
   */
  public static PredicateMatcher of(String where, Schema schema) {
    return new PredicateMatcher(Predicate.parse(where, ArrowSchemas.of(schema)));
  }

  @Override
  public String text() {
    return predicate.text();
  }

  @Override
  public Set<String> columns() {
    return predicate.columns();
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
