package dev.narwhal.iceberg.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DateMilliVector;
import org.apache.arrow.vector.Decimal256Vector;
import org.apache.arrow.vector.DurationVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.Float2Vector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.IntervalDayVector;
import org.apache.arrow.vector.IntervalMonthDayNanoVector;
import org.apache.arrow.vector.IntervalYearVector;
import org.apache.arrow.vector.LargeVarBinaryVector;
import org.apache.arrow.vector.SmallIntVector;
import org.apache.arrow.vector.TimeNanoVector;
import org.apache.arrow.vector.TimeSecVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.TinyIntVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.UInt2Vector;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.IntervalUnit;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ArrowTextTest {
  private static final ArrowType INT = new ArrowType.Int(32, true);

  private static <V extends FieldVector> Arguments value(
      String text, ArrowType type, Class<V> vector, Consumer<V> setter) {
    return arguments(text, type, (Consumer<FieldVector>) v -> setter.accept(vector.cast(v)));
  }

  private static Arguments signed(int bits, Consumer<FieldVector> setter, String text) {
    return arguments(text, new ArrowType.Int(bits, true), setter);
  }

  private static Arguments timestamp(
      String text, TimeUnit unit, @Nullable String zone, long stored) {
    return value(
        text, new ArrowType.Timestamp(unit, zone), TimeStampVector.class, v -> v.set(0, stored));
  }

  private static Arguments duration(String text, TimeUnit unit, long stored) {
    return value(text, new ArrowType.Duration(unit), DurationVector.class, v -> v.set(0, stored));
  }

  private static ArrowType floating(FloatingPointPrecision precision) {
    return new ArrowType.FloatingPoint(precision);
  }

  static Stream<Arguments> scalars() {
    return Stream.of(
        value("true", new ArrowType.Bool(), BitVector.class, v -> v.set(0, 1)),
        signed(8, v -> ((TinyIntVector) v).set(0, -7), "-7"),
        signed(16, v -> ((SmallIntVector) v).set(0, -700), "-700"),
        signed(32, v -> ((IntVector) v).set(0, Integer.MIN_VALUE), "-2147483648"),
        signed(64, v -> ((BigIntVector) v).set(0, Long.MAX_VALUE), "9223372036854775807"),
        value("255", new ArrowType.Int(8, false), UInt1Vector.class, v -> v.set(0, -1)),
        value("65535", new ArrowType.Int(16, false), UInt2Vector.class, v -> v.set(0, -1)),
        value("4294967295", new ArrowType.Int(32, false), UInt4Vector.class, v -> v.set(0, -1)),
        value(
            "18446744073709551615",
            new ArrowType.Int(64, false),
            UInt8Vector.class,
            v -> v.set(0, -1L)),
        value(
            "1.5",
            floating(FloatingPointPrecision.HALF),
            Float2Vector.class,
            v -> v.setWithPossibleTruncate(0, 1.5f)),
        value(
            "0.1",
            floating(FloatingPointPrecision.SINGLE),
            Float4Vector.class,
            v -> v.set(0, 0.1f)),
        value(
            "0.002",
            floating(FloatingPointPrecision.DOUBLE),
            Float8Vector.class,
            v -> v.set(0, 2e-3)),
        value(
            "NaN",
            floating(FloatingPointPrecision.SINGLE),
            Float4Vector.class,
            v -> v.set(0, Float.NaN)),
        value(
            "-Infinity",
            floating(FloatingPointPrecision.DOUBLE),
            Float8Vector.class,
            v -> v.set(0, Double.NEGATIVE_INFINITY)),
        value(
            "-0.00000000000000000000000000000000000000000000000001",
            new ArrowType.Decimal(76, 50, 256),
            Decimal256Vector.class,
            v -> v.set(0, new BigDecimal("-1E-50"))),
        value(
            "a\"ß",
            new ArrowType.Utf8(),
            VarCharVector.class,
            v -> v.setSafe(0, "a\"ß".getBytes(StandardCharsets.UTF_8))),
        value(
            "Af8=",
            new ArrowType.LargeBinary(),
            LargeVarBinaryVector.class,
            v -> v.setSafe(0, new byte[] {1, -1})),
        value(
            "Af8=",
            new ArrowType.FixedSizeBinary(2),
            FixedSizeBinaryVector.class,
            v -> v.setSafe(0, new byte[] {1, -1})),
        value(
            "1969-12-31", new ArrowType.Date(DateUnit.DAY), DateDayVector.class, v -> v.set(0, -1)),
        value(
            "1970-01-02",
            new ArrowType.Date(DateUnit.MILLISECOND),
            DateMilliVector.class,
            v -> v.set(0, 86_400_000L)),
        value(
            "1970-01-01T00:00:00.001",
            new ArrowType.Date(DateUnit.MILLISECOND),
            DateMilliVector.class,
            v -> v.set(0, 1L)),
        value(
            "10:00:00",
            new ArrowType.Time(TimeUnit.SECOND, 32),
            TimeSecVector.class,
            v -> v.set(0, 36_000)),
        value(
            "00:00:00.000000001",
            new ArrowType.Time(TimeUnit.NANOSECOND, 64),
            TimeNanoVector.class,
            v -> v.set(0, 1)),
        value(
            "-1", new ArrowType.Time(TimeUnit.SECOND, 32), TimeSecVector.class, v -> v.set(0, -1)),
        timestamp("1970-01-01T00:00:00", TimeUnit.SECOND, null, 0),
        timestamp("1969-12-31T23:59:59.999Z", TimeUnit.MILLISECOND, "+02:00", -1),
        timestamp("1969-12-31T23:59:59.999999999", TimeUnit.NANOSECOND, null, -1),
        timestamp("9223372036854775807", TimeUnit.SECOND, "UTC", Long.MAX_VALUE),
        duration("PT2M", TimeUnit.SECOND, 120),
        duration("PT-0.001S", TimeUnit.MILLISECOND, -1),
        duration("PT2562047788015H12M55.807S", TimeUnit.MILLISECOND, Long.MAX_VALUE),
        duration("PT0.000000001S", TimeUnit.NANOSECOND, 1),
        value(
            "P1Y2M",
            new ArrowType.Interval(IntervalUnit.YEAR_MONTH),
            IntervalYearVector.class,
            v -> v.set(0, 14)),
        value(
            "P3DT0.004S",
            new ArrowType.Interval(IntervalUnit.DAY_TIME),
            IntervalDayVector.class,
            v -> v.set(0, 3, 4)),
        value(
            "P1M2DT0.000000003S",
            new ArrowType.Interval(IntervalUnit.MONTH_DAY_NANO),
            IntervalMonthDayNanoVector.class,
            v -> v.set(0, 1, 2, 3)));
  }

  @ParameterizedTest
  @MethodSource("scalars")
  void scalarsAreWrittenWithoutQuotes(String text, ArrowType type, Consumer<FieldVector> setter) {
    try (BufferAllocator allocator = new RootAllocator();
        FieldVector vector = Field.nullable("c", type).createVector(allocator)) {
      vector.allocateNew();
      setter.accept(vector);
      vector.setValueCount(1);

      assertThat(ArrowText.of(vector, 0)).isEqualTo(text);
    }
  }

  /** A struct of a large list of texts, a map, and a null fixed-size list. */
  @Test
  void nestedValuesAreJson() {
    Field texts =
        new Field(
            "t",
            FieldType.nullable(new ArrowType.LargeList()),
            List.of(Field.nullable("item", new ArrowType.Utf8())));
    Field map =
        new Field(
            "m",
            FieldType.nullable(new ArrowType.Map(false)),
            List.of(
                new Field(
                    "entries",
                    FieldType.notNullable(new ArrowType.Struct()),
                    List.of(Field.notNullable("k", INT), Field.nullable("v", INT)))));
    Field fixed =
        new Field(
            "f",
            FieldType.nullable(new ArrowType.FixedSizeList(2)),
            List.of(Field.nullable("item", INT)));
    Field struct =
        new Field("s", FieldType.nullable(new ArrowType.Struct()), List.of(texts, map, fixed));
    try (BufferAllocator allocator = new RootAllocator();
        StructVector vector = (StructVector) struct.createVector(allocator)) {
      vector.allocateNew();
      vector.setIndexDefined(0);
      LargeListVector list = (LargeListVector) vector.getChild("t");
      list.startNewValue(0);
      ((VarCharVector) list.getDataVector()).setSafe(0, "a\"b".getBytes(StandardCharsets.UTF_8));
      ((VarCharVector) list.getDataVector()).setNull(1);
      list.endValue(0, 2);
      MapVector maps = (MapVector) vector.getChild("m");
      StructVector entries = (StructVector) maps.getDataVector();
      maps.startNewValue(0);
      entries.setIndexDefined(0);
      ((IntVector) entries.getChild("k")).setSafe(0, 1);
      ((IntVector) entries.getChild("v")).setNull(0);
      maps.endValue(0, 1);
      ((FixedSizeListVector) vector.getChild("f")).setNull(0);
      vector.setValueCount(1);

      assertThat(ArrowText.of(vector, 0))
          .isEqualTo("{\"t\":[\"a\\\"b\",null],\"m\":[{\"key\":1,\"value\":null}],\"f\":null}");
    }
  }
}
