package dev.narwhal.lance.schema;

import java.util.List;
import java.util.Map;

/**
 * The fields of a table or data file, depth first, a parent before its children.
 *
 * @param metadata Arrow schema metadata
 */
public record LanceSchema(List<LanceField> fields, Map<String, String> metadata) {
  public LanceSchema {
    fields = List.copyOf(fields);
    metadata = Map.copyOf(metadata);
  }

  /** The top-level fields, in order. */
  public List<LanceField> topLevel() {
    return fields.stream().filter(field -> field.parentId() < 0).toList();
  }

  /** The direct children of a field, in order. */
  public List<LanceField> children(LanceField parent) {
    return fields.stream().filter(field -> field.parentId() == parent.id()).toList();
  }
}
