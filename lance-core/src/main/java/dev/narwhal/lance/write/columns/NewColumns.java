package dev.narwhal.lance.write.columns;

import dev.narwhal.lance.fragment.DataFile;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.manifest.Manifest;
import dev.narwhal.lance.schema.LanceField;
import dev.narwhal.lance.schema.LanceSchema;
import dev.narwhal.lance.schema.LogicalTypes;
import dev.narwhal.lance.write.insert.NewSchema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Columns behind those that a table has. Their field ids are higher than all that the schema or any
 * data file names, those of dropped columns too. Pure. Source: table format sheet 2.9.
 *
 * @param added the new fields alone
 * @param table the table's fields and then the new ones
 */
record NewColumns(LanceSchema added, LanceSchema table) {

  /**
   * Gives fields ids.
   *
   * @param columns in order; they become nullable, since rows that are deleted have no value
   * @throws IllegalArgumentException when a name is taken or cannot be used
   * @throws dev.narwhal.lance.error.UnsupportedFeatureException for a type without columns
   */
  static NewColumns of(Manifest manifest, List<Field> columns) {
    requireNames(manifest.schema(), columns);
    List<Field> nullable = columns.stream().map(NewColumns::nullable).toList();
    int first = firstFreeId(manifest);
    List<LanceField> added = new ArrayList<>();
    for (LanceField field : LogicalTypes.of(new Schema(nullable)).fields()) {
      int parent = field.parentId() < 0 ? field.parentId() : field.parentId() + first;
      added.add(
          new LanceField(
              field.id() + first,
              parent,
              field.name(),
              field.logicalType(),
              field.nullable(),
              field.metadata(),
              field.unknown()));
    }
    List<LanceField> all = new ArrayList<>(manifest.schema().fields());
    all.addAll(added);
    return new NewColumns(
        new LanceSchema(added, manifest.schema().metadata()),
        new LanceSchema(all, manifest.schema().metadata()));
  }

  static Field nullable(Field field) {
    FieldType type = field.getFieldType();
    return new Field(
        field.getName(),
        new FieldType(true, type.getType(), type.getDictionary(), type.getMetadata()),
        field.getChildren());
  }

  private static void requireNames(LanceSchema schema, List<Field> columns) {
    if (columns.isEmpty()) {
      throw new IllegalArgumentException("no column is named to be added");
    }
    Set<String> taken = new HashSet<>();
    schema.topLevel().forEach(field -> taken.add(field.name()));
    for (Field column : columns) {
      NewSchema.requireUsable(column.getName());
      if (!taken.add(column.getName())) {
        throw new IllegalArgumentException("there is a column '" + column.getName() + "' already");
      }
    }
  }

  private static int firstFreeId(Manifest manifest) {
    int highest = -1;
    for (LanceField field : manifest.schema().fields()) {
      highest = Math.max(highest, field.id());
    }
    for (Fragment fragment : manifest.fragments()) {
      for (DataFile file : fragment.files()) {
        for (int id : file.fields()) {
          highest = Math.max(highest, id);
        }
      }
    }
    return Math.addExact(highest, 1);
  }
}
