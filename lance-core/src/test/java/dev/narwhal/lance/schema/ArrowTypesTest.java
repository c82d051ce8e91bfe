package dev.narwhal.lance.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ArrowTypesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "null | Null",
        "bool | Bool",
        "int8 | Int(8, true)",
        "int16 | Int(16, true)",
        "int32 | Int(32, true)",
        "int64 | Int(64, true)",
        "uint8 | Int(8, false)",
        "uint16 | Int(16, false)",
        "uint32 | Int(32, false)",
        "uint64 | Int(64, false)",
        "halffloat | FloatingPoint(HALF)",
        "float | FloatingPoint(SINGLE)",
        "double | FloatingPoint(DOUBLE)",
        "string | Utf8",
        "large_string | LargeUtf8",
        "binary | Binary",
        "large_binary | LargeBinary",
        "json | Utf8",
        "fixed_size_binary:16 | FixedSizeBinary(16)",
        "decimal:128:38:10 | Decimal(38, 10, 128)",
        "decimal:128:9:-2 | Decimal(9, -2, 128)",
        "decimal:256:76:0 | Decimal(76, 0, 256)",
        "date32:day | Date(DAY)",
        "date64:ms | Date(MILLISECOND)",
        "time32:s | Time(SECOND, 32)",
        "time32:ms | Time(MILLISECOND, 32)",
        "time64:us | Time(MICROSECOND, 64)",
        "time64:ns | Time(NANOSECOND, 64)",
        "timestamp:s:- | Timestamp(SECOND, null)",
        "timestamp:us:UTC | Timestamp(MICROSECOND, UTC)",
        "timestamp:ns:Europe/Berlin | Timestamp(NANOSECOND, Europe/Berlin)",
        "timestamp:ms:+05:30 | Timestamp(MILLISECOND, +05:30)",
        "duration:s | Duration(SECOND)",
        "duration:ns | Duration(NANOSECOND)",
        "fixed_size_list:float:4 | FixedSizeList(4)<item: FloatingPoint(SINGLE)>",
        "fixed_size_list:decimal:128:9:2:4 | FixedSizeList(4)<item: Decimal(9, 2, 128)>",
        "fixed_size_list:timestamp:us:+05:30:4 |"
            + " FixedSizeList(4)<item: Timestamp(MICROSECOND, +05:30)>",
        "fixed_size_list:fixed_size_list:int8:3:2 |"
            + " FixedSizeList(2)<item: FixedSizeList(3)<item: Int(8, true)>>",
      })
  void convertsLeaves(String logicalType, String arrowType) {
    Field field = convert(logicalType);
    assertThat(field).hasToString("x: " + arrowType);
    assertThat(field.isNullable()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "int128",
        "decimal:128:39:0",
        "decimal:64:9:2",
        "decimal:128:9",
        "timestamp:us",
        "timestamp:minute:-",
        "fixed_size_binary:0",
        "fixed_size_binary:many",
        "fixed_size_list:4",
        "fixed_size_list:float:0",
        "fixed_size_list:float:-1",
        "fixed_size_list:wonder:4",
        "duration",
        "dict:string",
        "dict:string:float:false",
        "dict::int32:false",
        "union",
      })
  void refusesWhatItDoesNotKnow(String logicalType) {
    assertThatThrownBy(() -> convert(logicalType))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("field 'x'")
        .hasMessageContaining("'" + logicalType + "'");
  }

  @Test
  void marksItemsOfBfloat16() {
    Field item = convert("fixed_size_list:lance.bfloat16:8").getChildren().get(0);
    assertThat(item.getType()).isEqualTo(new ArrowType.FixedSizeBinary(2));
    assertThat(item.getMetadata()).containsEntry("ARROW:extension:name", "lance.bfloat16");
  }

  @Test
  void givesDictionariesTheTypeOfTheirValues() {
    Field field = convert("dict:timestamp:us:+05:30:int16:false");
    assertThat(field.getType()).isEqualTo(new ArrowType.Timestamp(TimeUnit.MICROSECOND, "+05:30"));
    assertThat(field.getDictionary()).isNull();
  }

  @Test
  void givesJsonAsTextWhateverItsStorageIsCalled() {
    LanceField field =
        field(0, -1, "x", "json", true, Map.of("ARROW:extension:name", "lance.json", "k", "v"));
    Field arrow = ArrowTypes.toArrow(new LanceSchema(List.of(field), Map.of()), field);
    assertThat(arrow.getType()).isEqualTo(new ArrowType.Utf8());
    assertThat(arrow.getMetadata())
        .isEqualTo(Map.of("ARROW:extension:name", "arrow.json", "k", "v"));
  }

  @Test
  void givesBlobsAsDescriptorsOrBytes() {
    LanceField first = field(0, -1, "x", "large_binary", true, Map.of("lance-encoding:blob", ""));
    LanceField second =
        field(0, -1, "x", "struct", true, Map.of("ARROW:extension:name", "lance.blob.v2"));
    assertThat(blob(first, BlobMode.DESCRIPTORS))
        .isEqualTo("x: Struct<position: Int(64, false), size: Int(64, false)>");
    assertThat(blob(second, BlobMode.DESCRIPTORS))
        .isEqualTo(
            "x: Struct<kind: Int(8, false) not null, position: Int(64, false) not null,"
                + " size: Int(64, false) not null, blob_id: Int(32, false) not null,"
                + " blob_uri: Utf8 not null>");
    assertThat(blob(first, BlobMode.BYTES)).isEqualTo("x: LargeBinary");
    assertThat(blob(second, BlobMode.BYTES)).isEqualTo("x: LargeBinary");
  }

  private static String blob(LanceField field, BlobMode mode) {
    return ArrowTypes.toArrow(new LanceSchema(List.of(field), Map.of()), mode)
        .getFields()
        .get(0)
        .toString();
  }

  @Test
  void convertsNestedTypesWithTheirChildren() {
    LanceSchema schema =
        new LanceSchema(
            List.of(
                field(0, -1, "s", "struct", false, Map.of()),
                field(1, 0, "l", "list.struct", true, Map.of()),
                field(2, 1, "item", "struct", true, Map.of()),
                field(3, 2, "a", "int32", true, Map.of("k", "v")),
                field(4, 0, "ll", "large_list", true, Map.of()),
                field(5, 4, "item", "float", true, Map.of()),
                field(6, -1, "m", "map", true, Map.of()),
                field(7, 6, "entries", "struct", false, Map.of()),
                field(8, 7, "key", "string", false, Map.of()),
                field(9, 7, "value", "double", true, Map.of()),
                field(10, -1, "f", "fixed_size_list:struct:3", true, Map.of()),
                field(11, 10, "item", "struct", true, Map.of()),
                field(12, 11, "b", "bool", true, Map.of())),
            Map.of("table", "metadata"));
    assertThat(ArrowTypes.toArrow(schema).getFields().stream().map(Field::toString))
        .containsExactly(
            "s: Struct<l: List<item: Struct<a: Int(32, true)>>,"
                + " ll: LargeList<item: FloatingPoint(SINGLE)>> not null",
            "m: Map(false)<entries: Struct<key: Utf8 not null, value: FloatingPoint(DOUBLE)>"
                + " not null>",
            "f: FixedSizeList(3)<item: Struct<b: Bool>>");
    assertThat(ArrowTypes.toArrow(schema).getCustomMetadata()).containsEntry("table", "metadata");
    Field a = ArrowTypes.toArrow(schema, schema.fields().get(3));
    assertThat(a.getMetadata()).isEqualTo(Map.of("k", "v"));
    assertThat(a.getType()).isEqualTo(new ArrowType.Int(32, true));
  }

  @Test
  void refusesListsWithoutAnItem() {
    assertThatThrownBy(() -> convert("list"))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("0 children");
  }

  @ParameterizedTest
  @ValueSource(strings = {"int32", "json", "dict:string:int8:false", "fixed_size_list:float:4"})
  void refusesLeavesWithChildren(String logicalType) {
    LanceField leaf = field(0, -1, "x", logicalType, true, Map.of());
    LanceField child = field(1, 0, "y", "int32", true, Map.of());
    LanceSchema schema = new LanceSchema(List.of(leaf, child), Map.of());
    assertThatThrownBy(() -> ArrowTypes.toArrow(schema, leaf))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("with 1 children, expected none");
  }

  @Test
  void keepsExtensionMetadata() {
    LanceField field =
        field(0, -1, "x", "double", true, Map.of("ARROW:extension:name", "example.length"));
    Field arrow = ArrowTypes.toArrow(new LanceSchema(List.of(field), Map.of()), field);
    assertThat(arrow.getMetadata()).containsEntry("ARROW:extension:name", "example.length");
    assertThat(arrow.getType())
        .isEqualTo(new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE));
  }

  private static Field convert(String logicalType) {
    LanceField field = field(0, -1, "x", logicalType, true, Map.of());
    return ArrowTypes.toArrow(new LanceSchema(List.of(field), Map.of()), field);
  }

  private static LanceField field(
      int id,
      int parentId,
      String name,
      String logicalType,
      boolean nullable,
      Map<String, String> metadata) {
    return new LanceField(
        id, parentId, name, logicalType, nullable, metadata, UnknownFields.none());
  }
}
