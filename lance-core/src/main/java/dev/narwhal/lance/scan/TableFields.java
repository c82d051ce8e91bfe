package dev.narwhal.lance.scan;

import dev.narwhal.lance.schema.FieldTree;
import dev.narwhal.lance.schema.LanceSchema;
import java.util.LinkedHashMap;
import java.util.Map;

/** The top-level columns of a table by their names; of two with one name, the first. */
final class TableFields {
  private final Map<String, FieldTree> byName = new LinkedHashMap<>();

  TableFields(LanceSchema schema) {
    for (FieldTree tree : FieldTree.topLevel(schema)) {
      byName.putIfAbsent(tree.field().name(), tree);
    }
  }

  /**
   * A column by its exact name.
   *
   * @throws IllegalArgumentException if there is none
   */
  FieldTree get(String name) {
    FieldTree tree = byName.get(name);
    if (tree == null) {
      throw new IllegalArgumentException(
          "no column '" + name + "'; the table has " + byName.keySet());
    }
    return tree;
  }
}
