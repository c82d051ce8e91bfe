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

class TableMappingTest {
  private static final ArrowType INT32 = new ArrowType.Int(32, true);
  private static final Field ITEM = Field.nullable("item", INT32);
  private static final ArrowType TIMESTAMP_NS = new ArrowType.Timestamp(TimeUnit.NANOSECOND, null);

  private static Schema map(Field field, int formatVersion) {
    return map(field, MappingRules.ofVersion(formatVersion)).schema();
  }

  private static TableMapping map(Field field, MappingRules rules) {
    return TableMapping.of(List.of(SourceField.of(0, field)), rules);
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
    for (ArrowType list :
        List.of(new ArrowType.List(), new ArrowType.LargeList(), new ArrowType.FixedSizeList(3))) {
      Types.ListType required = list(list, Field.notNullable("item", arrow));
      Types.ListType optional = list(list, Field.nullable("item", arrow));

      assertThat(required.elementType()).isEqualTo(iceberg);
      assertThat(required.isElementRequired()).isTrue();
      assertThat(optional.isElementOptional()).isTrue();
    }
  }

  private static Types.ListType list(ArrowType list, Field element) {
    return map(of(list, element), 3).findField("c").type().asListType();
  }

  @Test
  void mapsStructsMapsAndListsOfEachOther() {
    Field entries =
        new Field(
            "entries",
            FieldType.notNullable(new ArrowType.Struct()),
            List.of(
                Field.notNullable("k", new ArrowType.Utf8()),
                new Field(
                    "v",
                    FieldType.nullable(new ArrowType.FixedSizeList(2)),
                    List.of(
                        new Field(
                            "item",
                            FieldType.notNullable(new ArrowType.Struct()),
                            List.of(Field.nullable("x", INT32), Field.notNullable("y", INT32)))))));

    assertThat(map(of(new ArrowType.Map(false), entries), 2).findField("c").type())
        .isEqualTo(
            Types.MapType.ofOptional(
                2,
                3,
                Types.StringType.get(),
                Types.ListType.ofRequired(
                    4,
                    Types.StructType.of(
                        Types.NestedField.optional(5, "x", Types.IntegerType.get()),
                        Types.NestedField.required(6, "y", Types.IntegerType.get())))));
  }

  static Stream<Arguments> extensions() {
    return Stream.of(
        arguments("arrow.uuid", new ArrowType.FixedSizeBinary(16), Types.UUIDType.get()),
        arguments("lance.bfloat16", new ArrowType.FixedSizeBinary(2), Types.FloatType.get()),
        arguments("lance.blob.v2", new ArrowType.LargeBinary(), Types.BinaryType.get()),
        arguments("arrow.json", new ArrowType.Utf8(), Types.StringType.get()),
        arguments("lance.json", new ArrowType.LargeUtf8(), Types.StringType.get()));
  }

  @ParameterizedTest
  @MethodSource("extensions")
  void extensionTypesThatAreKnownMapByTheirMeaning(
      String extension, ArrowType storage, Type iceberg) {
    assertThat(map(extension(extension, storage), 2).findField("c").type()).isEqualTo(iceberg);
  }

  @Test
  void blobsAndDictionariesMapByTheirValues() {
    Field blob =
        new Field(
            "c",
            new FieldType(
                true, new ArrowType.LargeBinary(), null, Map.of("lance-encoding:blob", "true")),
            null);
    Field dictionary =
        new Field(
            "c",
            new FieldType(true, new ArrowType.Utf8(), new DictionaryEncoding(1, false, null)),
            null);

    assertThat(map(blob, 2).findField("c").type()).isEqualTo(Types.BinaryType.get());
    assertThat(map(dictionary, 2).findField("c").type()).isEqualTo(Types.StringType.get());
  }

  @Test
  void whatIsAlwaysNullIsUnknownFromFormatVersion3On() {
    Field struct = of(new ArrowType.Struct(), Field.nullable("n", new ArrowType.Null()), ITEM);

    assertThat(map(struct, 3).findField("c.n").type()).isEqualTo(Types.UnknownType.get());
    assertThatThrownBy(() -> map(struct, 2))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessage(
            "column c.n of type Null: columns that are always null need format version 3, the"
                + " table has version 2");
  }

