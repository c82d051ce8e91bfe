package dev.narwhal.cli.source;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.schema.ArrowTypes;
import dev.narwhal.lance.schema.BlobMode;
import dev.narwhal.lance.schema.LanceField;
import dev.narwhal.lance.schema.LanceSchema;
import dev.narwhal.lance.schema.UnknownFields;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * A schema as JSON:
 *
 * <pre>{@code
 * {"fields": [
 *   {"name": "id", "type": "int64", "nullable": false},
 *   {"name": "at", "type": "timestamp:us:UTC"},
 *   {"name": "vector", "type": "fixed_size_list:float:768"},
 *   {"name": "tags", "type": "list", "fields": [{"name": "item", "type": "string"}]}
 * ]}
 * }</pre>
 *
 * <p>Types have the names that Lance stores, which {@code inspect} shows. A field may have {@code
 * nullable} (true), {@code fields} for what is below it, and {@code metadata}, as may the schema.
 */
public final class SchemaFile {
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private static final Set<String> SCHEMA_KEYS = Set.of("fields", "metadata");
  private static final Set<String> FIELD_KEYS =
      Set.of("name", "type", "nullable", "fields", "metadata");

  private final List<LanceField> fields = new ArrayList<>();

  private SchemaFile() {}

  /**
   * Reads a file.
   *
   * @throws IllegalArgumentException when it is not such a schema; the message names the file
   */
  public static Schema read(Path file) throws IOException {
    try {
      return of(MAPPER.readTree(file.toFile()));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(file + ": no JSON: " + JsonReader.words(e), e);
    } catch (UnsupportedFeatureException e) {
      throw e.in(file.toString());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
  }

  /**
   * A nullable field without fields below it.
   *
   * @param type as Lance names it
   * @throws UnsupportedFeatureException for a type that is not known, or needs fields below it
   */
  public static Field field(String name, String type) {
    requireNoDictionary(name, type);
    LanceField field = new LanceField(0, -1, name, type, true, Map.of(), UnknownFields.none());
    return ArrowTypes.toArrow(new LanceSchema(List.of(field), Map.of()), BlobMode.BYTES)
        .getFields()
        .get(0);
  }

  /** The schema of a JSON value. */
  static Schema of(JsonNode json) {
    if (!json.isObject() || !json.path("fields").isArray()) {
      throw new IllegalArgumentException("a schema is an object with an array \"fields\"");
    }
    requireKeys(json, SCHEMA_KEYS, "the schema");
    SchemaFile schema = new SchemaFile();
    schema.addAll(json.get("fields"), -1, "");
    return ArrowTypes.toArrow(
        new LanceSchema(schema.fields, metadata(json, "the schema")), BlobMode.BYTES);
  }

  private void addAll(JsonNode list, int parent, String path) {
    for (JsonNode node : list) {
      add(node, parent, path);
    }
  }

  private void add(JsonNode node, int parent, String path) {
    if (!node.path("name").isTextual() || !node.path("type").isTextual()) {
      throw new IllegalArgumentException(
          "a field is an object with \"name\" and \"type\": " + node);
    }
    String name = path + node.get("name").textValue();
    requireKeys(node, FIELD_KEYS, "field '" + name + "'");
    JsonNode nullable = node.path("nullable");
    if (!nullable.isMissingNode() && !nullable.isBoolean()) {
      throw new IllegalArgumentException(
          "field '" + name + "': nullable is true or false, not " + nullable);
    }
    JsonNode below = node.path("fields");
    if (!below.isMissingNode() && !below.isArray()) {
      throw new IllegalArgumentException("field '" + name + "': fields is an array");
    }
    String type = node.get("type").textValue();
    requireNoDictionary(name, type);
    if (type.equals("struct") && below.isEmpty()) {
      throw new IllegalArgumentException("field '" + name + "': a struct has \"fields\"");
    }
    int id = fields.size();
    fields.add(
        new LanceField(
            id,
            parent,
            node.get("name").textValue(),
            type,
            nullable.asBoolean(true),
            metadata(node, "field '" + name + "'"),
            UnknownFields.none()));
    addAll(below, id, name + '.');
  }

  /** What it would make is a column of plain values. */
  private static void requireNoDictionary(String name, String type) {
    if (type.startsWith("dict:")) {
      throw new IllegalArgumentException(
          "field '"
              + name
              + "': a dictionary comes with the rows of an Arrow file; name the type of its values,"
              + " such as string");
    }
  }

  private static Map<String, String> metadata(JsonNode node, String place) {
    Map<String, String> metadata = new HashMap<>();
    for (Map.Entry<String, JsonNode> entry : node.path("metadata").properties()) {
      if (!entry.getValue().isTextual()) {
        throw new IllegalArgumentException(
            place + ": metadata is text by text, not " + entry.getValue());
      }
      metadata.put(entry.getKey(), entry.getValue().textValue());
    }
    return metadata;
  }

  private static void requireKeys(JsonNode node, Set<String> known, String place) {
    Iterator<String> names = node.fieldNames();
    while (names.hasNext()) {
      String name = names.next();
      if (!known.contains(name)) {
        throw new IllegalArgumentException(
            place
                + ": \""
                + name
                + "\" is not known; there are "
                + known.stream().sorted().toList());
      }
    }
  }
}
