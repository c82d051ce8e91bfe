package dev.narwhal.cli.source;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;

/** Columns of JSON documents, which take any value, and keep it as its text. */
final class JsonObjects {
  private static final JsonFactory FACTORY = new JsonFactory();

  private JsonObjects() {}

  /** Whether a field, or one below it, holds documents. */
  static boolean holdsDocuments(Field field) {
    return isDocument(field) || field.getChildren().stream().anyMatch(JsonObjects::holdsDocuments);
  }

  private static boolean isDocument(Field field) {
    String extension = field.getMetadata().get(ArrowType.ExtensionType.EXTENSION_METADATA_KEY_NAME);
    return "arrow.json".equals(extension) || "lance.json".equals(extension);
  }

  /**
   * The value for a field, with text in place of each document; text is one that is written out.
   *
   * @param value as {@link JsonReader} gives it
   * @param field null for one that the table does not have
   */
  static @Nullable Object of(@Nullable Object value, @Nullable Field field) throws IOException {
    if (value == null || field == null) {
      return value;
    }
    if (isDocument(field)) {
      return value instanceof String ? value : text(value);
    }
    if (value instanceof List<?> items && !field.getChildren().isEmpty()) {
      List<@Nullable Object> converted = new ArrayList<>(items.size());
      for (Object item : items) {
        converted.add(of(item, field.getChildren().get(0)));
      }
      return converted;
    }
    if (value instanceof Map<?, ?> members) {
      Map<String, @Nullable Object> converted = new LinkedHashMap<>();
      for (Map.Entry<?, ?> member : members.entrySet()) {
        String name = String.valueOf(member.getKey());
        converted.put(name, of(member.getValue(), child(field, name)));
      }
      return converted;
    }
    return value;
  }

  private static @Nullable Field child(Field field, String name) {
    for (Field child : field.getChildren()) {
      if (child.getName().equals(name)) {
        return child;
      }
    }
    return null;
  }

  /** Its JSON, numbers as they were written. */
  static String text(@Nullable Object value) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(text)) {
      write(value, json);
    }
    return text.toString();
  }

  private static void write(@Nullable Object value, JsonGenerator json) throws IOException {
    if (value == null) {
      json.writeNull();
    } else if (value instanceof Boolean bool) {
      json.writeBoolean(bool);
    } else if (value instanceof NumberText number) {
      json.writeNumber(number.text());
    } else if (value instanceof List<?> items) {
      json.writeStartArray();
      for (Object item : items) {
        write(item, json);
      }
      json.writeEndArray();
    } else if (value instanceof Map<?, ?> members) {
      json.writeStartObject();
      for (Map.Entry<?, ?> member : members.entrySet()) {
        json.writeFieldName(String.valueOf(member.getKey()));
        write(member.getValue(), json);
      }
      json.writeEndObject();
    } else {
      json.writeString(value.toString());
    }
  }
}