  private static Field of(ArrowType type, Field... children) {
    return new Field("c", FieldType.nullable(type), List.of(children));
  }

  private static Field extension(String name, ArrowType storage, Field... children) {
    return new Field(
        "c",
        new FieldType(true, storage, null, Map.of("ARROW:extension:name", name)),
        List.of(children));
  }

  private static Field entries(Field key, Field value) {
    return new Field("entries", FieldType.notNullable(new ArrowType.Struct()), List.of(key, value));
  }

  static Stream<Arguments> refusals() {
    Field duration = Field.nullable("item", new ArrowType.Duration(TimeUnit.SECOND));
    Field key = Field.notNullable("key", INT32);
    return Stream.of(
        arguments("c", "durations", of(new ArrowType.Duration(TimeUnit.SECOND))),
        arguments("c", "intervals", of(new ArrowType.Interval(IntervalUnit.DAY_TIME))),
        arguments("c", "at most 38 digits", of(new ArrowType.Decimal(39, 0, 256))),
        arguments("c", "scale", of(new ArrowType.Decimal(5, -1, 128))),
        arguments("c", "scale", of(new ArrowType.Decimal(5, 6, 128))),
        arguments("c", "without bytes", of(new ArrowType.FixedSizeBinary(0))),
        arguments("c", "needs a field", of(new ArrowType.Struct())),
        arguments(
            "c",
            "needs a field",
            of(new ArrowType.Struct(), Field.nullable("n", new ArrowType.Null()))),
        arguments("c.item", "durations", of(new ArrowType.Struct(), duration)),
        arguments("c.element", "durations", of(new ArrowType.List(), duration)),
        arguments("c.element", "durations", of(new ArrowType.FixedSizeList(2), duration)),
        arguments(
            "c.element.element",
            "durations",
            of(new ArrowType.List(), of(new ArrowType.LargeList(), duration))),
        arguments("c.value", "durations", of(new ArrowType.Map(false), entries(key, duration))),
        arguments("c.key", "durations", of(new ArrowType.Map(false), entries(duration, key))),
        arguments(
            "c", "keys and values", of(new ArrowType.Map(false), of(new ArrowType.Struct(), key))),
        arguments(
            "c.element",
            "always null",
            of(new ArrowType.List(), Field.nullable("item", new ArrowType.Null()))),
        arguments("c", "views", of(new ArrowType.Utf8View())),
        arguments("c", "views", of(new ArrowType.BinaryView())),
        arguments("c", "no such type", of(new ArrowType.ListView(), key)),
        arguments("c", "some.thing", extension("some.thing", INT32)),
        arguments("c", "their bytes", extension("lance.blob.v2", new ArrowType.Struct(), ITEM)),
        arguments("c", "16 bytes", extension("arrow.uuid", new ArrowType.FixedSizeBinary(15))),
        arguments("c", "2 bytes", extension("lance.bfloat16", new ArrowType.Binary())),
        arguments("c", "from text", extension("arrow.json", new ArrowType.Binary())));
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void refusesByPathTypeAndReason(String path, String reason, Field field) {
    assertThatThrownBy(() -> map(field, 3))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageStartingWith("column " + path + " of type ")
        .hasMessageContaining(reason);
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void theTextOfWhatIsRefusedTakesItsPlaceOnRequest(String path, String reason, Field field) {
    TableMapping mapping = map(field, new MappingRules(3, Unsupported.STRING));

    assertThat(mapping.schema().findType(path)).isEqualTo(Types.StringType.get());
    assertThat(mapping.rendered())
        .singleElement()
        .satisfies(
            exemption -> {
              assertThat(exemption.column()).isEqualTo(path);
              assertThat(exemption.reason()).contains("column " + path, reason);
            });
    assertThat(mapping.dropped()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void theColumnOfWhatIsRefusedIsDroppedOnRequest(String path, String reason, Field field) {
    List<SourceField> columns =
        List.of(
            SourceField.of(0, Field.nullable("before", INT32)),
            SourceField.of(1, field),
            SourceField.of(2, Field.nullable("after", INT32)));

    TableMapping mapping = TableMapping.of(columns, new MappingRules(3, Unsupported.DROP));

    assertThat(mapping.schema().columns())
        .extracting(Types.NestedField::name)
        .containsExactly("before", "after");
    assertThat(mapping.sources()).containsExactly(columns.get(0), columns.get(2));
    assertThat(mapping.dropped())
        .singleElement()
        .satisfies(
            exemption -> {
              assertThat(exemption.column()).isEqualTo("c");
              assertThat(exemption.reason()).contains("column c");
            });
    assertThat(mapping.rendered()).isEmpty();
  }

  @Test
  void nanosecondTimesMapByValueUnlessThereIsAPolicyThatCannotFail() {
    List<SourceField> columns =
        List.of(
            SourceField.of(0, ITEM),
            SourceField.of(1, Field.nullable("t", new ArrowType.Time(TimeUnit.NANOSECOND, 64))));

    assertThat(
            TableMapping.of(columns, new MappingRules(3, Unsupported.STRING))
                .schema()
                .findType("t"))
        .isEqualTo(Types.StringType.get());
    assertThat(TableMapping.of(columns, new MappingRules(3, Unsupported.DROP)).dropped())
        .extracting(Exemption::column)
        .containsExactly("t");
    assertThat(TableMapping.of(columns, MappingRules.ofVersion(3)).schema().findType("t"))
        .isEqualTo(Types.TimeType.get());
  }

  @Test
  void onlyTheFieldOfAStructIsDropped() {
    Field inner =
        new Field(
            "in",
            FieldType.nullable(new ArrowType.Struct()),
            List.of(Field.nullable("d", new ArrowType.Duration(TimeUnit.SECOND)), ITEM));
    Field list = of(new ArrowType.List(), inner);

    TableMapping mapping = map(list, new MappingRules(2, Unsupported.DROP));

    assertThat(mapping.schema().findType("c.element").asStructType().fields())
        .extracting(Types.NestedField::name)
        .containsExactly("item");
    assertThat(mapping.columns().get(0).children().get(0).children().get(0).position())
        .isEqualTo(1);
    assertThat(mapping.dropped()).extracting(Exemption::column).containsExactly("c.element.d");
  }

  @Test
  void aTableNeedsAColumn() {
    Field duration = of(new ArrowType.Duration(TimeUnit.SECOND));
    assertThatThrownBy(() -> map(duration, new MappingRules(3, Unsupported.DROP)))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("no column is left")
        .hasMessageContaining("column c of type Duration");
    assertThatThrownBy(() -> map(of(new ArrowType.Null()), 3))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("no column is left");
  }

  @Test
  void refusesNamesThatAreOneOnceWrittenWithDots() {
    List<SourceField> columns =
        List.of(
            SourceField.of(0, of(new ArrowType.List(), ITEM)),
            SourceField.of(1, Field.nullable("c.element", INT32)));
    assertThatThrownBy(() -> TableMapping.of(columns, MappingRules.ofVersion(3)))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("rename a column")
        .hasMessageContaining("c.element");
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
  void aTextHelpsNoColumnWithTheNameOfAMetadataColumnButDroppingDoes() {
    List<SourceField> columns =
        List.of(SourceField.of(0, ITEM), SourceField.of(1, Field.nullable("_pos", INT32)));

    assertThatThrownBy(() -> TableMapping.of(columns, new MappingRules(3, Unsupported.STRING)))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("metadata columns");
    assertThat(TableMapping.of(columns, new MappingRules(3, Unsupported.DROP)).dropped())
        .extracting(Exemption::column)
        .containsExactly("_pos");
    assertThat(
            map(of(new ArrowType.Struct(), Field.nullable("_pos", INT32)), 3).findField("c._pos"))
        .isNotNull();
  }

  @Test
  void policiesAreKnownByTheirNames() {
    for (Unsupported policy : Unsupported.values()) {
      assertThat(Unsupported.parse(policy.text())).isEqualTo(policy);
    }
    assertThatThrownBy(() -> Unsupported.parse("DROP"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "unknown policy DROP for unsupported types, expected one of fail, drop, string");
  }
}
