package dev.narwhal.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Members that tags and branches have in common. */
final class ReferenceJson {
  private ReferenceJson() {}

  /** Text, or null for what the file does not tell. */
  static void text(JsonGenerator json, String key, Optional<String> value) throws IOException {
    if (value.isPresent()) {
      json.writeStringField(key, value.get());
    } else {
      json.writeNullField(key);
    }
  }

  /** Free text, in the order of its keys. */
  static void metadata(JsonGenerator json, Map<String, String> metadata) throws IOException {
    json.writeObjectFieldStart("metadata");
    for (Map.Entry<String, String> entry : new TreeMap<>(metadata).entrySet()) {
      json.writeStringField(entry.getKey(), entry.getValue());
    }
    json.writeEndObject();
  }
}
