package dev.narwhal.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.narwhal.iceberg.mapping.Exemption;
import java.io.IOException;
import java.util.List;

/** Columns that are not what they were, in reports. */
final class Exemptions {
  private Exemptions() {}

  /** An array of {@code {"column", "reason"}}. */
  static void json(String name, List<Exemption> exemptions, JsonGenerator json) throws IOException {
    json.writeArrayFieldStart(name);
    for (Exemption exemption : exemptions) {
      json.writeStartObject();
      json.writeStringField("column", exemption.column());
      json.writeStringField("reason", exemption.reason());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  /** A line for each. */
  static void text(String what, List<Exemption> exemptions, StringBuilder text) {
    for (Exemption exemption : exemptions) {
      text.append(what).append(": ").append(exemption.reason()).append(".\n");
    }
  }
}
