package dev.narwhal.cli.source;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;

/** JSON values as Java objects, see {@link RowCursor}. Numbers stay exact. */
final class JsonObjects {
  static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private JsonObjects() {}

  /**
   * The value for a field.
   *
   * @param field null for one that the table does not have
   */
  static @Nullable Object of(@Nullable JsonNode node, @Nullable Field field) {
    if (node == null || node.isNull()) {
      return null;
    }
    if (field != null && isDocument(field)) {
      return node.isTextual() ? node.textValue() : node.toString();
    }
    if (node.isBoolean()) {
      return node.booleanValue();
    }
    if (node.isIntegralNumber()) {
      return node.canConvertToLong() ? (Object) node.longValue() : node.bigIntegerValue();
    }
    if (node.isNumber()) {
      return node.decimalValue();
    }
    if (node.isTextual()) {
      return node.textValue();
    }
    return node.isArray() ? list(node, field) : object(node, field);
  }

  /** A column of JSON documents, which takes any value; text is one that is written out. */
  private static boolean isDocument(Field field) {
    String extension = field.getMetadata().get(ArrowType.ExtensionType.EXTENSION_METADATA_KEY_NAME);
    return "arrow.json".equals(extension) || "lance.json".equals(extension);
  }

  private static List<@Nullable Object> list(JsonNode array, @Nullable Field field) {
    Field item = field == null || field.getChildren().isEmpty() ? null : field.getChildren().get(0);
    List<@Nullable Object> items = new ArrayList<>(array.size());
    for (JsonNode node : array) {
      items.add(of(node, item));
    }
    return items;
  }

  private static Map<String, @Nullable Object> object(JsonNode object, @Nullable Field field) {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> entry : object.properties()) {
      members.put(entry.getKey(), of(entry.getValue(), member(field, entry.getKey())));
    }
    return members;
  }

  private static @Nullable Field member(@Nullable Field field, String name) {
    if (field != null) {
      for (Field child : field.getChildren()) {
        if (child.getName().equals(name)) {
          return child;
        }
      }
    }
    return null;
  }
}
