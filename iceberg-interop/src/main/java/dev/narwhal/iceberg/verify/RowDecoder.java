package dev.narwhal.iceberg.verify;

import dev.narwhal.iceberg.mapping.RowBytes;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.DateTimeUtil;
import org.apache.iceberg.util.UUIDUtil;
import org.jspecify.annotations.Nullable;

/**
 * {@link RowBytes} back to values to show, in the form that the command line's JSON has: numbers,
 * texts, lists, structs as objects, maps as lists of {@code {"key", "value"}}; bytes in base64;
 * dates, times and timestamps in ISO 8601; NaN and infinities by their names.
 */
final class RowDecoder {
  private static final int DECIMAL_BYTES = 16;

  private RowDecoder() {}

  /** Column names to values, in the schema's order. */
  static Map<String, @Nullable Object> decode(ByteBuffer bytes, Schema schema) {
    return fields(bytes.slice(), schema.columns());
  }

  private static Map<String, @Nullable Object> fields(
      ByteBuffer in, List<Types.NestedField> fields) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    for (Types.NestedField field : fields) {
      values.put(field.name(), value(in, field.type()));
    }
    return Collections.unmodifiableMap(values);
  }

  private static @Nullable Object value(ByteBuffer in, Type type) {
    if (in.get() == 0) {
      return null;
    }
    return switch (type.typeId()) {
      case BOOLEAN -> in.get() != 0;
      case INTEGER -> in.getInt();
      case LONG -> in.getLong();
      case FLOAT -> finite(Float.intBitsToFloat(in.getInt()));
      case DOUBLE -> finite(Double.longBitsToDouble(in.getLong()));
      case DATE -> DateTimeUtil.dateFromDays(in.getInt()).toString();
      case TIME -> DateTimeUtil.timeFromMicros(in.getLong()).toString();
      case TIMESTAMP ->
          ((Types.TimestampType) type).shouldAdjustToUTC()
              ? DateTimeUtil.timestampFromMicros(in.getLong()).atOffset(ZoneOffset.UTC).toString()
              : DateTimeUtil.timestampFromMicros(in.getLong()).toString();
      case TIMESTAMP_NANO ->
          ((Types.TimestampNanoType) type).shouldAdjustToUTC()
              ? DateTimeUtil.timestampFromNanos(in.getLong()).atOffset(ZoneOffset.UTC).toString()
              : DateTimeUtil.timestampFromNanos(in.getLong()).toString();
      case DECIMAL -> {
        byte[] unscaled = new byte[DECIMAL_BYTES];
        in.get(unscaled);
        yield new BigDecimal(new BigInteger(unscaled), ((Types.DecimalType) type).scale());
      }
      case STRING -> new String(bytes(in), StandardCharsets.UTF_8);
      case FIXED, BINARY -> Base64.getEncoder().encodeToString(bytes(in));
      case UUID -> UUIDUtil.convert(bytes(in)).toString();
      case STRUCT -> fields(in, type.asStructType().fields());
      case LIST -> list(in, type.asListType().elementType());
      case MAP -> map(in, type.asMapType());
      default -> throw new IllegalArgumentException("nothing in Lance maps to " + type);
    };
  }

  private static Object finite(float value) {
    return Float.isFinite(value) ? (Object) value : Float.toString(value);
  }

  private static Object finite(double value) {
    return Double.isFinite(value) ? (Object) value : Double.toString(value);
  }

  private static byte[] bytes(ByteBuffer in) {
    byte[] bytes = new byte[in.getInt()];
    in.get(bytes);
    return bytes;
  }

  private static List<@Nullable Object> list(ByteBuffer in, Type element) {
    int size = in.getInt();
    List<@Nullable Object> list = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      list.add(value(in, element));
    }
    return Collections.unmodifiableList(list);
  }

  private static List<Map<String, @Nullable Object>> map(ByteBuffer in, Types.MapType type) {
    int size = in.getInt();
    List<Map<String, @Nullable Object>> entries = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      entries.add(fields(in, type.fields()));
    }
    return Collections.unmodifiableList(entries);
  }
}
