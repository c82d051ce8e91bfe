package dev.narwhal.iceberg.rowdelete;

import dev.narwhal.iceberg.mapping.ArrowSchemas;
import dev.narwhal.iceberg.rowdelete.write.RowUpdate;
import dev.narwhal.lance.error.InvalidPredicateException;
import dev.narwhal.lance.predicate.Expression.Comparison;
import dev.narwhal.lance.predicate.Expression.Literal;
import dev.narwhal.lance.predicate.Predicate;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.IdentityPartitionConverters;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.UUIDUtil;
import org.jspecify.annotations.Nullable;

/**
 * Sets columns to constants, given as text of our dialect: {@code 5}, {@code DATE '2024-01-01'}.
 */
public final class SetColumns implements RowUpdate {
  private record Assignment(int column, @Nullable Object value) {}

  private final List<Assignment> assignments;

  private SetColumns(List<Assignment> assignments) {
    this.assignments = assignments;
  }

  /**
   * Binds assignments to a table.
   *
   * @param set values by the names of top-level columns
   * @throws InvalidPredicateException if there is no such column, the value is no constant, does
   *     not fit the column, or is null where the column is required
   */
  public static SetColumns of(Schema schema, Map<String, String> set) {
    List<Assignment> assignments = new ArrayList<>();
    for (Map.Entry<String, String> entry : set.entrySet()) {
      Types.NestedField column = schema.asStruct().field(entry.getKey());
      if (column == null) {
        throw new InvalidPredicateException("no column " + entry.getKey() + " to set");
      }
      assignments.add(
          new Assignment(schema.columns().indexOf(column), value(column, entry.getValue())));
    }
    return new SetColumns(assignments);
  }

  private static @Nullable Object value(Types.NestedField column, String text) {
    if (text.strip().equalsIgnoreCase("null")) {
      if (column.isRequired()) {
        throw new InvalidPredicateException("column " + column.name() + " cannot be null");
      }
      return null;
    }
    // Compared with the column, a constant takes on the column's type
    String name = "`" + column.name().replace("`", "``") + "`";
    Predicate predicate =
        Predicate.parse(name + " = (" + text + ")", ArrowSchemas.of(new Schema(column)));
    Optional<Object> constant =
        predicate.expression() instanceof Comparison comparison
                && comparison.right() instanceof Literal literal
            ? literal.value()
            : Optional.empty();
    return constant
        .map(value -> value(column.type(), value))
        .orElseThrow(
            () ->
                new InvalidPredicateException(
                    "'" + text + "' for column " + column.name() + " is no constant of its type"));
  }

  /** A constant of our dialect as the records of Iceberg's generic readers hold it. */
  private static @Nullable Object value(Type type, Object constant) {
    Object internal =
        switch (type.typeId()) {
          case INTEGER, DATE -> Math.toIntExact((Long) constant);
          case FLOAT -> ((Double) constant).floatValue();
          case UUID -> UUIDUtil.convert((ByteBuffer) constant);
          default -> constant;
        };
    return IdentityPartitionConverters.convertConstant(type, internal);
  }

  @Override
  public void apply(Record row, String location, long position) {
    for (Assignment assignment : assignments) {
      row.set(assignment.column(), assignment.value());
    }
  }
}
