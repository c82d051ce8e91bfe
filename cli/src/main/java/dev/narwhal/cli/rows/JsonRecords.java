package dev.narwhal.cli.rows;

import dev.narwhal.cli.source.BadValueException;
import dev.narwhal.cli.source.JsonReader;
import dev.narwhal.cli.source.NumberText;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.UUID;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/** JSON objects, values as {@code rows} prints them, as records of an Iceberg table. Once. */
final class JsonRecords implements Iterator<Record> {
  private final Path file;
  private final JsonReader reader;
  private final Types.StructType columns;
  private boolean found;

  JsonRecords(Path file, JsonReader reader, Schema schema) {
    this.file = file;
    this.reader = reader;
    this.columns = schema.asStruct();
  }

  @Override
  public boolean hasNext() {
    try {
      found = found || reader.next();
      return found;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The next row.
   *
   * @throws IllegalArgumentException if it is no object of the table's columns; the message names
   *     file, line and column
   */
  @Override
  public Record next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    found = false;
    return struct(reader.row(), columns, file + ": line " + reader.line());
  }

  private static Record struct(Object value, Types.StructType type, String place) {
    if (!(value instanceof Map<?, ?> members)) {
      throw wrong(value, "an object", place);
    }
    Record record = GenericRecord.create(type);
    Set<Integer> given = new HashSet<>();
    for (Map.Entry<?, ?> entry : members.entrySet()) {
      int at = column(String.valueOf(entry.getKey()), type, place);
      Types.NestedField field = type.fields().get(at);
      if (!given.add(at)) {
        throw new IllegalArgumentException(place + ": column " + field.name() + " is there twice");
      }
      record.set(at, nullable(entry.getValue(), field.type(), place + ", " + field.name()));
    }
    return record;
  }

  /** The place of the column with a name, exactly or but for its case. */
  private static int column(String name, Types.StructType type, String place) {
    int alike = -1;
    for (int i = 0; i < type.fields().size(); i++) {
      String own = type.fields().get(i).name();
      if (own.equals(name)) {
        return i;
      }
      if (own.equalsIgnoreCase(name)) {
        if (alike >= 0) {
          throw new IllegalArgumentException(
              place + ": column " + name + " is ambiguous; give the name in its exact case");
        }
        alike = i;
      }
    }
    if (alike < 0) {
      throw new IllegalArgumentException(place + ": no column " + name);
    }
    return alike;
  }

  private static @Nullable Object nullable(@Nullable Object value, Type type, String place) {
    return value == null ? null : value(value, type, place);
  }

  private static Object value(Object value, Type type, String place) {
    try {
      return switch (type.typeId()) {
        case BOOLEAN -> as(Boolean.class, value, type, place);
        case INTEGER -> Math.toIntExact(whole(value, type, place));
        case LONG -> whole(value, type, place);
        case FLOAT -> single(value, type, place);
        case DOUBLE -> real(value, type, place);
        case DECIMAL -> decimal(value, (Types.DecimalType) type, place);
        case STRING -> as(String.class, value, type, place);
        case UUID -> uuid(value, type, place);
        case DATE -> LocalDate.parse(as(String.class, value, type, place));
        case TIME -> LocalTime.parse(as(String.class, value, type, place));
        case TIMESTAMP ->
            timestamp(
                as(String.class, value, type, place),
                ((Types.TimestampType) type).shouldAdjustToUTC());
        case TIMESTAMP_NANO ->
            timestamp(
                as(String.class, value, type, place),
                ((Types.TimestampNanoType) type).shouldAdjustToUTC());
        case BINARY -> ByteBuffer.wrap(bytes(value, type, place));
        case FIXED -> bytes(value, type, place);
        case STRUCT -> struct(value, type.asStructType(), place);
        case LIST -> list(value, type.asListType(), place);
        case MAP -> map(value, type.asMapType(), place);
        default -> throw new UnsupportedFeatureException(place + ": values of " + type);
      };
    } catch (DateTimeException | ArithmeticException e) {
      throw wrong(value, type.toString(), place);
    }
  }

  private static UUID uuid(Object value, Type type, String place) {
    try {
      return UUID.fromString(as(String.class, value, type, place));
    } catch (IllegalArgumentException e) {
      throw wrong(value, type.toString(), place);
    }
  }

  private static Object timestamp(String text, boolean zoned) {
    return zoned ? OffsetDateTime.parse(text) : LocalDateTime.parse(text);
  }

  private static long whole(Object value, Type type, String place) {
    return as(NumberText.class, value, type, place).longValue();
  }

  private static float single(Object value, Type type, String place) {
    if (!(value instanceof NumberText number)) {
      return (float) real(value, type, place);
    }
    if (Float.isInfinite(number.floatValue())) {
      throw wrong(value, "a float, at most 3.4028235e38", place);
    }
    return number.floatValue();
  }

  private static double real(Object value, Type type, String place) {
    if (!(value instanceof NumberText number)) {
      return switch (as(String.class, value, type, place)) {
        case "NaN" -> Double.NaN;
        case "Infinity" -> Double.POSITIVE_INFINITY;
        case "-Infinity" -> Double.NEGATIVE_INFINITY;
        default -> throw wrong(value, type.toString(), place);
      };
    }
    if (Double.isInfinite(number.doubleValue())) {
      throw wrong(value, "a double, at most 1.7976931348623157e308", place);
    }
    return number.doubleValue();
  }

  private static BigDecimal decimal(Object value, Types.DecimalType type, String place) {
    return as(NumberText.class, value, type, place)
        .decimal(type.precision(), type.scale())
        .orElseThrow(() -> wrong(value, type.toString(), place));
  }

  private static byte[] bytes(Object value, Type type, String place) {
    try {
      return Base64.getDecoder().decode(as(String.class, value, type, place));
    } catch (IllegalArgumentException e) {
      throw wrong(value, "base64", place);
    }
  }

  private static List<@Nullable Object> list(Object value, Types.ListType type, String place) {
    List<@Nullable Object> values = new ArrayList<>();
    for (Object element : as(List.class, value, type, place)) {
      values.add(nullable(element, type.elementType(), place));
    }
    return values;
  }

  private static Map<Object, @Nullable Object> map(Object value, Types.MapType type, String place) {
    Map<Object, @Nullable Object> values = new LinkedHashMap<>();
    for (Object entry : as(List.class, value, type, place)) {
      Object key = entry instanceof Map<?, ?> pair ? pair.get("key") : null;
      if (key == null || !(entry instanceof Map<?, ?> pair)) {
        throw wrong(entry, "an object with key and value", place);
      }
      values.put(
          value(key, type.keyType(), place), nullable(pair.get("value"), type.valueType(), place));
    }
    return values;
  }

  private static <T> T as(Class<T> form, Object value, Type type, String place) {
    if (!form.isInstance(value)) {
      throw wrong(value, type.toString(), place);
    }
    return form.cast(value);
  }

  private static IllegalArgumentException wrong(
      @Nullable Object value, String expected, String place) {
    return new IllegalArgumentException(
        place + ": " + BadValueException.shown(value) + ", expected " + expected);
  }
}
