package dev.narwhal.iceberg.mapping;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.iceberg.Schema;

/**
 * Which Lance field became which Iceberg field: both sides number their fields themselves, and both
 * keep the numbers through renames.
 *
 * @param icebergIds from Lance field id to Iceberg field id, top-level columns only
 */
public record FieldIds(Map<Integer, Integer> icebergIds) {
  private static final ObjectMapper JSON = new ObjectMapper();

  public FieldIds {
    icebergIds = Map.copyOf(icebergIds);
  }

  /** The pairs of a table that was created from these columns, in their order. */
  public static FieldIds of(List<SourceColumn> columns, Schema created) {
    if (columns.size() != created.columns().size()) {
      throw new IllegalArgumentException(
          columns.size() + " columns, but the table has " + created.columns().size());
    }
    Map<Integer, Integer> pairs = new TreeMap<>();
    for (int i = 0; i < columns.size(); i++) {
      pairs.put(columns.get(i).lanceFieldId(), created.columns().get(i).fieldId());
    }
    return new FieldIds(pairs);
  }

  /**
   * Reads the table property.
   *
   * @throws IllegalArgumentException if it is no JSON object of numbers
   */
  public static FieldIds fromJson(String json) {
    try {
      return new FieldIds(JSON.readValue(json, new TypeReference<Map<Integer, Integer>>() {}));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          SourceProperties.FIELD_IDS + " must be a JSON object of field ids: " + json, e);
    }
  }

  /** A JSON object such as {@code {"0":1,"1":2}}, by ascending Lance field id. */
  public String toJson() {
    try {
      return JSON.writeValueAsString(new TreeMap<>(icebergIds));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("numbers are always JSON", e);
    }
  }
}
