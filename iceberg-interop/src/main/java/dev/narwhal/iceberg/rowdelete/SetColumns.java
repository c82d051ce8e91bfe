package dev.narwhal.iceberg.rowdelete;

import dev.narwhal.iceberg.mapping.ArrowSchemas;
import dev.narwhal.iceberg.rowdelete.plan.ColumnNames;
import dev.narwhal.iceberg.rowdelete.rows.RecordVectors;
import dev.narwhal.iceberg.rowdelete.rows.VectorValues;
import dev.narwhal.iceberg.rowdelete.write.RowUpdate;
import dev.narwhal.lance.error.InvalidPredicateException;
import dev.narwhal.lance.error.PredicateEvaluationException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.predicate.Expression.Comparison;
import dev.narwhal.lance.predicate.Expression.Literal;
import dev.narwhal.lance.predicate.Predicate;
import dev.narwhal.lance.predicate.Projection;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.IdentityPartitionConverters;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.ByteBuffers;
import org.apache.iceberg.util.UUIDUtil;
import org.jspecify.annotations.Nullable;

/**
 * Sets columns to values, given as text of our dialect: constants such as {@code 5} and {@code DATE
 * '2024-01-01'}, and expressions on the row as it was, such as {@code x + 1}.
 */
public final class SetColumns implements RowUpdate {
  private static final int UUID_BYTES = 16;

  /** Values that one column gets. */
  private sealed interface Values {}

  private record Constant(@Nullable Object value) implements Values {}

  private record Computed(Projection projection) implements Values {}

  private record Assignment(int column, Type type, Values values) {
    /** A computed value as the records of Iceberg's generic readers hold it. */
    @Nullable Object recorded(@Nullable Object internal) {
      Object held =
          type.typeId() == Type.TypeID.FIXED && internal instanceof ByteBuffer bytes
              ? ByteBuffers.toByteArray(bytes)
              : internal;
      return IdentityPartitionConverters.convertConstant(type, held);
    }
  }

  private final Schema schema;
  private final List<Assignment> assignments;

  /** What the expressions read. */
  private final Schema read;

  private SetColumns(Schema schema, List<Assignment> assignments) {
    this.schema = schema;
    this.assignments = assignments;
    Set<String> names = new HashSet<>();
    for (Assignment assignment : assignments) {
      if (assignment.values() instanceof Computed computed) {
        names.addAll(computed.projection().columns());
      }
    }
    this.read =
        new Schema(
            schema.columns().stream().filter(column -> names.contains(column.name())).toList());
  }

  /**
   * Binds assignments to a table.
   *
   * @param set values by the names of top-level columns
   * @throws InvalidPredicateException if there is no such column, or it is there twice, or the
   *     value has no cast to the column, does not fit it, or is null where the column is required
   * @throws UnsupportedFeatureException if a column that is to be computed is nested
   */
  public static SetColumns of(Schema schema, Map<String, String> set) {
    List<Assignment> assignments = new ArrayList<>();
    Set<Integer> known = new HashSet<>();
    for (Map.Entry<String, String> entry : set.entrySet()) {
      Types.NestedField column = column(schema, entry.getKey());
      if (!known.add(column.fieldId())) {
        throw new InvalidPredicateException("column " + column.name() + " is set twice");
      }
      assignments.add(
          new Assignment(
              schema.columns().indexOf(column),
              column.type(),
              values(schema, column, entry.getValue())));
    }
    return new SetColumns(schema, assignments);
  }

  private static Types.NestedField column(Schema schema, String name) {
    try {
      return ColumnNames.findTopLevel(schema, name);
    } catch (IllegalArgumentException e) {
      throw new InvalidPredicateException("cannot set " + name + ": " + e.getMessage());
    }
  }

  private static Values values(Schema schema, Types.NestedField column, String text) {
    Optional<Constant> constant = constant(column, text);
    if (constant.isPresent()) {
      return constant.get();
    }
    if (!column.type().isPrimitiveType()) {
      throw new UnsupportedFeatureException(
          "values for column "
              + column.name()
              + " of type "
              + column.type()
              + " cannot be computed");
    }
    Field target = ArrowSchemas.of(new Schema(column)).getFields().get(0);
    return new Computed(Projection.parse(text, ArrowSchemas.ofRepresentable(schema), target));
  }

