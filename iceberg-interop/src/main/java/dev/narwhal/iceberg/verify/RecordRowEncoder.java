package dev.narwhal.iceberg.verify;

import dev.narwhal.iceberg.mapping.MapEntries;
import dev.narwhal.iceberg.mapping.RowBytes;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.DateTimeUtil;
import org.apache.iceberg.util.UUIDUtil;
import org.jspecify.annotations.Nullable;

/** Records of Iceberg's generic reader as {@link RowBytes}. For one thread. */
final class RecordRowEncoder {
  /** Encodes a value that is there. */
  private interface Encoder {
    void encode(Object value);
  }

  private final RowBytes out;
  private final List<Encoder> encoders = new ArrayList<>();

  RecordRowEncoder(Schema schema, RowBytes out) {
    this.out = out;
    for (Types.NestedField field : schema.columns()) {
      encoders.add(encoder(field.type()));
    }
  }

  /** Encodes a record, which may have more columns at its end, in place of the row before. */
  void encode(StructLike record) {
    out.clear();
    for (int i = 0; i < encoders.size(); i++) {
      encode(encoders.get(i), record.get(i, Object.class));
    }
  }

  private void encode(Encoder encoder, @Nullable Object value) {
    if (value == null) {
      out.putNull();
    } else {
      encoder.encode(value);
    }
  }

  private Encoder encoder(Type type) {
    return switch (type.typeId()) {
      case BOOLEAN -> value -> out.put((Boolean) value);
      case INTEGER -> value -> out.put((Integer) value);
      case LONG -> value -> out.put((Long) value);
      case FLOAT -> value -> out.put((Float) value);
      case DOUBLE -> value -> out.put((Double) value);
      case DATE -> value -> out.put(DateTimeUtil.daysFromDate((LocalDate) value));
      case TIME -> value -> out.put(DateTimeUtil.microsFromTime((LocalTime) value));
      case TIMESTAMP ->
          ((Types.TimestampType) type).shouldAdjustToUTC()
              ? value -> out.put(DateTimeUtil.microsFromTimestamptz((OffsetDateTime) value))
              : value -> out.put(DateTimeUtil.microsFromTimestamp((LocalDateTime) value));
      case TIMESTAMP_NANO ->
          ((Types.TimestampNanoType) type).shouldAdjustToUTC()
              ? value -> out.put(DateTimeUtil.nanosFromTimestamptz((OffsetDateTime) value))
              : value -> out.put(DateTimeUtil.nanosFromTimestamp((LocalDateTime) value));
      case DECIMAL -> value -> putDecimal(((BigDecimal) value).unscaledValue());
      case STRING ->
          value -> {
            byte[] bytes = value.toString().getBytes(StandardCharsets.UTF_8);
            out.put(bytes, 0, bytes.length);
          };
      case FIXED ->
          value -> {
            byte[] bytes = (byte[]) value;
            out.put(bytes, 0, bytes.length);
          };
      case BINARY -> value -> out.put((ByteBuffer) value);
      case UUID ->
          value -> {
            byte[] bytes = UUIDUtil.convert((UUID) value);
            out.put(bytes, 0, bytes.length);
          };
      case UNKNOWN -> value -> out.putNull();
      case STRUCT -> struct(type.asStructType());
      case LIST -> list(encoder(type.asListType().elementType()));
      case MAP -> map(encoder(type.asMapType().keyType()), encoder(type.asMapType().valueType()));
      default -> throw new IllegalArgumentException("nothing in Lance maps to " + type);
    };
  }

  private Encoder struct(Types.StructType type) {
    List<Encoder> fields = type.fields().stream().map(field -> encoder(field.type())).toList();
    return value -> {
      StructLike struct = (StructLike) value;
      out.beginStruct();
      for (int i = 0; i < fields.size(); i++) {
        encode(fields.get(i), struct.get(i, Object.class));
      }
    };
  }

  private Encoder map(Encoder key, Encoder mapped) {
    MapEntries entries = new MapEntries(out);
    return value -> {
      Map<?, ?> map = (Map<?, ?>) value;
      entries.begin(map.size());
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        entries.next();
        encode(key, entry.getKey());
        encode(mapped, entry.getValue());
      }
      entries.end();
    };
  }

  private Encoder list(Encoder element) {
    return value -> {
      List<?> elements = (List<?>) value;
      out.beginList(elements.size());
      for (Object each : elements) {
        encode(element, each);
      }
    };
  }

  private void putDecimal(BigInteger unscaled) {
    out.putDecimal(unscaled.shiftRight(Long.SIZE).longValue(), unscaled.longValue());
  }
}
