package dev.narwhal.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.StringJoiner;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.ArrowType.ArrowTypeID;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Brings values as the single data files record it (the table in {@code
 * fixtures/lance-files/README.md}) into the canonical form.
 *
 * @param nullStructs whether a null struct is read back as such; files of 2.0 lose the validity of
 *     structs, and give one whose children are null
 */
record RecordedValue(boolean nullStructs) {
  private static final HexFormat HEX = HexFormat.of();

  static RecordedValue in(String storageVersion) {
    return new RecordedValue(!storageVersion.equals("2.0"));
  }

  /** The canonical text of {@code json}, a value of a column of the type of {@code field}. */
  String canonical(Field field, JsonNode json) {
    boolean struct = field.getType().getTypeID() == ArrowTypeID.Struct;
    if (json.isNull() && (nullStructs || !struct)) {
      return "null";
    }
    ArrowType type = field.getType();
    return switch (type.getTypeID()) {
      case FloatingPoint -> floatingPoint((ArrowType.FloatingPoint) type, json);
      case Decimal -> {
        int scale = ((ArrowType.Decimal) type).getScale();
        yield '"' + new BigDecimal(json.bigIntegerValue(), scale).toPlainString() + '"';
      }
      // a dictionary-encoded field has the type of its indices, and its values as JSON
      case Int -> json.isTextual() ? CanonicalValue.quoted(json.textValue()) : json.asText();
      case Bool, Date, Time, Timestamp, Duration -> json.asText();
      case Utf8, LargeUtf8 -> CanonicalValue.quoted(json.textValue());
      case Binary, LargeBinary, FixedSizeBinary ->
          "\"hex:" + HEX.formatHex(json.textValue().getBytes(StandardCharsets.ISO_8859_1)) + '"';
      case List, LargeList, FixedSizeList -> {
        StringJoiner items = new StringJoiner(",", "[", "]");
        json.forEach(item -> items.add(canonical(field.getChildren().get(0), item)));
        yield items.toString();
      }
      case Struct -> {
        StringJoiner members = new StringJoiner(",", "{", "}");
        for (int i = 0; i < field.getChildren().size(); i++) {
          Field child = field.getChildren().get(i);
          JsonNode value = json.isNull() ? json : json.required(i);
          members.add(CanonicalValue.quoted(child.getName()) + ':' + canonical(child, value));
        }
        yield members.toString();
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
