package dev.narwhal.lance.write.update;

import dev.narwhal.lance.error.InvalidPredicateException;
import dev.narwhal.lance.predicate.Projection;
import dev.narwhal.lance.scan.SystemColumns;
import dev.narwhal.lance.schema.ArrowTypes;
import dev.narwhal.lance.schema.BlobMode;
import dev.narwhal.lance.schema.FieldTree;
import dev.narwhal.lance.schema.LanceSchema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The values that an update gives to columns: SET, bound to a table. Expressions see the values
 * from before the update. Immutable.
 */
final class Assignments {
  private final Schema schema;
  private final Map<String, Projection> values;
  private final List<Integer> fieldIds;

  private Assignments(Schema schema, Map<String, Projection> values, List<Integer> fieldIds) {
    this.schema = schema;
    this.values = values;
    this.fieldIds = fieldIds;
  }

  /**
   * Binds SQL texts to the columns that they are for.
   *
   * @param set texts by name of a top-level column
   * @throws IllegalArgumentException when none is set, or a column does not exist or lies in
   *     another
   * @throws InvalidPredicateException when a text is no value for its column; the message names it
   */
  static Assignments of(LanceSchema table, Map<String, String> set) {
    if (set.isEmpty()) {
      throw new IllegalArgumentException("nothing is set: name at least one column and its value");
    }
    Schema schema = ArrowTypes.toArrow(table, BlobMode.BYTES);
    Schema visible = SystemColumns.with(schema);
    Map<String, Projection> values = new LinkedHashMap<>();
    set.forEach(
        (column, sql) -> values.put(column, value(column, sql, visible, field(column, schema))));
    List<Integer> ids = new ArrayList<>();
    for (FieldTree tree : FieldTree.topLevel(table)) {
      if (set.containsKey(tree.field().name())) {
        ids.addAll(tree.ids());
      }
    }
    return new Assignments(schema, values, List.copyOf(ids));
  }

  private static Field field(String column, Schema schema) {
    for (Field field : schema.getFields()) {
      if (field.getName().equals(column)) {
        return field;
      }
    }
    List<String> names = schema.getFields().stream().map(Field::getName).toList();
    throw new IllegalArgumentException(
        SystemColumns.contains(column)
            ? "column '" + column + "' is the table's own and cannot be set"
            : "no column is named '"
                + column
                + "': those that can be set are "
                + String.join(", ", names)
                + " (of a struct only the whole)");
  }

  private static Projection value(String column, String sql, Schema visible, Field target) {
    try {
      return Projection.parse(sql, visible, target);
    } catch (InvalidPredicateException e) {
      throw new InvalidPredicateException("column '" + column + "': " + e.getMessage(), e);
    }
  }

  /** The table's columns, blobs as their bytes. */
  Schema schema() {
    return schema;
  }

  /** Names of the columns that are set. */
  List<String> columns() {
    return List.copyOf(values.keySet());
  }

  /** Names of all columns of the table. */
  List<String> allColumns() {
    return schema.getFields().stream().map(Field::getName).toList();
  }

  /** Ids of the fields that are set and of those below them, in the schema's order. */
  List<Integer> fieldIds() {
    return fieldIds;
  }

  /** Names of the columns that the values are computed from, system columns among them. */
  List<String> inputs() {
    return values.values().stream().flatMap(value -> value.columns().stream()).distinct().toList();
  }

  /** Takes rows of which some columns have new values; they are gone after the call. */
  @FunctionalInterface
  interface Taker {
    void take(VectorSchemaRoot rows) throws java.io.IOException;
  }

  /**
   * Gives a taker some rows with their new values.
   *
   * @param batch the rows, with the columns of {@code fields} and of {@link #inputs()}
   * @param fields the columns that the taker gets, those that are set among them
   * @throws dev.narwhal.lance.error.PredicateEvaluationException when a row has no new value
   */
  void apply(VectorSchemaRoot batch, List<Field> fields, BufferAllocator allocator, Taker taker)
      throws java.io.IOException {
    int rows = batch.getRowCount();
    Map<String, FieldVector> before = new LinkedHashMap<>();
    for (FieldVector vector : batch.getFieldVectors()) {
      before.put(vector.getName(), vector);
    }
    List<FieldVector> computed = new ArrayList<>();
    try {
      List<FieldVector> after = new ArrayList<>();
      for (Field field : fields) {
        Projection value = values.get(field.getName());
        if (value == null) {
          after.add(batch.getVector(field.getName()));
        } else {
          computed.add(value.evaluate(before, rows, allocator));
          after.add(computed.get(computed.size() - 1));
        }
      }
      taker.take(new VectorSchemaRoot(fields, after, rows));
    } finally {
      computed.forEach(FieldVector::close);
    }
  }
}
