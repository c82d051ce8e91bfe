package dev.narwhal.iceberg.rowdelete.plan;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.types.Types;

/**
 * Columns by the names that users write, which match without regard to case as in conditions; where
 * columns differ in case alone, the exact name counts.
 */
public final class ColumnNames {
  private ColumnNames() {}

  /**
   * A top-level or, by dots, nested column.
   *
   * @throws IllegalArgumentException if there is none, or several that differ in case and none with
   *     the exact name
   */
  public static Types.NestedField find(Schema schema, String name) {
    Types.NestedField exact = schema.findField(name);
    if (exact != null) {
      return exact;
    }
    Set<Integer> alike = new TreeSet<>();
    for (Map.Entry<String, Integer> entry : TypeUtil.indexByName(schema.asStruct()).entrySet()) {
      if (entry.getKey().equalsIgnoreCase(name)) {
        alike.add(entry.getValue());
      }
    }
    if (alike.size() > 1) {
      throw new IllegalArgumentException(
          "column " + name + " is ambiguous; give the name in its exact case");
    }
    return alike.stream()
        .map(schema::findField)
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no column "
                        + name
                        + "; there are "
                        + schema.columns().stream().map(Types.NestedField::name).toList()));
  }

  /** The same of top-level columns alone. */
  public static Types.NestedField findTopLevel(Schema schema, String name) {
    Types.NestedField field = find(schema, name);
    if (!schema.columns().contains(field)) {
      throw new IllegalArgumentException("column " + name + " is nested");
    }
    return field;
  }
}
