package dev.narwhal.iceberg.source;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.jspecify.annotations.Nullable;

/** Nested sample columns, with nulls, empty lists and garbage under nulls at every level. */
public final class NestedColumns {
  private static final ArrowType INT32 = new ArrowType.Int(32, true);
  private static final ArrowType INT64 = new ArrowType.Int(64, true);
  private static final ArrowType UINT64 = new ArrowType.Int(64, false);
  private static final ArrowType UTF8 = new ArrowType.Utf8();
  private static final ArrowType FLOAT = new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
  private static final ArrowType DOUBLE =
      new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);

  private static final List<Field> FIELDS =
      List.of(
          struct(
              "st",
              true,
              leaf("a", INT32, true),
              leaf("b", UTF8, false),
              struct("in", true, leaf("z", DOUBLE, true), leaf("f", FLOAT, false))),
          struct("st_required", false, leaf("u", UINT64, true), leaf("k", INT64, false)),
          list("l_int", true, leaf("item", INT32, true)),
          list("l_str", false, leaf("item", UTF8, false)),
          list("l_float", true, leaf("item", FLOAT, true)),
          large("ll", true, list("item", true, leaf("item", DOUBLE, true))),
          list("lll", true, list("item", false, list("item", true, leaf("item", INT64, false)))),
          list(
              "l_struct",
              true,
              struct(
                  "item",
                  true,
                  leaf("m", INT32, true),
                  list("n", true, struct("item", false, leaf("deep", UTF8, true))))),
          map("m", true, leaf("key", UTF8, false), leaf("value", INT32, true)),
          map("m_required", false, leaf("key", INT64, false), leaf("value", UTF8, false)),
          map(
              "m_nested",
              true,
              leaf("key", UTF8, false),
              struct(
                  "value",
                  true,
                  leaf("x", FLOAT, true),
                  map(
                      "y",
                      true,
                      leaf("key", INT32, false),
                      list("value", true, leaf("item", UTF8, true))))),
          list(
              "l_map",
              true,
              map("item", true, leaf("key", UTF8, false), leaf("value", INT64, true))),
          fixed("matrix", true, 2, fixed("item", true, 3, leaf("item", FLOAT, false))),
          fixed(
              "points",
              true,
              2,
              struct("item", true, leaf("x", INT32, false), leaf("y", INT32, true))),
          fixed("brains", true, 4, extension("item", "lance.bfloat16", 2)),
          list(
              "timestamps",
              true,
              leaf("item", new ArrowType.Timestamp(TimeUnit.MILLISECOND, "UTC"), true)),
          struct("s_uuid", true, extension("id", "arrow.uuid", 16)));

  private NestedColumns() {}

  /** Flat and nested columns for a format version. */
  public static List<SampleColumn> andFlatOnes(int formatVersion) {
    List<SampleColumn> columns =
        new ArrayList<>(
            formatVersion < 3 ? SampleColumns.ofVersion2() : SampleColumns.ofVersion3());
    FIELDS.forEach(field -> columns.add(of(field)));
    if (formatVersion >= 3) {
      columns.add(of(leaf("nothing", new ArrowType.Null(), true)));
      columns.add(
          of(
              struct(
                  "s_nothing",
                  true,
                  leaf("nothing", new ArrowType.Null(), true),
                  leaf("x", INT32, true))));
    }
    return columns;
  }

  /** A column of made-up values of any type that {@link SampleValues} knows. */
  public static SampleColumn of(Field field) {
    return new SampleColumn(
        field,
        (vector, index, i) -> SampleValues.set(vector, index, SampleValues.value(field, i)),
        i -> SampleValues.expected(field, SampleValues.value(field, i)));
  }

  /**
   * A column of one and the same value.
   *
   * @param value as {@link SampleValues} has it: structs and map entries are lists of their parts
   */
  public static SampleColumn always(Field field, @Nullable Object value) {
    return new SampleColumn(
        field,
        (vector, index, i) -> SampleValues.set(vector, index, value),
        i -> SampleValues.expected(field, value));
  }

  private static Field leaf(String name, ArrowType type, boolean nullable) {
    return new Field(name, new FieldType(nullable, type, null), null);
  }

  private static Field extension(String name, String extension, int width) {
    return new Field(
        name,
        new FieldType(
            true,
            new ArrowType.FixedSizeBinary(width),
            null,
            Map.of(ArrowType.ExtensionType.EXTENSION_METADATA_KEY_NAME, extension)),
        null);
  }

  public static Field struct(String name, boolean nullable, Field... fields) {
    return new Field(name, new FieldType(nullable, new ArrowType.Struct(), null), List.of(fields));
  }

  public static Field list(String name, boolean nullable, Field item) {
    return new Field(name, new FieldType(nullable, new ArrowType.List(), null), List.of(item));
  }

  private static Field large(String name, boolean nullable, Field item) {
    return new Field(name, new FieldType(nullable, new ArrowType.LargeList(), null), List.of(item));
  }

  private static Field fixed(String name, boolean nullable, int size, Field item) {
    return new Field(
        name, new FieldType(nullable, new ArrowType.FixedSizeList(size), null), List.of(item));
  }

  public static Field map(String name, boolean nullable, Field key, Field value) {
    return new Field(
        name,
        new FieldType(nullable, new ArrowType.Map(false), null),
        List.of(struct("entries", false, key, value)));
  }
}
