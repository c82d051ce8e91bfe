package dev.narwhal.cli.rows;

import com.fasterxml.jackson.databind.JsonNode;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.io.IOException;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/** JSON objects, values as {@code rows} prints them, as records of an Iceberg table. */
final class JsonRecords {
  private final Types.StructType columns;
  private long row;

  JsonRecords(Schema schema) {
    this.columns = schema.asStruct();
  }

  /**
   * The next row.
   *
   * @throws IllegalArgumentException if it is no object of the table's columns; the message names
   *     row and column
   */
  Record record(JsonNode node) {
    row++;
    return struct(node, columns, "row " + row);
  }

  private static Record struct(JsonNode node, Types.StructType type, String place) {
    if (!node.isObject()) {
      throw wrong(node, "an object", place);
    }
    Record record = GenericRecord.create(type);
    Set<Integer> given = new HashSet<>();
    for (Map.Entry<String, JsonNode> entry : node.properties()) {
      int at = column(entry.getKey(), type, place);
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

  private static @Nullable Object nullable(@Nullable JsonNode node, Type type, String place) {
    return node == null || node.isNull() ? null : value(node, type, place);
  }

  private static Object value(JsonNode node, Type type, String place) {
    try {
      return switch (type.typeId()) {
        case BOOLEAN -> requireThat(node.isBoolean(), node, type, place).booleanValue();
        case INTEGER ->
            requireThat(node.canConvertToInt() && node.isIntegralNumber(), node, type, place)
                .intValue();
        case LONG ->
            requireThat(node.canConvertToLong() && node.isIntegralNumber(), node, type, place)
                .longValue();
        case FLOAT -> (float) number(node, type, place);
        case DOUBLE -> number(node, type, place);
        case DECIMAL ->
            requireThat(node.isNumber(), node, type, place)
                .decimalValue()
                .setScale(((Types.DecimalType) type).scale(), RoundingMode.UNNECESSARY);
        case STRING -> text(node, type, place);
        case UUID -> UUID.fromString(text(node, type, place));
        case DATE -> LocalDate.parse(text(node, type, place));
        case TIME -> LocalTime.parse(text(node, type, place));
        case TIMESTAMP ->
            timestamp(text(node, type, place), ((Types.TimestampType) type).shouldAdjustToUTC());
        case TIMESTAMP_NANO ->
            timestamp(
                text(node, type, place), ((Types.TimestampNanoType) type).shouldAdjustToUTC());
        case BINARY -> ByteBuffer.wrap(bytes(node, type, place));
        case FIXED -> bytes(node, type, place);
        case STRUCT -> struct(node, type.asStructType(), place);
        case LIST -> list(node, type.asListType(), place);
        case MAP -> map(node, type.asMapType(), place);
        default -> throw new UnsupportedFeatureException(place + ": values of " + type);
      };
    } catch (DateTimeException | ArithmeticException e) {
      throw wrong(node, type.toString(), place);
    }
  }

  private static Object timestamp(String text, boolean zoned) {
    return zoned ? OffsetDateTime.parse(text) : LocalDateTime.parse(text);
  }

  private static double number(JsonNode node, Type type, String place) {
    return switch (node.isTextual() ? node.textValue() : "") {
      case "NaN" -> Double.NaN;
      case "Infinity" -> Double.POSITIVE_INFINITY;
      case "-Infinity" -> Double.NEGATIVE_INFINITY;
      default -> requireThat(node.isNumber(), node, type, place).doubleValue();
    };
  }

  private static String text(JsonNode node, Type type, String place) {
    return requireThat(node.isTextual(), node, type, place).textValue();
  }

  private static byte[] bytes(JsonNode node, Type type, String place) {
    try {
      return requireThat(node.isTextual(), node, type, place).binaryValue();
    } catch (IOException e) {
      throw wrong(node, "base64", place);
    }
  }

  private static List<@Nullable Object> list(JsonNode node, Types.ListType type, String place) {
    requireThat(node.isArray(), node, type, place);
    List<@Nullable Object> values = new ArrayList<>();
    for (JsonNode element : node) {
      values.add(nullable(element, type.elementType(), place));
    }
    return values;
  }

  private static Map<Object, @Nullable Object> map(
      JsonNode node, Types.MapType type, String place) {
    requireThat(node.isArray(), node, type, place);
    Map<Object, @Nullable Object> values = new LinkedHashMap<>();
    for (JsonNode entry : node) {
      JsonNode key = entry.get("key");
      if (key == null || key.isNull()) {
        throw wrong(entry, "an object with key and value", place);
      }
      values.put(
          value(key, type.keyType(), place), nullable(entry.get("value"), type.valueType(), place));
    }
    return values;
  }

  private static JsonNode requireThat(boolean fits, JsonNode node, Type type, String place) {
    if (!fits) {
      throw wrong(node, type.toString(), place);
    }
    return node;
  }

  private static IllegalArgumentException wrong(JsonNode node, String expected, String place) {
    String found = node.toString();
    return new IllegalArgumentException(
        place
            + ": "
            + (found.length() > 100 ? found.substring(0, 100) + "..." : found)
            + ", expected "
            + expected);
  }
}
