package dev.narwhal.iceberg.mapping;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.OptionalInt;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * A column of a Lance dataset, or a field below one.
 *
 * @param lanceFieldId its id in the Lance schema, at least 0; empty where Lance has no field of its
 *     own, as for the items of a fixed-size list of numbers
 * @param field its name, type and nullability as Arrow
 * @param children one for each child of {@code field}, in order
 */
public record SourceField(OptionalInt lanceFieldId, Field field, List<SourceField> children) {
  public SourceField {
    requireNonNull(field, "field");
    children = List.copyOf(children);
    if (lanceFieldId.isPresent() && lanceFieldId.getAsInt() < 0) {
      throw new IllegalArgumentException("lanceFieldId must be at least 0: " + lanceFieldId);
    }
    if (!children.stream().map(SourceField::field).toList().equals(field.getChildren())) {
      throw new IllegalArgumentException(
          "children " + children + " are not those of " + field.getName());
    }
  }

  /** A field below which Lance has none. */
  public static SourceField of(int lanceFieldId, Field field) {
    return new SourceField(OptionalInt.of(lanceFieldId), field, implied(field.getChildren()));
  }

  private static List<SourceField> implied(List<Field> fields) {
    return fields.stream()
        .map(field -> new SourceField(OptionalInt.empty(), field, implied(field.getChildren())))
        .toList();
  }

  public String name() {
    return field.getName();
  }
}
