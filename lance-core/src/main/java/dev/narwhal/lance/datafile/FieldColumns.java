package dev.narwhal.lance.datafile;

import dev.narwhal.lance.schema.LanceField;
import dev.narwhal.lance.schema.LanceSchema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which columns the fields of a file's own schema have: in 2.0 every node one, from 2.1 on only the
 * leaves, in both depth first. Source: file format sheet 1.8.
 */
public final class FieldColumns {
  private final Map<Integer, List<LanceField>> children = new HashMap<>();
  private final boolean everyNode;
  private final Map<Integer, Integer> firstColumns = new HashMap<>();
  private final Map<Integer, Integer> ownColumns = new HashMap<>();
  private int count;

  public FieldColumns(LanceSchema schema, FileVersion version) {
    this.everyNode = version.hasArrayPages();
    for (LanceField field : schema.fields()) {
      children.computeIfAbsent(field.parentId(), id -> new ArrayList<>()).add(field);
    }
    schema.topLevel().forEach(this::assign);
  }

  /** Columns of the whole schema. */
  public int count() {
    return count;
  }

  /** The field's own column, or the first of its descendants' when it has none; else -1. */
  int firstColumn(LanceField field) {
    return firstColumns.getOrDefault(field.id(), -1);
  }

  /** The column of the field with this id, or -1 when it has none of its own. */
  public int ownColumn(int fieldId) {
    return ownColumns.getOrDefault(fieldId, -1);
  }

  /** Whether the field's children live in its own column. */
  static boolean ownsDescendants(LanceField field) {
    return field.isBlob() || field.isPacked();
  }

  private void assign(LanceField field) {
    firstColumns.put(field.id(), count);
    List<LanceField> below =
        ownsDescendants(field) ? List.of() : children.getOrDefault(field.id(), List.of());
    if (everyNode || below.isEmpty()) {
      ownColumns.put(field.id(), count);
      count++;
    }
    below.forEach(this::assign);
  }
}
