package dev.narwhal.conformance;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.DateMilliVector;
import org.apache.arrow.vector.DurationVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.Float2Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/**
 * One form for a value of Iceberg's generic reader and for the value of real Lance's Arrow vectors
 * that it must be: {@code docs/type-mapping.md}, written a second time, for values. Map entries are
 * in the order of their texts.
 */
final class IcebergText {
  private IcebergText() {}

  static String of(@Nullable Object value) {
    if (value instanceof Record record) {
      List<String> fields = new ArrayList<>();
      for (Types.NestedField field : record.struct().fields()) {
        fields.add(field.name() + ":" + of(record.getField(field.name())));
      }
      return fields.toString();
    }
    if (value instanceof List<?> list) {
      return list.stream().map(IcebergText::of).toList().toString();
    }
    if (value instanceof Map<?, ?> map) {
      return map.entrySet().stream()
          .map(entry -> of(entry.getKey()) + "=" + of(entry.getValue()))
          .sorted()
          .collect(Collectors.joining(",", "{", "}"));
    }
    if (value instanceof Float single) {
      return "f" + Integer.toHexString(Float.floatToIntBits(single));
    }
    if (value instanceof Double number) {
      return "d" + Long.toHexString(Double.doubleToLongBits(number));
    }
    if (value instanceof ByteBuffer buffer) {
      byte[] bytes = new byte[buffer.remaining()];
      buffer.duplicate().get(bytes);
      return of(bytes);
    }
    if (value instanceof byte[] bytes) {
      return "x" + HexFormat.of().formatHex(bytes);
    }
    if (value instanceof OffsetDateTime zoned) {
      return zoned.toInstant().toString();
    }
    if (value instanceof LocalDateTime local) {
      return local.toInstant(ZoneOffset.UTC).toString();
    }
    return value instanceof BigDecimal decimal ? decimal.toPlainString() : String.valueOf(value);
  }

  /** The same form of a value that real Lance read. */
  static String of(FieldVector column, DictionaryProvider dictionaries, int row) {
    if (column.isNull(row)) {
      return of(null);
    }
    if (column.getField().getDictionary() != null) {
      long id = column.getField().getDictionary().getId();
      return of(
          dictionaries.lookup(id).getVector(),
          dictionaries,
          (int) ((BaseIntVector) column).getValueAsLong(row));
    }
    if (column instanceof StructVector struct) {
      return struct.getChildrenFromFields().stream()
          .map(field -> field.getName() + ":" + of(field, dictionaries, row))
          .toList()
          .toString();
    }
    if (column instanceof MapVector map) {
      List<FieldVector> entry = map.getDataVector().getChildrenFromFields();
      List<String> entries = new ArrayList<>();
      for (int i = map.getElementStartIndex(row); i < map.getElementEndIndex(row); i++) {
        entries.add(of(entry.get(0), dictionaries, i) + "=" + of(entry.get(1), dictionaries, i));
      }
      return entries.stream().sorted().collect(Collectors.joining(",", "{", "}"));
    }
    if (column instanceof ListVector list) {
      return list(
          list.getDataVector(),
          dictionaries,
          list.getElementStartIndex(row),
          list.getElementEndIndex(row));
    }
    if (column instanceof LargeListVector list) {
      return list(
          list.getDataVector(),
          dictionaries,
          list.getElementStartIndex(row),
          list.getElementEndIndex(row));
    }
    if (column instanceof FixedSizeListVector list) {
      int size = list.getListSize();
      return list(list.getDataVector(), dictionaries, (long) row * size, (row + 1L) * size);
    }
    return of(scalar(column, row));
  }

  private static String list(
      FieldVector elements, DictionaryProvider dictionaries, long start, long end) {
    List<String> texts = new ArrayList<>();
    for (long i = start; i < end; i++) {
      texts.add(of(elements, dictionaries, (int) i));
    }
    return texts.toString();
  }

  private static Object scalar(FieldVector column, int row) {
    if (column instanceof UInt8Vector unsigned) {
      return new BigInteger(Long.toUnsignedString(unsigned.get(row)));
    }
    if (column instanceof BaseIntVector integers) {
      return integers.getValueAsLong(row);
    }
    if (column instanceof FixedSizeBinaryVector bytes && isBfloat16(column)) {
      return Float.intBitsToFloat(bytes.getDataBuffer().getShort(row * 2L) << Short.SIZE);
    }
    if (column instanceof Float2Vector halves) {
      return halves.getValueAsFloat(row);
    }
    if (column instanceof Float8Vector doubles) {
      return doubles.get(row);
    }
    if (column instanceof TimeStampVector stamps) {
      return instant(
          stamps.get(row), ((ArrowType.Timestamp) column.getField().getType()).getUnit());
    }
    if (column instanceof DurationVector durations) {
      return durations.getObject(row);
    }
    if (column.getField().getType() instanceof ArrowType.Date) {
      return LocalDate.ofEpochDay(
          column instanceof DateMilliVector millis
              ? Math.floorDiv(millis.get(row), 86_400_000L)
              : column.getDataBuffer().getInt(row * 4L));
    }
    if (column.getField().getType() instanceof ArrowType.Time type) {
      long value =
          type.getBitWidth() == 64
              ? column.getDataBuffer().getLong(row * 8L)
              : column.getDataBuffer().getInt(row * 4L);
      return LocalTime.ofNanoOfDay(value * (1_000_000_000L / perSecond(type.getUnit())));
    }
    return Objects.requireNonNull(column.getObject(row));
  }

  private static boolean isBfloat16(FieldVector column) {
    return "lance.bfloat16"
        .equals(
            column
                .getField()
                .getMetadata()
                .get(ArrowType.ExtensionType.EXTENSION_METADATA_KEY_NAME));
  }

  private static Instant instant(long value, TimeUnit unit) {
    long perSecond = perSecond(unit);
    return Instant.ofEpochSecond(
        Math.floorDiv(value, perSecond),
        Math.floorMod(value, perSecond) * (1_000_000_000L / perSecond));
  }

  private static long perSecond(TimeUnit unit) {
    return switch (unit) {
      case SECOND -> 1L;
      case MILLISECOND -> 1_000L;
      case MICROSECOND -> 1_000_000L;
      case NANOSECOND -> 1_000_000_000L;
    };
  }
}
