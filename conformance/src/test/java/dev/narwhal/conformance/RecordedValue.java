package dev.narwhal.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.StringJoiner;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Brings a value as the single data files record it (the table in {@code
 * fixtures/lance-files/README.md}) into the canonical form.
 */
final class RecordedValue {
  private static final HexFormat HEX = HexFormat.of();

  private RecordedValue() {}

  /** The canonical text of {@code json}, a value of a column of the type of {@code field}. */
  static String canonical(Field field, JsonNode json) {
    if (json.isNull()) {
      return "null";
    }
    ArrowType type = field.getType();
    return switch (type.getTypeID()) {
      case FloatingPoint -> floatingPoint((ArrowType.FloatingPoint) type, json);
      case Decimal -> {
        int scale = ((ArrowType.Decimal) type).getScale();
        yield '"' + new BigDecimal(json.bigIntegerValue(), scale).toPlainString() + '"';
      }
      case Bool, Int, Date, Time, Timestamp, Duration -> json.asText();
      case Utf8, LargeUtf8 -> CanonicalValue.quoted(json.textValue());
      case Binary, LargeBinary, FixedSizeBinary ->
          "\"hex:" + HEX.formatHex(json.textValue().getBytes(StandardCharsets.ISO_8859_1)) + '"';
      case FixedSizeList -> {
        StringJoiner items = new StringJoiner(",", "[", "]");
        json.forEach(item -> items.add(canonical(field.getChildren().get(0), item)));
        yield items.toString();
      }
      default -> throw new IllegalArgumentException("no recorded form of " + field);
    };
  }

  private static String floatingPoint(ArrowType.FloatingPoint type, JsonNode json) {
    String bits =
        switch (type.getPrecision()) {
          case HALF -> "f16:" + HEX.toHexDigits(json.shortValue());
          case SINGLE ->
              "f32:" + HEX.toHexDigits(Float.floatToRawIntBits(json.decimalValue().floatValue()));
          case DOUBLE ->
              "f64:"
                  + HEX.toHexDigits(Double.doubleToRawLongBits(json.decimalValue().doubleValue()));
        };
    return '"' + bits + '"';
  }
}
