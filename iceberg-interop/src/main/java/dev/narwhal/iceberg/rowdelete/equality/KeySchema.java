package dev.narwhal.iceberg.rowdelete.equality;

import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.types.Types;

/**
 * The columns by which equality deletes compare rows: primitive fields, at the top or within
 * structs.
 *
 * @param fieldIds ascending, at least one
 * @param schema a table's schema, cut down to these fields and the structs around them
 */
public record KeySchema(List<Integer> fieldIds, Schema schema) {
  public KeySchema {
    fieldIds = List.copyOf(fieldIds);
  }

  /**
   * The key of delete files that are there. Columns that the table has no more are taken from the
   * newest schema that has them.
   *
   * @throws UnsupportedFeatureException if a field is in a list or map, or is known to no schema
   */
  static KeySchema ofExisting(Table table, Collection<Integer> fieldIds) {
    List<Integer> sorted = List.copyOf(new TreeSet<>(fieldIds));
    List<Schema> schemas = new ArrayList<>(table.schemas().values());
    schemas.sort(Comparator.comparingInt(Schema::schemaId).reversed());
    schemas.add(0, table.schema());
    for (Schema schema : schemas) {
      if (!sorted.isEmpty() && sorted.stream().allMatch(id -> schema.findField(id) != null)) {
        sorted.forEach(id -> requireComparable(schema, id));
        return new KeySchema(sorted, TypeUtil.select(schema, new LinkedHashSet<>(sorted)));
      }
    }
    throw new UnsupportedFeatureException(
        "equality deletes by the fields " + sorted + ", which no schema of the table has");
  }

  /**
   * The key of a delete file to be written.
   *
   * @throws IllegalArgumentException if a field is not in the table, or not one that the spec lets
   *     rows be compared by: a float or double, a struct, within a list or map
   */
  public static KeySchema ofNew(Table table, Collection<Integer> fieldIds) {
    if (fieldIds.isEmpty()) {
      throw new IllegalArgumentException("equality deletes need at least one column to compare");
    }
    List<Integer> sorted = List.copyOf(new TreeSet<>(fieldIds));
    Schema schema = table.schema();
    for (int id : sorted) {
      Types.NestedField field = schema.findField(id);
      if (field == null) {
        throw new IllegalArgumentException("no field " + id + " in " + table.name());
      }
      Type.TypeID type = field.type().typeId();
      if (type == Type.TypeID.FLOAT || type == Type.TypeID.DOUBLE) {
        throw new IllegalArgumentException(
            "rows cannot be compared by "
                + schema.findColumnName(id)
                + ": the Iceberg spec rules out float and double; choose other columns");
      }
      try {
        requireComparable(schema, id);
      } catch (UnsupportedFeatureException e) {
        throw new IllegalArgumentException(e.getMessage(), e);
      }
    }
    return new KeySchema(sorted, TypeUtil.select(schema, new LinkedHashSet<>(sorted)));
  }

  private static void requireComparable(Schema schema, int fieldId) {
    Type type = schema.findType(fieldId);
    Map<Integer, Integer> parents = TypeUtil.indexParents(schema.asStruct());
    boolean inStructs = true;
    for (Integer id = parents.get(fieldId); id != null; id = parents.get(id)) {
      inStructs &= schema.findType(id).isStructType();
    }
    if (!type.isPrimitiveType() || !inStructs) {
      throw new UnsupportedFeatureException(
          "rows compared by "
              + schema.findColumnName(fieldId)
              + " of type "
              + type
              + ": only primitive columns, at the top or in structs, can be keys");
    }
  }
}
