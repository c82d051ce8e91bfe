package dev.narwhal.lance.write;

import dev.narwhal.lance.fragment.DataFile;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.manifest.Manifest;
import dev.narwhal.lance.scan.SystemColumns;
import dev.narwhal.lance.schema.LanceField;
import dev.narwhal.lance.schema.LanceSchema;
import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.transaction.Operation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Drops and renames columns: no data file is written, the schema alone changes. A field keeps its
 * id, by which files know it, so that indices on it and files that hold it stay valid. Pure.
 * Source: table format sheet 2.9, and what real Lance 7.0.0 does.
 */
public final class SchemaChange {
  private static final String STRUCT = "struct";

  /** Names under which a scan gives the versions that made a row and wrote it last. */
  private static final Set<String> LINEAGE =
      Set.of("_row_created_at_version", "_row_last_updated_at_version");

  private SchemaChange() {}

  /**
   * Takes columns out, or members of structs; a struct goes with its last member.
   *
   * @param columns paths, names joined by {@code .}
   * @throws IllegalArgumentException when one does not exist or is part of a list, map or packed
   *     struct, when none would be left, or when a fragment would lose its last file
   */
  public static Operation.Project drop(Manifest manifest, List<String> columns) {
    LanceSchema schema = manifest.schema();
    Set<Integer> dropped = new HashSet<>();
    for (String column : columns) {
      LanceField field = FieldPath.parse(column).in(schema);
      requireMember(schema, field, column, "dropped");
      dropped.add(field.id());
    }
    if (dropped.isEmpty()) {
      throw new IllegalArgumentException("no column is named to be dropped");
    }
    List<LanceField> kept = without(schema, dropped);
    if (kept.isEmpty()) {
      throw new IllegalArgumentException(
          "all columns of the table would be dropped; one at least must stay");
    }
    requireFiles(manifest, kept);
    return project(schema, kept);
  }

  /**
   * Gives a column, or a member of a struct, another name.
   *
   * @param column path, names joined by {@code .}
   * @param name only the last name of the new path
   * @throws IllegalArgumentException when the column does not exist or is part of a list or map, or
   *     cannot have the name, or another one has it
   */
  public static Operation.Project rename(Manifest manifest, String column, String name) {
    LanceSchema schema = manifest.schema();
    LanceField field = FieldPath.parse(column).in(schema);
    requireMember(schema, field, column, "renamed");
    requireName(field, name);
    List<LanceField> fields = new ArrayList<>(schema.fields().size());
    for (LanceField other : schema.fields()) {
      if (other.id() == field.id()) {
        fields.add(field.withName(name));
        continue;
      }
      if (other.parentId() == field.parentId() && other.name().equals(name)) {
        throw new IllegalArgumentException(
            "\"" + column + "\" cannot be called \"" + name + "\": another column is");
      }
      fields.add(other);
    }
    return project(schema, fields);
  }

  private static Operation.Project project(LanceSchema schema, List<LanceField> fields) {
    return new Operation.Project(new LanceSchema(fields, schema.metadata()), UnknownFields.none());
  }

  private static void requireName(LanceField field, String name) {
    if (name.isBlank() || name.indexOf('.') >= 0 || name.indexOf('`') >= 0) {
      throw new IllegalArgumentException(
          "no column can be called \""
              + name
              + "\": a name is not blank and has no '.' and no '`'");
    }
    if (SystemColumns.contains(name) || LINEAGE.contains(name)) {
      throw new IllegalArgumentException(
          "no column can be called \"" + name + "\", which stands for what Lance knows of a row");
    }
    if (field.name().equals(name)) {
      throw new IllegalArgumentException("the column is called \"" + name + "\" already");
    }
  }

  /**
   * What is inside a list or map belongs to its type, and the members of a packed struct share one
   * column.
   */
  private static void requireMember(
      LanceSchema schema, LanceField field, String column, String verb) {
    Map<Integer, LanceField> byId = new HashMap<>();
    schema.fields().forEach(other -> byId.put(other.id(), other));
    LanceField parent = byId.get(field.parentId());
    if (parent == null) {
      return;
    }
    LanceField above = byId.get(parent.parentId());
    boolean inMap = above != null && above.logicalType().equals("map");
    if (!parent.logicalType().equals(STRUCT) || inMap) {
      throw new IllegalArgumentException(
          "\"" + column + "\" is part of a " + parent.logicalType() + " and cannot be " + verb);
    }
    if (verb.equals("dropped") && parent.isPacked()) {
      throw new IllegalArgumentException(
          "\"" + column + "\" is stored in one with all members of its packed struct; drop that");
    }
  }

  private static List<LanceField> without(LanceSchema schema, Set<Integer> dropped) {
    Set<Integer> gone = new HashSet<>(dropped);
    for (LanceField field : schema.fields()) {
      if (gone.contains(field.parentId())) {
        gone.add(field.id());
      }
    }
    // a struct that has lost its last member goes too, and then perhaps the one around it
    for (int i = schema.fields().size() - 1; i >= 0; i--) {
      LanceField field = schema.fields().get(i);
      List<LanceField> children = schema.children(field);
      if (!children.isEmpty() && children.stream().allMatch(child -> gone.contains(child.id()))) {
        gone.add(field.id());
      }
    }
    return schema.fields().stream().filter(field -> !gone.contains(field.id())).toList();
  }

  /** A fragment without files tells no reader of its rows. */
  private static void requireFiles(Manifest manifest, List<LanceField> kept) {
    Set<Integer> ids = new HashSet<>();
    kept.forEach(field -> ids.add(field.id()));
    for (Fragment fragment : manifest.fragments()) {
      boolean left = false;
      for (DataFile file : fragment.files()) {
        left |= file.fields().stream().anyMatch(ids::contains);
      }
      if (!left) {
        throw new IllegalArgumentException(
            "fragment "
                + fragment.id()
                + " would have no data file left, since the other columns are null in all its"
                + " rows; compact the table first");
      }
    }
  }
}
