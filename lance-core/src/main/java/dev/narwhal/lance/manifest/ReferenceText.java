package dev.narwhal.lance.manifest;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.PrettyPrinter;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.core.util.Separators.Spacing;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Writes the JSON of a tag or branch as Lance 7.0.0 does, down to the order of the keys and the
 * white space: indented by two spaces, each element of an array on a line of its own, no line end
 * after the last brace. Keys that we do not know stay as they were. Source: table format sheet 1.8,
 * and files that real Lance wrote.
 */
final class ReferenceText {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final DefaultIndenter TWO_SPACES = new DefaultIndenter("  ", "\n");

  private ReferenceText() {}

  static ObjectNode empty() {
    return JsonNodeFactory.instance.objectNode();
  }

  /**
   * Puts what a tag is into the object.
   *
   * @param object that of the tag's file as it was, or an empty one
   */
  static ByteBuffer of(Tag tag, ObjectNode object) {
    putText(object, "branch", tag.branch());
    object.put("version", tag.version());
    putTime(object, "createdAt", tag.createdAt());
    putTime(object, "updatedAt", tag.updatedAt());
    putSize(object, tag.manifestSizeBytes());
    putMetadata(object, tag.metadata());
    return bytes(object);
  }

  /** The same for a branch. */
  static ByteBuffer of(Branch branch, ObjectNode object) {
    putText(object, "parentBranch", branch.parent());
    ArrayNode lineage = object.putObject("identifier").putArray("version_mapping");
    for (BranchPoint point : branch.lineage()) {
      lineage.addArray().add(point.version()).add(point.uuid());
    }
    object.put("parentVersion", branch.parentVersion());
    branch.createdAt().ifPresent(time -> object.put("createAt", time.getEpochSecond()));
    putSize(object, branch.manifestSizeBytes());
    putMetadata(object, branch.metadata());
    return bytes(object);
  }

  private static void putText(ObjectNode object, String key, Optional<String> text) {
    if (text.isPresent()) {
      object.put(key, text.get());
    } else {
      object.putNull(key);
    }
  }

  private static void putTime(ObjectNode object, String key, Optional<Instant> time) {
    time.ifPresent(instant -> object.put(key, instant.toString()));
  }

  private static void putSize(ObjectNode object, OptionalLong size) {
    size.ifPresent(bytes -> object.put("manifestSize", bytes));
  }

  private static void putMetadata(ObjectNode object, Map<String, String> metadata) {
    ObjectNode map = object.putObject("metadata");
    new TreeMap<>(metadata).forEach(map::put);
  }

  private static ByteBuffer bytes(ObjectNode object) {
    Separators separators =
        PrettyPrinter.DEFAULT_SEPARATORS
            .withObjectFieldValueSpacing(Spacing.AFTER)
            .withObjectEmptySeparator("")
            .withArrayEmptySeparator("");
    DefaultPrettyPrinter printer =
        new DefaultPrettyPrinter(separators)
            .withObjectIndenter(TWO_SPACES)
            .withArrayIndenter(TWO_SPACES);
    try {
      return ByteBuffer.wrap(MAPPER.writer(printer).writeValueAsString(object).getBytes(UTF_8));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree of text and numbers has no JSON", e);
    }
  }
}