  /** The text's value, if it is a constant of the column's type. */
  private static Optional<Constant> constant(Types.NestedField column, String text) {
    if (text.strip().equalsIgnoreCase("null")) {
      if (column.isRequired()) {
        throw new InvalidPredicateException("column " + column.name() + " cannot be null");
      }
      return Optional.of(new Constant(null));
    }
    Optional<Object> literal = literal(column, text);
    return literal.map(value -> new Constant(value(column, value)));
  }

  private static Optional<Object> literal(Types.NestedField column, String text) {
    // a number too great for a float would be infinite as soon as it is one
    Type type =
        column.type().typeId() == Type.TypeID.FLOAT ? Types.DoubleType.get() : column.type();
    Schema alone = new Schema(Types.NestedField.optional(column.fieldId(), column.name(), type));
    try {
      // Compared with the column, a constant takes on the column's type
      String name = "`" + column.name().replace("`", "``") + "`";
      Predicate predicate = Predicate.parse(name + " = (" + text + ")", ArrowSchemas.of(alone));
      return predicate.expression() instanceof Comparison comparison
              && comparison.right() instanceof Literal literal
          ? literal.value()
          : Optional.empty();
    } catch (InvalidPredicateException e) {
      // no constant: what else it may be, the whole table's columns say
      return Optional.empty();
    }
  }

  /** A constant of our dialect as the records of Iceberg's generic readers hold it. */
  private static @Nullable Object value(Types.NestedField column, Object constant) {
    Object internal =
        switch (column.type().typeId()) {
          case INTEGER, DATE -> toInt(column, (Long) constant);
          case FLOAT -> toFloat(column, (Double) constant);
          case UUID -> UUIDUtil.convert(bytes(column, (ByteBuffer) constant, UUID_BYTES));
          case FIXED ->
              bytes(column, (ByteBuffer) constant, ((Types.FixedType) column.type()).length());
          default -> constant;
        };
    return IdentityPartitionConverters.convertConstant(column.type(), internal);
  }

  private static int toInt(Types.NestedField column, long value) {
    if (value != (int) value) {
      throw new InvalidPredicateException(value + " does not fit column " + column.name());
    }
    return (int) value;
  }

  /** The nearest float; a number beyond all of them has none. */
  private static float toFloat(Types.NestedField column, double value) {
    float nearest = (float) value;
    if (Float.isInfinite(nearest) && !Double.isInfinite(value)) {
      throw new InvalidPredicateException(
          value + " does not fit column " + column.name() + " of type float");
    }
    return nearest;
  }

  private static byte[] bytes(Types.NestedField column, ByteBuffer value, int length) {
    if (value.remaining() != length) {
      throw new InvalidPredicateException(
          value.remaining()
              + " bytes do not fit column "
              + column.name()
              + " of type "
              + column.type()
              + ", which takes "
              + length);
    }
    return ByteBuffers.toByteArray(value);
  }

  @Override
  public void apply(List<Record> rows, String location, BufferAllocator allocator) {
    List<List<@Nullable Object>> columns = new ArrayList<>();
    try (RecordVectors vectors = new RecordVectors(schema, read, allocator)) {
      vectors.set(rows);
      for (Assignment assignment : assignments) {
        columns.add(values(assignment, vectors, rows.size(), allocator));
      }
    } catch (PredicateEvaluationException e) {
      throw e.in(location);
    }
    // all values are of the rows as they were
    for (int i = 0; i < assignments.size(); i++) {
      for (int row = 0; row < rows.size(); row++) {
        rows.get(row).set(assignments.get(i).column(), columns.get(i).get(row));
      }
    }
  }

  private static List<@Nullable Object> values(
      Assignment assignment, RecordVectors vectors, int rows, BufferAllocator allocator) {
    if (assignment.values() instanceof Constant constant) {
      return Collections.nCopies(rows, constant.value());
    }
    Projection projection = ((Computed) assignment.values()).projection();
    List<@Nullable Object> values = new ArrayList<>(rows);
    try (FieldVector computed = projection.evaluate(vectors.byName(), rows, allocator)) {
      for (int row = 0; row < rows; row++) {
        values.add(assignment.recorded(VectorValues.get(computed, assignment.type(), row)));
      }
    }
    return values;
  }
}
