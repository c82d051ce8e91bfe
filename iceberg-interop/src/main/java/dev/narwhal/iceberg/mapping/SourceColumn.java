package dev.narwhal.iceberg.mapping;

import static java.util.Objects.requireNonNull;

import org.apache.arrow.vector.types.pojo.Field;

/**
 * A top-level column of a Lance dataset.
 *
 * @param lanceFieldId its id in the Lance schema, at least 0
 * @param field its name, type and nullability as Arrow
 */
public record SourceColumn(int lanceFieldId, Field field) {
  public SourceColumn {
    requireNonNull(field, "field");
    if (lanceFieldId < 0) {
      throw new IllegalArgumentException("lanceFieldId must be at least 0: " + lanceFieldId);
    }
  }

  public String name() {
    return field.getName();
  }
}
