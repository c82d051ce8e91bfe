package dev.narwhal.iceberg.source;

import java.util.Map;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.jspecify.annotations.Nullable;

/**
 * A column of made-up values: how row {@code i} lies in an Arrow vector, and as what Iceberg's
 * generic reader must give it back.
 */
public final class SampleColumn {
  /** Puts the value of dataset row {@code i} at {@code index} of a vector. */
  public interface Setter<V> {
    void set(V vector, int index, int i);
  }

  /** The value of dataset row {@code i} as Iceberg's generic records hold it. */
  public interface Expected {
    @Nullable Object of(int i);
  }

  private static final int NULL_EVERY = 7;

  private final Field field;
  private final Setter<FieldVector> setter;
  private final Expected expected;

  SampleColumn(Field field, Setter<FieldVector> setter, Expected expected) {
    this.field = field;
    this.setter = setter;
    this.expected = expected;
  }

  public static <V extends FieldVector> SampleColumn required(
      String name, ArrowType type, Class<V> vector, Setter<V> setter, Expected expected) {
    return of(new Field(name, FieldType.notNullable(type), null), vector, setter, expected);
  }

  /** Null in every seventh row, from row 3 on. */
  public static <V extends FieldVector> SampleColumn nullable(
      String name, ArrowType type, Class<V> vector, Setter<V> setter, Expected expected) {
    return of(new Field(name, FieldType.nullable(type), null), vector, setter, expected);
  }

  public static <V extends FieldVector> SampleColumn of(
      Field field, Class<V> vector, Setter<V> setter, Expected expected) {
    boolean nulls = field.isNullable();
    return new SampleColumn(
        field,
        (target, index, i) -> {
          if (nulls && isNull(i)) {
            target.setNull(index);
          } else {
            setter.set(vector.cast(target), index, i);
          }
        },
        i -> nulls && isNull(i) ? null : expected.of(i));
  }

  /** The same column with extension or encoding metadata. */
  public SampleColumn withMetadata(Map<String, String> metadata) {
    FieldType type = new FieldType(field.isNullable(), field.getType(), null, metadata);
    return new SampleColumn(
        new Field(field.getName(), type, field.getChildren()), setter, expected);
  }

  private static boolean isNull(int i) {
    return i % NULL_EVERY == 3;
  }

  public Field field() {
    return field;
  }

  public void set(FieldVector vector, int index, int i) {
    setter.set(vector, index, i);
  }

  public @Nullable Object expected(int i) {
    return expected.of(i);
  }
}
