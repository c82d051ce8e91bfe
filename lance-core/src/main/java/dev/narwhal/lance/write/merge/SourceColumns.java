package dev.narwhal.lance.write.merge;

import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.schema.ArrowTypes;
import dev.narwhal.lance.schema.BlobMode;
import dev.narwhal.lance.schema.FieldTree;
import dev.narwhal.lance.schema.LanceSchema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/**
 * How the columns of a source meet those of the table: by name, in any order, all of them or some.
 * Types are the table's. Source: table format sheet 7.1.
 *
 * @param table every column of the table as it is written, in the table's order
 * @param given those that the source has
 * @param missing those that it lacks
 */
record SourceColumns(List<Field> table, List<Field> given, List<Field> missing) {
  SourceColumns {
    table = List.copyOf(table);
    given = List.copyOf(given);
    missing = List.copyOf(missing);
  }

  /**
   * Compares the columns.
   *
   * @throws IllegalArgumentException that says which column of the source does not fit, and how
   * @throws UnsupportedFeatureException when the table has columns that cannot be merged
   */
  static SourceColumns of(LanceSchema table, Schema source) {
    List<Field> all = new ArrayList<>();
    for (FieldTree tree : FieldTree.topLevel(table)) {
      requireMergeable(tree.field().name(), tree);
      all.add(ArrowTypes.toArrow(tree, BlobMode.BYTES));
    }
    requireKnown(all, source);
    List<Field> given = new ArrayList<>();
    List<Field> missing = new ArrayList<>();
    for (Field column : all) {
      Field found = find(source, column.getName());
      if (found == null) {
        missing.add(column);
      } else {
        requireType(column.getName(), column, found);
        given.add(column);
      }
    }
    return new SourceColumns(all, given, missing);
  }

  /** Whether the source has every column. */
  boolean isComplete() {
    return missing.isEmpty();
  }

  /**
   * Throws when a row that only the source has could not be made.
   *
   * @throws IllegalArgumentException naming the columns that would be null and must not be
   */
  void requireInsertable() {
    List<String> needed =
        missing.stream().filter(field -> !field.isNullable()).map(Field::getName).toList();
    if (!needed.isEmpty()) {
      throw new IllegalArgumentException(
          "the source lacks columns "
              + needed
              + ", which have no nulls in the table: rows that are not matched cannot be inserted;"
              + " give the columns, or do nothing when a row is not matched");
    }
  }

  private static void requireKnown(List<Field> table, Schema source) {
    Set<String> names = new HashSet<>();
    table.forEach(field -> names.add(field.getName()));
    Set<String> seen = new HashSet<>();
    for (Field field : source.getFields()) {
      if (!names.contains(field.getName())) {
        throw new IllegalArgumentException(
            "column '"
                + field.getName()
                + "' of the source is none of the table's, which are "
                + table.stream().map(Field::getName).toList());
      }
      if (!seen.add(field.getName())) {
        throw new IllegalArgumentException("the source has column '" + field.getName() + "' twice");
      }
    }
  }

  /**
   * Throws for a column that is read in another form than it is written from.
   *
   * @param column name of the top-level column
   */
  private static void requireMergeable(String column, FieldTree tree) {
    if (tree.field().isBlobV2() || tree.field().isDictionary()) {
      throw new UnsupportedFeatureException(
          "column '"
              + column
              + "' has "
              + (tree.field().isDictionary()
                  ? "dictionary-encoded values"
                  : "blobs of the second kind")
              + ", whose rows are not written anew here; let Lance merge them");
    }
    tree.children().forEach(child -> requireMergeable(column, child));
  }

  private static @Nullable Field find(Schema source, String name) {
    for (Field field : source.getFields()) {
      if (field.getName().equals(name)) {
        return field;
      }
    }
    return null;
  }

  private static void requireType(String path, Field expected, Field found) {
    if (found.getDictionary() != null) {
      throw new IllegalArgumentException(
          "column '" + path + "' of the source is encoded by a dictionary; give its values");
    }
    boolean isMap = expected.getType() instanceof ArrowType.Map;
    boolean same =
        isMap
            ? found.getType() instanceof ArrowType.Map
            : expected.getType().equals(found.getType());
    if (!same) {
      throw new IllegalArgumentException(
          "column '%s' of the source is %s, the table has %s"
              .formatted(path, found.getType(), expected.getType()));
    }
    List<Field> children = expected.getChildren();
    boolean named = expected.getType() instanceof ArrowType.Struct;
    for (int i = 0; i < children.size(); i++) {
      Field child = i < found.getChildren().size() ? found.getChildren().get(i) : null;
      if (child == null || (named && !child.getName().equals(children.get(i).getName()))) {
        throw new IllegalArgumentException(
            "column '%s' of the source has the members %s, the table %s: give all, in this order"
                .formatted(path, names(found), names(expected)));
      }
      requireType(path + '.' + children.get(i).getName(), children.get(i), child);
    }
    if (found.getChildren().size() > children.size()) {
      throw new IllegalArgumentException(
          "column '%s' of the source has the members %s, the table %s"
              .formatted(path, names(found), names(expected)));
    }
  }

  private static List<String> names(Field field) {
    return field.getChildren().stream().map(Field::getName).toList();
  }
}
