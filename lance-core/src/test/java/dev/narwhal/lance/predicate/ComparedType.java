package dev.narwhal.lance.predicate;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.Float16;
import org.apache.arrow.vector.BaseLargeVariableWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.Decimal256Vector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.jspecify.annotations.Nullable;

/**
 * A type for the comparison tests: how its values are made, written to a vector, ordered by a plain
 * model and spelt in SQL.
 */
record ComparedType(
    String name,
    ArrowType arrow,
    Function<Random, Object> generator,
    Comparator<Object> order,
    Function<Object, Optional<String>> sql) {

  @Override
  public String toString() {
    return name;
  }

  static List<ComparedType> all() {
    List<ComparedType> types = new ArrayList<>();
    for (int bits = 8; bits <= 64; bits *= 2) {
      types.add(integer(bits, true));
      types.add(integer(bits, false));
    }
    types.add(real("f16", FloatingPointPrecision.HALF));
    types.add(real("f32", FloatingPointPrecision.SINGLE));
    types.add(real("f64", FloatingPointPrecision.DOUBLE));
    types.add(decimal("dec128", 20, 3, 128));
    types.add(decimal("dec256", 60, 5, 256));
    types.add(text("utf8", ArrowType.Utf8.INSTANCE));
    types.add(text("large_utf8", ArrowType.LargeUtf8.INSTANCE));
    types.add(binary("binary", ArrowType.Binary.INSTANCE, 4));
    types.add(binary("large_binary", ArrowType.LargeBinary.INSTANCE, 4));
    types.add(binary("fixed_binary", new ArrowType.FixedSizeBinary(3), -3));
    types.add(date("date_day", DateUnit.DAY, 1));
    types.add(date("date_ms", DateUnit.MILLISECOND, 86_400_000L));
    for (TimeUnit unit : TimeUnit.values()) {
      types.add(time(unit));
      types.add(timestamp(unit, null));
      types.add(timestamp(unit, "UTC"));
      types.add(duration(unit));
    }
    return types;
  }

  private static ComparedType integer(int bits, boolean signed) {
    BigInteger low = signed ? BigInteger.ONE.shiftLeft(bits - 1).negate() : BigInteger.ZERO;
    BigInteger high = BigInteger.ONE.shiftLeft(signed ? bits - 1 : bits).subtract(BigInteger.ONE);
    List<BigInteger> edges =
        List.of(
            low,
            low.add(BigInteger.ONE),
            high,
            high.subtract(BigInteger.ONE),
            high.shiftRight(1),
            high.shiftRight(1).add(BigInteger.ONE));
    return new ComparedType(
        (signed ? "int" : "uint") + bits,
        new ArrowType.Int(bits, signed),
        random ->
            random.nextBoolean()
                ? edges.get(random.nextInt(edges.size()))
                : BigInteger.valueOf(random.nextInt(5)),
        Comparator.comparing(BigInteger.class::cast),
        value -> Optional.of(value.toString()));
  }

  private static ComparedType real(String name, FloatingPointPrecision precision) {
    double[] pool = {
      0.0,
      -0.0,
      1,
      -1,
      0.5,
      1.5,
      100,
      Double.NaN,
      Double.POSITIVE_INFINITY,
      Double.NEGATIVE_INFINITY,
      6.103515625E-5
    };
    return new ComparedType(
        name,
        new ArrowType.FloatingPoint(precision),
        random -> pool[random.nextInt(pool.length)],
        (a, b) -> Double.compare((double) a, (double) b),
        value ->
            Optional.of(
                Double.isFinite((double) value)
                    ? value.toString()
                    : "CAST('" + value + "' AS double)"));
  }

  private static ComparedType decimal(String name, int precision, int scale, int bits) {
    return new ComparedType(
        name,
        new ArrowType.Decimal(precision, scale, bits),
        random ->
            random.nextInt(4) == 0
                ? new BigDecimal(new BigInteger(precision * 3, random), scale)
                : BigDecimal.valueOf(random.nextInt(9) - 4, scale),
        Comparator.comparing(BigDecimal.class::cast),
        value -> Optional.of(((BigDecimal) value).toPlainString()));
  }

  private static ComparedType text(String name, ArrowType arrow) {
    String[] pool = {
      "",
      "a",
      "b",
      "ab",
      "abcdefgh",
      "abcdefghi",
      "abcdefgi",
      "abcdefghabcdefgh",
      "it's",
      "\"",
      "\u00fc",
      "\uffee",
      "\ud83d\ude00",
      "zz"
    };
    return new ComparedType(
        name,
        arrow,
        random -> pool[random.nextInt(pool.length)],
        // code points order as their UTF-8 does; char values do not
        (a, b) ->
            Arrays.compare(
                ((String) a).codePoints().toArray(), ((String) b).codePoints().toArray()),
        value -> Optional.of("'" + ((String) value).replace("'", "''") + "'"));
  }

  /** Of up to {@code length} bytes, of just so many if negative. */
  private static ComparedType binary(String name, ArrowType arrow, int length) {
    return new ComparedType(
        name,
        arrow,
        random -> {
          byte[] bytes = new byte[length < 0 ? -length : random.nextInt(length)];
          for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (random.nextInt(3) - 1);
          }
          return HexFormat.of().formatHex(bytes);
        },
        // two lower-case digits a byte order as unsigned bytes do
        Comparator.comparing(String.class::cast),
        value -> Optional.of("X'" + value + "'"));
  }

  private static ComparedType date(String name, DateUnit unit, long perDay) {
    return new ComparedType(
        name,
        new ArrowType.Date(unit),
        random -> (random.nextInt(7) - 3 + 19_000L * random.nextInt(2)) * perDay,
        Comparator.comparing(Long.class::cast),
        value -> Optional.of("DATE '" + LocalDate.ofEpochDay((long) value / perDay) + "'"));
  }

  private static long perSecond(TimeUnit unit) {
    return switch (unit) {
      case SECOND -> 1;
      case MILLISECOND -> 1_000;
      case MICROSECOND -> 1_000_000;
      case NANOSECOND -> 1_000_000_000;
    };
  }

  private static ComparedType time(TimeUnit unit) {
    int bits = unit == TimeUnit.SECOND || unit == TimeUnit.MILLISECOND ? 32 : 64;
    long nanos = 1_000_000_000L / perSecond(unit);
    return new ComparedType(
        "time_" + unit,
        new ArrowType.Time(unit, bits),
        random -> (long) random.nextInt(5),
        Comparator.comparing(Long.class::cast),
        value ->
            Optional.of(
                "TIME '"
                    + DateTimeFormatter.ISO_LOCAL_TIME.format(
                        LocalTime.ofNanoOfDay((long) value * nanos))
                    + "'"));
  }

  private static ComparedType timestamp(TimeUnit unit, @Nullable String zone) {
    long perSecond = perSecond(unit);
    return new ComparedType(
        "timestamp_" + unit + (zone == null ? "" : "_" + zone),
        new ArrowType.Timestamp(unit, zone),
        random -> random.nextInt(7) - 3 + random.nextInt(2) * 1_700_000_000L * perSecond,
        Comparator.comparing(Long.class::cast),
        value -> {
          long seconds = Math.floorDiv((long) value, perSecond);
          long nanos = Math.floorMod((long) value, perSecond) * (1_000_000_000L / perSecond);
          LocalDateTime utc = LocalDateTime.ofEpochSecond(seconds, (int) nanos, ZoneOffset.UTC);
          String text = DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(utc);
          return Optional.of("TIMESTAMP '" + text + (zone == null ? "'" : "Z'"));
        });
  }

  private static ComparedType duration(TimeUnit unit) {
    return new ComparedType(
        "duration_" + unit,
        new ArrowType.Duration(unit),
        random -> (long) random.nextInt(7) - 3,
        Comparator.comparing(Long.class::cast),
        value -> Optional.empty());
  }

  /** A vector of values, null where the list has null. The caller closes it. */
  FieldVector vector(String column, List<Optional<Object>> values, BufferAllocator allocator) {
    FieldVector vector = SampleRows.field(column, arrow).createVector(allocator);
    vector.setInitialCapacity(values.size());
    vector.allocateNew();
    for (int row = 0; row < values.size(); row++) {
      if (values.get(row).isPresent()) {
        write(vector, row, values.get(row).get());
      }
    }
    vector.setValueCount(values.size());
    return vector;
  }

  private static void write(FieldVector vector, int row, Object value) {
    if (vector instanceof BaseVariableWidthVector v) {
      v.setSafe(row, bytes(value, vector));
    } else if (vector instanceof BaseLargeVariableWidthVector v) {
      v.setSafe(row, bytes(value, vector));
    } else if (vector instanceof FixedSizeBinaryVector v) {
      v.setSafe(row, bytes(value, vector));
    } else if (vector instanceof DecimalVector v) {
      v.setSafe(row, (BigDecimal) value);
    } else if (vector instanceof Decimal256Vector v) {
      v.setSafe(row, (BigDecimal) value);
    } else {
      BitVectorHelper.setBit(vector.getValidityBuffer(), row);
      writeBits(vector.getField().getType(), vector.getDataBuffer(), row, value);
    }
  }

  private static byte[] bytes(Object value, FieldVector vector) {
    ArrowType.ArrowTypeID id = vector.getField().getType().getTypeID();
    boolean text = id == ArrowType.ArrowTypeID.Utf8 || id == ArrowType.ArrowTypeID.LargeUtf8;
    return text
        ? ((String) value).getBytes(StandardCharsets.UTF_8)
        : HexFormat.of().parseHex((String) value);
  }

  private static void writeBits(ArrowType type, ArrowBuf buffer, int row, Object value) {
    if (type instanceof ArrowType.FloatingPoint f) {
      double number = (double) value;
      switch (f.getPrecision()) {
        case HALF -> buffer.setShort(2L * row, Float16.toFloat16((float) number));
        case SINGLE -> buffer.setFloat(4L * row, (float) number);
        case DOUBLE -> buffer.setDouble(8L * row, number);
      }
      return;
    }
    long bits = ((Number) value).longValue();
    switch (Keys.width(ValueType.of(type))) {
      case 1 -> buffer.setByte(row, (int) bits);
      case 2 -> buffer.setShort(2L * row, (int) bits);
      case 4 -> buffer.setInt(4L * row, (int) bits);
      default -> buffer.setLong(8L * row, bits);
    }
  }
}
