package dev.narwhal.iceberg.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.narwhal.iceberg.mapping.RowBytes;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RowDecoderTest {
  private static final LocalDateTime MOMENT = LocalDateTime.of(2024, 2, 29, 1, 2, 3, 456_789_000);

  private static final Types.StructType STRUCT =
      Types.StructType.of(
          Types.NestedField.required(20, "x", Types.IntegerType.get()),
          Types.NestedField.optional(21, "y", Types.StringType.get()));

  static Stream<Arguments> values() {
    return Stream.of(
        Arguments.of(Types.IntegerType.get(), null, null),
        Arguments.of(Types.BooleanType.get(), true, true),
        Arguments.of(Types.IntegerType.get(), -7, -7),
        Arguments.of(Types.LongType.get(), Long.MIN_VALUE, Long.MIN_VALUE),
        Arguments.of(Types.FloatType.get(), 1.5f, 1.5f),
        Arguments.of(Types.FloatType.get(), Float.NaN, "NaN"),
        Arguments.of(Types.DoubleType.get(), Double.NEGATIVE_INFINITY, "-Infinity"),
        Arguments.of(Types.DateType.get(), LocalDate.of(1969, 12, 31), "1969-12-31"),
        Arguments.of(Types.TimeType.get(), LocalTime.of(1, 2, 3), "01:02:03"),
        Arguments.of(Types.TimestampType.withoutZone(), MOMENT, "2024-02-29T01:02:03.456789"),
        Arguments.of(
            Types.TimestampType.withZone(),
            MOMENT.atOffset(ZoneOffset.ofHours(2)),
            "2024-02-28T23:02:03.456789Z"),
        Arguments.of(
            Types.TimestampNanoType.withoutZone(),
            MOMENT.plusNanos(1),
            "2024-02-29T01:02:03.456789001"),
        Arguments.of(
            Types.TimestampNanoType.withZone(),
            MOMENT.plusNanos(1).atOffset(ZoneOffset.UTC),
            "2024-02-29T01:02:03.456789001Z"),
        Arguments.of(
            Types.DecimalType.of(38, 2),
            new BigDecimal("-999999999999999999999999999999999999.99"),
            new BigDecimal("-999999999999999999999999999999999999.99")),
        Arguments.of(Types.StringType.get(), "ß\uD83E\uDD84", "ß\uD83E\uDD84"),
        Arguments.of(Types.FixedType.ofLength(2), new byte[] {1, -1}, "Af8="),
        Arguments.of(Types.BinaryType.get(), ByteBuffer.wrap(new byte[] {1, -1}), "Af8="),
        Arguments.of(
            Types.ListType.ofOptional(9, Types.IntegerType.get()),
            Arrays.asList(1, null),
            Arrays.asList(1, null)),
        Arguments.of(Types.ListType.ofOptional(9, Types.IntegerType.get()), List.of(), List.of()),
        Arguments.of(
            Types.UUIDType.get(),
            UUID.fromString("00112233-4455-6677-8899-aabbccddeeff"),
            "00112233-4455-6677-8899-aabbccddeeff"),
        Arguments.of(STRUCT, record(7, null), named("x", 7, "y", null)),
        Arguments.of(
            Types.MapType.ofOptional(9, 10, Types.StringType.get(), STRUCT),
            named("b", record(1, "z"), "a", null),
            List.of(
                named("key", "a", "value", null),
                named("key", "b", "value", named("x", 1, "y", "z")))),
        // longer than the buffer a row begins with
        Arguments.of(Types.StringType.get(), "x".repeat(5_000), "x".repeat(5_000)));
  }

  private static GenericRecord record(int x, @Nullable String y) {
    GenericRecord record = GenericRecord.create(STRUCT);
    record.setField("x", x);
    record.setField("y", y);
    return record;
  }

  private static Map<String, @Nullable Object> named(
      String name, @Nullable Object value, String other, @Nullable Object otherValue) {
    Map<String, @Nullable Object> named = new LinkedHashMap<>();
    named.put(name, value);
    named.put(other, otherValue);
    return named;
  }

  @ParameterizedTest
  @MethodSource("values")
  void showsWhatWasEncoded(Type type, @Nullable Object value, @Nullable Object shown) {
    Schema schema =
        new Schema(
            Types.NestedField.optional(1, "before", Types.IntegerType.get()),
            Types.NestedField.optional(2, "c", type));
    GenericRecord record = GenericRecord.create(schema);
    record.setField("before", 5);
    record.setField("c", value);
    RowBytes bytes = new RowBytes();

    new RecordRowEncoder(schema, bytes).encode(record);
    Map<String, @Nullable Object> row =
        RowDecoder.decode(ByteBuffer.wrap(bytes.array(), 0, bytes.length()), schema);

    assertThat(row).containsEntry("before", 5).hasSize(2);
    assertThat(row.get("c")).isEqualTo(shown);
  }
}
