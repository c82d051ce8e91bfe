package dev.narwhal.lance.manifest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.narwhal.lance.error.LanceFormatException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The JSON of a tag or branch. Keys are camelCase on disk, though the format's documentation has
 * them in snake_case. Source: table format sheet 1.8.
 */
final class ReferenceJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final JsonNode object;
  private final String place;

  private ReferenceJson(JsonNode object, String place) {
    this.object = object;
    this.place = place;
  }

  /**
   * @param place names the file in messages
   */
  static ReferenceJson parse(ByteBuffer json, String place) {
    JsonNode node;
    try {
      node = MAPPER.readTree(StandardCharsets.UTF_8.decode(json.duplicate()).toString());
    } catch (JsonProcessingException e) {
      throw new LanceFormatException("is no JSON: " + e.getOriginalMessage(), e);
    }
    if (!node.isObject()) {
      throw new LanceFormatException("is no JSON object");
    }
    return new ReferenceJson(node, place);
  }

  Tag tag(String name) {
    return new Tag(
        name,
        text("branch"),
        version("version"),
        timestamp("createdAt"),
        timestamp("updatedAt"),
        size("manifestSize"));
  }

  Branch branch(String name) {
    OptionalLong created = number("createAt");
    return new Branch(
        name,
        text("parentBranch"),
        version("parentVersion"),
        created.isPresent() ? Optional.of(seconds(created.getAsLong())) : Optional.empty(),
        size("manifestSize"));
  }

  private long version(String key) {
    OptionalLong version = number(key);
    if (version.isEmpty() || version.getAsLong() < 1) {
      throw fault(key, "a version, at least 1");
    }
    return version.getAsLong();
  }

  private OptionalLong size(String key) {
    OptionalLong size = number(key);
    if (size.isPresent() && size.getAsLong() < 0) {
      throw fault(key, "a size in bytes");
    }
    return size;
  }

  private OptionalLong number(String key) {
    JsonNode value = object.path(key);
    if (value.isMissingNode() || value.isNull()) {
      return OptionalLong.empty();
    }
    if (!value.isIntegralNumber() || !value.canConvertToLong()) {
      throw fault(key, "a 64-bit number");
    }
    return OptionalLong.of(value.longValue());
  }

  private Optional<String> text(String key) {
    JsonNode value = object.path(key);
    if (value.isMissingNode() || value.isNull()) {
      return Optional.empty();
    }
    if (!value.isTextual()) {
      throw fault(key, "text");
    }
    return Optional.of(value.textValue());
  }

  private Optional<Instant> timestamp(String key) {
    Optional<String> text = text(key);
    try {
      return text.map(Instant::parse);
    } catch (DateTimeException e) {
      throw fault(key, "an RFC 3339 timestamp");
    }
  }

  private Instant seconds(long seconds) {
    try {
      return Instant.ofEpochSecond(seconds);
    } catch (DateTimeException e) {
      throw fault("createAt", "seconds since 1970");
    }
  }

  private LanceFormatException fault(String key, String expected) {
    JsonNode value = object.path(key);
    return new LanceFormatException(
        place
            + ": \""
            + key
            + "\" is "
            + (value.isMissingNode() ? "missing" : value.toString())
            + ", expected "
            + expected);
  }
}
