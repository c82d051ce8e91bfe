package dev.narwhal.iceberg.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.IntervalUnit;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TypeMappingTest {
  private static final ArrowType INT32 = new ArrowType.Int(32, true);
  private static final ArrowType TIMESTAMP_NS = new ArrowType.Timestamp(TimeUnit.NANOSECOND, null);

  private static Schema map(Field field, int formatVersion) {
    return TypeMapping.toIceberg(List.of(new SourceColumn(0, field)), formatVersion);
  }

  static Stream<Arguments> types() {
    return Stream.of(
        arguments(new ArrowType.Bool(), Types.BooleanType.get()),
        arguments(new ArrowType.Int(8, true), Types.IntegerType.get()),
        arguments(new ArrowType.Int(16, true), Types.IntegerType.get()),
        arguments(new ArrowType.Int(32, true), Types.IntegerType.get()),
        arguments(new ArrowType.Int(64, true), Types.LongType.get()),
        arguments(new ArrowType.Int(8, false), Types.IntegerType.get()),
        arguments(new ArrowType.Int(16, false), Types.IntegerType.get()),
        arguments(new ArrowType.Int(32, false), Types.LongType.get()),
        arguments(new ArrowType.Int(64, false), Types.DecimalType.of(20, 0)),
        arguments(new ArrowType.FloatingPoint(FloatingPointPrecision.HALF), Types.FloatType.get()),
        arguments(
            new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE), Types.FloatType.get()),
        arguments(
            new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE), Types.DoubleType.get()),
        arguments(new ArrowType.Decimal(1, 0, 128), Types.DecimalType.of(1, 0)),
        arguments(new ArrowType.Decimal(38, 38, 128), Types.DecimalType.of(38, 38)),
        arguments(new ArrowType.Decimal(38, 4, 256), Types.DecimalType.of(38, 4)),
        arguments(new ArrowType.Date(DateUnit.DAY), Types.DateType.get()),
        arguments(new ArrowType.Date(DateUnit.MILLISECOND), Types.DateType.get()),
        arguments(new ArrowType.Time(TimeUnit.SECOND, 32), Types.TimeType.get()),
        arguments(new ArrowType.Time(TimeUnit.MILLISECOND, 32), Types.TimeType.get()),
        arguments(new ArrowType.Time(TimeUnit.MICROSECOND, 64), Types.TimeType.get()),
        arguments(new ArrowType.Time(TimeUnit.NANOSECOND, 64), Types.TimeType.get()),
        arguments(
            new ArrowType.Timestamp(TimeUnit.SECOND, null), Types.TimestampType.withoutZone()),
        arguments(
            new ArrowType.Timestamp(TimeUnit.MILLISECOND, "UTC"), Types.TimestampType.withZone()),
        arguments(
            new ArrowType.Timestamp(TimeUnit.MICROSECOND, "+02:00"),
            Types.TimestampType.withZone()),
        arguments(TIMESTAMP_NS, Types.TimestampNanoType.withoutZone()),
        arguments(
            new ArrowType.Timestamp(TimeUnit.NANOSECOND, "UTC"),
            Types.TimestampNanoType.withZone()),
        arguments(new ArrowType.Utf8(), Types.StringType.get()),
        arguments(new ArrowType.LargeUtf8(), Types.StringType.get()),
        arguments(new ArrowType.Binary(), Types.BinaryType.get()),
        arguments(new ArrowType.LargeBinary(), Types.BinaryType.get()),
        arguments(new ArrowType.FixedSizeBinary(16), Types.FixedType.ofLength(16)));
  }

  @ParameterizedTest
  @MethodSource("types")
  void mapsEveryPrimitiveAndKeepsNullability(ArrowType arrow, Type iceberg) {
    assertThat(map(Field.nullable("c", arrow), 3).findField("c"))
        .satisfies(
            field -> {
              assertThat(field.type()).isEqualTo(iceberg);
              assertThat(field.isOptional()).isTrue();
            });
    assertThat(map(Field.notNullable("c", arrow), 3).findField("c").isRequired()).isTrue();
  }

  @ParameterizedTest
  @MethodSource("types")
  void mapsListsOfEveryPrimitive(ArrowType arrow, Type iceberg) {
    Field list = list(Field.notNullable("item", arrow));

    Types.ListType type = map(list, 3).findField("c").type().asListType();

    assertThat(type.elementType()).isEqualTo(iceberg);
    assertThat(type.isElementRequired()).isTrue();
    assertThat(
            map(list(Field.nullable("item", arrow)), 3)
                .findField("c")
                .type()
                .asListType()
                .isElementOptional())
        .isTrue();
  }

  private static Field list(Field element) {
    return new Field("c", FieldType.nullable(new ArrowType.FixedSizeList(3)), List.of(element));
  }

  private static Field of(ArrowType type, Field... children) {
    return new Field("c", FieldType.nullable(type), List.of(children));
  }

  private static Field withMetadata(String key, String value) {
    return new Field(
        "c", new FieldType(true, new ArrowType.Binary(), null, Map.of(key, value)), null);
  }

  static Stream<Arguments> refusals() {
    Field item = Field.nullable("item", INT32);
    return Stream.of(
        arguments("durations", of(new ArrowType.Duration(TimeUnit.SECOND))),
        arguments("intervals", of(new ArrowType.Interval(IntervalUnit.DAY_TIME))),
        arguments("without values", of(new ArrowType.Null())),
        arguments("at most 38 digits", of(new ArrowType.Decimal(39, 0, 256))),
        arguments("scale", of(new ArrowType.Decimal(5, -1, 128))),
        arguments("scale", of(new ArrowType.Decimal(5, 6, 128))),
        arguments("without bytes", of(new ArrowType.FixedSizeBinary(0))),
        arguments("nested", of(new ArrowType.Struct(), item)),
        arguments("nested", of(new ArrowType.List(), item)),
        arguments("nested", of(new ArrowType.LargeList(), item)),
        arguments("nested", of(new ArrowType.Map(false), of(new ArrowType.Struct(), item, item))),
        arguments("lists of primitive elements", list(of(new ArrowType.FixedSizeList(2), item))),
        arguments("durations", list(of(new ArrowType.Duration(TimeUnit.SECOND)))),
        arguments("views", of(new ArrowType.Utf8View())),
        arguments("views", of(new ArrowType.BinaryView())),
        arguments("lance.bfloat16", withMetadata("ARROW:extension:name", "lance.bfloat16")),
        arguments("blob", withMetadata("lance-encoding:blob", "true")),
        arguments(
            "dictionary",
            new Field(
                "c", new FieldType(true, INT32, new DictionaryEncoding(1, false, null)), null)));
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void refusesByColumnTypeAndReason(String reason, Field field) {
    assertThatThrownBy(() -> map(field, 3))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining(reason)
        .hasMessageMatching("column c(\\.\\w+)? of type .+: .+");
  }

  @Test
  void refusesNanosecondTimestampsInFormatVersion2() {
    assertThatThrownBy(() -> map(Field.nullable("t", TIMESTAMP_NS), 2))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessage(
            "column t of type Timestamp(NANOSECOND, null): nanosecond timestamps need format"
                + " version 3, the table has version 2");
  }

  @Test
  void refusesTheNameOfAMetadataColumn() {
    assertThatThrownBy(() -> map(Field.nullable("_pos", INT32), 3))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("_pos")
        .hasMessageContaining("metadata columns");
  }

  @Test
  void fieldIdsSurviveTheTableProperty() {
    List<SourceColumn> columns =
        List.of(
            new SourceColumn(7, Field.nullable("a", INT32)),
            new SourceColumn(0, list(Field.nullable("item", INT32))));
    Schema created =
        new Schema(
            Types.NestedField.optional(1, "a", Types.IntegerType.get()),
            Types.NestedField.optional(
                2, "c", Types.ListType.ofOptional(3, Types.IntegerType.get())));

    FieldIds ids = FieldIds.of(columns, created);

    assertThat(ids.toJson()).isEqualTo("{\"0\":2,\"7\":1}");
    assertThat(FieldIds.fromJson(ids.toJson())).isEqualTo(ids);
    assertThatThrownBy(() -> FieldIds.fromJson("[1]"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("[1]");
  }
}
