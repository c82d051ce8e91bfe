package dev.narwhal.lance.manifest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.narwhal.lance.error.LanceFormatException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The JSON of a tag or branch. Keys are camelCase on disk, though the format's documentation has
 * them in snake_case. Source: table format sheet 1.8.
 */
final class ReferenceJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final ObjectNode object;
  private final String place;

  private ReferenceJson(ObjectNode object, String place) {
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
    if (!(node instanceof ObjectNode object)) {
      throw new LanceFormatException("is no JSON object");
    }
    return new ReferenceJson(object, place);
  }

  Tag tag(String name) {
    return new Tag(
        name,
        text("branch"),
        version("version"),
        timestamp("createdAt"),
        timestamp("updatedAt"),
        size("manifestSize"),
        metadata());
  }

  Branch branch(String name) {
    OptionalLong created = number("createAt");
    return new Branch(
        name,
        text("parentBranch"),
        version("parentVersion"),
        created.isPresent() ? Optional.of(seconds(created.getAsLong())) : Optional.empty(),
        lineage(),
        size("manifestSize"),
        metadata());
  }

  /** What the file says, for a writer that changes some of it. */
  ObjectNode copy() {
    return object.deepCopy();
  }

  private Map<String, String> metadata() {
    JsonNode map = object.path("metadata");
    if (map.isMissingNode() || map.isNull()) {
      return Map.of();
    }
    Map<String, String> metadata = new HashMap<>();
    for (Map.Entry<String, JsonNode> entry : map.properties()) {
      if (!entry.getValue().isTextual()) {
        throw fault("metadata", "an object of text");
      }
      metadata.put(entry.getKey(), entry.getValue().textValue());
    }
    if (!map.isObject()) {
      throw fault("metadata", "an object of text");
    }
    return metadata;
  }

  private List<BranchPoint> lineage() {
    JsonNode points = object.path("identifier").path("version_mapping");
    List<BranchPoint> lineage = new ArrayList<>();
    for (JsonNode point : points) {
      JsonNode version = point.path(0);
      boolean valid =
          points.isArray()
              && version.isIntegralNumber()
              && version.canConvertToLong()
              && version.longValue() > 0
              && point.path(1).isTextual();
      if (!valid) {
        throw fault("identifier", "pairs of a version and a uuid");
      }
      lineage.add(new BranchPoint(version.longValue(), point.path(1).textValue()));
    }
    return lineage;
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
