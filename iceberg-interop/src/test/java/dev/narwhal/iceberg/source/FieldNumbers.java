package dev.narwhal.iceberg.source;

import dev.narwhal.iceberg.mapping.SourceField;
import java.util.OptionalInt;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/** Gives Lance field ids depth first, with gaps, as after dropped columns. */
final class FieldNumbers {
  private int next;

  /** Lance has no field for the items of a fixed-size list of primitives. */
  SourceField next(Field field) {
    int id = next;
    next += 2;
    if (field.getType() instanceof ArrowType.FixedSizeList
        && !(field.getChildren().get(0).getType() instanceof ArrowType.Struct)) {
      return SourceField.of(id, field);
    }
    return new SourceField(
        OptionalInt.of(id), field, field.getChildren().stream().map(this::next).toList());
  }
}
