package dev.narwhal.iceberg.source;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DateMilliVector;
import org.apache.arrow.vector.Decimal256Vector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.Float2Vector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.LargeVarBinaryVector;
import org.apache.arrow.vector.LargeVarCharVector;
import org.apache.arrow.vector.SmallIntVector;
import org.apache.arrow.vector.TimeMicroVector;
import org.apache.arrow.vector.TimeMilliVector;
import org.apache.arrow.vector.TimeNanoVector;
import org.apache.arrow.vector.TimeSecVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.TinyIntVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.UInt2Vector;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.jspecify.annotations.Nullable;

/** Sample columns of every type that maps, edge values among them. */
public final class SampleColumns {
  private static final long[] LONGS = {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 40};
  private static final float[] FLOATS = {
    0f, -0f, 1.5f, Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, Float.MIN_VALUE, -3f
  };
  private static final double[] DOUBLES = {
    0d, -0d, 1.5d, Double.NaN, Double.POSITIVE_INFINITY, -Double.MAX_VALUE, Double.MIN_VALUE, -3d
  };

  private SampleColumns() {}

  /** A required, unique number: row {@code i} has {@code i}. */
  public static SampleColumn id() {
    return SampleColumn.required(
        "id", new ArrowType.Int(64, true), BigIntVector.class, BigIntVector::set, i -> (long) i);
  }

  /** One nullable column for each type of format version 2, and {@link #id} before them. */
  public static List<SampleColumn> ofVersion2() {
    List<SampleColumn> columns = new ArrayList<>();
    columns.add(id());
    columns.addAll(numbers());
    columns.addAll(decimals());
    columns.addAll(times());
    columns.addAll(bytes());
    columns.addAll(lists());
    return columns;
  }

  /** The same and nanosecond timestamps. */
  public static List<SampleColumn> ofVersion3() {
    List<SampleColumn> columns = new ArrayList<>(ofVersion2());
    columns.add(timestamp("ts_ns", TimeUnit.NANOSECOND, null, i -> 1_000_000_007L * i - 5));
    columns.add(timestamp("tz_ns", TimeUnit.NANOSECOND, "UTC", i -> -1_000_000_007L * i + 5));
    return columns;
  }

  private static List<SampleColumn> numbers() {
    return List.of(
        SampleColumn.nullable(
            "bool",
            new ArrowType.Bool(),
            BitVector.class,
            (v, at, i) -> v.set(at, i % 3 == 0 ? 1 : 0),
            i -> i % 3 == 0),
        SampleColumn.nullable(
            "int8",
            new ArrowType.Int(8, true),
            TinyIntVector.class,
            (v, at, i) -> v.set(at, (byte) (i * 37)),
            i -> (int) (byte) (i * 37)),
        SampleColumn.nullable(
            "int16",
            new ArrowType.Int(16, true),
            SmallIntVector.class,
            (v, at, i) -> v.set(at, (short) (i * 9973)),
            i -> (int) (short) (i * 9973)),
        SampleColumn.nullable(
            "int32",
            new ArrowType.Int(32, true),
            IntVector.class,
            (v, at, i) -> v.set(at, i * 1_000_003),
            i -> i * 1_000_003),
        SampleColumn.nullable(
            "int64",
            new ArrowType.Int(64, true),
            BigIntVector.class,
            (v, at, i) -> v.set(at, LONGS[i % LONGS.length]),
            i -> LONGS[i % LONGS.length]),
        SampleColumn.nullable(
            "uint8",
            new ArrowType.Int(8, false),
            UInt1Vector.class,
            (v, at, i) -> v.set(at, (byte) (255 - i)),
            i -> (255 - i) & 0xFF),
        SampleColumn.nullable(
            "uint16",
            new ArrowType.Int(16, false),
            UInt2Vector.class,
            (v, at, i) -> v.set(at, (char) (65_535 - i)),
            i -> (65_535 - i) & 0xFFFF),
        SampleColumn.nullable(
            "uint32",
            new ArrowType.Int(32, false),
            UInt4Vector.class,
            (v, at, i) -> v.set(at, -1 - i),
            i -> Integer.toUnsignedLong(-1 - i)),
        SampleColumn.nullable(
            "uint64",
            new ArrowType.Int(64, false),
            UInt8Vector.class,
            (v, at, i) -> v.set(at, -1L - i),
            i -> new BigDecimal(new BigInteger(Long.toUnsignedString(-1L - i)))),
        SampleColumn.nullable(
            "half",
            new ArrowType.FloatingPoint(FloatingPointPrecision.HALF),
            Float2Vector.class,
            (v, at, i) -> v.setWithPossibleTruncate(at, i * 0.5f),
            i -> i * 0.5f),
        SampleColumn.nullable(
            "float",
            new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE),
            Float4Vector.class,
            (v, at, i) -> v.set(at, FLOATS[i % FLOATS.length]),
            i -> FLOATS[i % FLOATS.length]),
        SampleColumn.nullable(
            "double",
            new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE),
            Float8Vector.class,
            (v, at, i) -> v.set(at, DOUBLES[i % DOUBLES.length]),
            i -> DOUBLES[i % DOUBLES.length]));
  }

  private static List<SampleColumn> decimals() {
    return List.of(
        decimal("dec5", 5, 2),
        decimal("dec18", 18, 6),
        decimal("dec20", 20, 0),
        decimal("dec38", 38, 10),
        SampleColumn.nullable(
            "dec256",
            new ArrowType.Decimal(38, 4, 256),
            Decimal256Vector.class,
            (v, at, i) -> v.set(at, decimalOf(38, 4, i)),
            i -> decimalOf(38, 4, i)));
  }

  private static SampleColumn decimal(String name, int precision, int scale) {
    return SampleColumn.nullable(
        name,
        new ArrowType.Decimal(precision, scale, 128),
        DecimalVector.class,
        (v, at, i) -> v.set(at, decimalOf(precision, scale, i)),
        i -> decimalOf(precision, scale, i));
  }

  /** The largest and smallest values of the precision, and some in between. */
  private static BigDecimal decimalOf(int precision, int scale, int i) {
    BigInteger largest = BigInteger.TEN.pow(precision).subtract(BigInteger.ONE);
    BigInteger unscaled =
        switch (i % 5) {
          case 0 -> largest;
          case 1 -> largest.negate();
          case 2 -> BigInteger.ZERO;
          case 3 -> BigInteger.valueOf(-i - 1);
          default -> largest.divide(BigInteger.valueOf(i));
        };
    return new BigDecimal(unscaled, scale);
  }

  private static List<SampleColumn> times() {
    return List.of(
        SampleColumn.nullable(
            "date32",
            new ArrowType.Date(DateUnit.DAY),
            DateDayVector.class,
            (v, at, i) -> v.set(at, 3000 - 7 * i),
            i -> LocalDate.ofEpochDay(3000 - 7L * i)),
        SampleColumn.nullable(
            "date64",
            new ArrowType.Date(DateUnit.MILLISECOND),
            DateMilliVector.class,
            (v, at, i) -> v.set(at, (20 - i) * 86_400_000L),
            i -> LocalDate.ofEpochDay(20 - i)),
        SampleColumn.nullable(
            "time_s",
            new ArrowType.Time(TimeUnit.SECOND, 32),
            TimeSecVector.class,
            (v, at, i) -> v.set(at, i * 11 % 86_400),
            i -> LocalTime.ofSecondOfDay(i * 11 % 86_400)),
        SampleColumn.nullable(
            "time_ms",
            new ArrowType.Time(TimeUnit.MILLISECOND, 32),
            TimeMilliVector.class,
            (v, at, i) -> v.set(at, 86_399_999 - i),
            i -> LocalTime.ofNanoOfDay((86_399_999L - i) * 1_000_000)),
        SampleColumn.nullable(
            "time_us",
            new ArrowType.Time(TimeUnit.MICROSECOND, 64),
            TimeMicroVector.class,
            (v, at, i) -> v.set(at, 86_399_999_999L - i),
            i -> LocalTime.ofNanoOfDay((86_399_999_999L - i) * 1_000)),
        SampleColumn.nullable(
            "time_ns",
            new ArrowType.Time(TimeUnit.NANOSECOND, 64),
            TimeNanoVector.class,
            (v, at, i) -> v.set(at, 7_000L * i),
            i -> LocalTime.ofNanoOfDay(7_000L * i)),
        timestamp("ts_s", TimeUnit.SECOND, null, i -> 1_700_000_000L - 40_000_000L * i),
        timestamp("ts_ms", TimeUnit.MILLISECOND, null, i -> 1_700_000_000_123L - 41L * i),
        timestamp("ts_us", TimeUnit.MICROSECOND, null, i -> -1L - i),
        timestamp("tz_s", TimeUnit.SECOND, "Europe/Paris", i -> 100L * i),
        timestamp("tz_us", TimeUnit.MICROSECOND, "+02:00", i -> 1_700_000_000_123_456L + i));
  }

  private interface Instant {
    long of(int i);
  }

  private static SampleColumn timestamp(
      String name, TimeUnit unit, @Nullable String zone, Instant instant) {
    long perSecond =
        switch (unit) {
          case SECOND -> 1;
          case MILLISECOND -> 1_000;
          case MICROSECOND -> 1_000_000;
          case NANOSECOND -> 1_000_000_000;
        };
    return SampleColumn.nullable(
        name,
        new ArrowType.Timestamp(unit, zone),
        TimeStampVector.class,
        (v, at, i) -> v.set(at, instant.of(i)),
        i -> {
          long seconds = Math.floorDiv(instant.of(i), perSecond);
          long nanos = Math.floorMod(instant.of(i), perSecond) * (1_000_000_000 / perSecond);
          LocalDateTime local = LocalDateTime.ofEpochSecond(seconds, (int) nanos, ZoneOffset.UTC);
          return zone == null ? local : local.atOffset(ZoneOffset.UTC);
        });
  }

  private static List<SampleColumn> bytes() {
    return List.of(
        SampleColumn.nullable(
            "utf8",
            new ArrowType.Utf8(),
            VarCharVector.class,
            (v, at, i) -> v.setSafe(at, text(i).getBytes(UTF_8)),
            SampleColumns::text),
        SampleColumn.nullable(
            "large_utf8",
            new ArrowType.LargeUtf8(),
            LargeVarCharVector.class,
            (v, at, i) -> v.setSafe(at, text(i).getBytes(UTF_8)),
            SampleColumns::text),
        SampleColumn.nullable(
            "binary",
            new ArrowType.Binary(),
            VarBinaryVector.class,
            (v, at, i) -> v.setSafe(at, raw(i, i % 5)),
            i -> ByteBuffer.wrap(raw(i, i % 5))),
        SampleColumn.nullable(
            "large_binary",
            new ArrowType.LargeBinary(),
            LargeVarBinaryVector.class,
            (v, at, i) -> v.setSafe(at, raw(i, i % 100)),
            i -> ByteBuffer.wrap(raw(i, i % 100))),
        SampleColumn.nullable(
            "fixed3",
            new ArrowType.FixedSizeBinary(3),
            FixedSizeBinaryVector.class,
            (v, at, i) -> v.set(at, raw(i, 3)),
            i -> raw(i, 3)));
  }

  private static String text(int i) {
    return switch (i % 4) {
      case 0 -> "";
      case 1 -> "row " + i;
      case 2 -> "Straße \uD83E\uDD84 " + i;
      default -> "long ".repeat(i % 30);
    };
  }

  private static byte[] raw(int i, int length) {
    byte[] bytes = new byte[length];
    for (int at = 0; at < length; at++) {
      bytes[at] = (byte) (i * 31 + at * 129);
    }
    return bytes;
  }

  private static List<SampleColumn> lists() {
    Field requiredElement =
        new Field(
            "item",
            FieldType.notNullable(new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE)),
            null);
    Field nullableElement =
        new Field("item", FieldType.nullable(new ArrowType.Int(16, false)), null);
    return List.of(
        SampleColumn.of(
            new Field(
                "vector",
                FieldType.nullable(new ArrowType.FixedSizeList(4)),
                List.of(requiredElement)),
            FixedSizeListVector.class,
            (v, at, i) -> {
              v.setNotNull(at);
              Float4Vector elements = (Float4Vector) v.getDataVector();
              for (int e = 0; e < 4; e++) {
                elements.setSafe(at * 4 + e, FLOATS[(i + e) % FLOATS.length]);
              }
            },
            i -> {
              List<Object> list = new ArrayList<>();
              for (int e = 0; e < 4; e++) {
                list.add(FLOATS[(i + e) % FLOATS.length]);
              }
              return list;
            }),
        SampleColumn.of(
            new Field(
                "pairs",
                FieldType.notNullable(new ArrowType.FixedSizeList(2)),
                List.of(nullableElement)),
            FixedSizeListVector.class,
            (v, at, i) -> {
              v.setNotNull(at);
              UInt2Vector elements = (UInt2Vector) v.getDataVector();
              elements.setSafe(at * 2, (char) (60_000 + i % 5_000));
              elements.setNull(at * 2 + 1);
            },
            i -> {
              List<@Nullable Object> list = new ArrayList<>();
              list.add(60_000 + i % 5_000);
              list.add(null);
              return list;
            }));
  }
}
