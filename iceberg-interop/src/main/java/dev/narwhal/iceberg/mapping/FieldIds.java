package dev.narwhal.iceberg.mapping;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/**
 * Which Lance field became which Iceberg field, at all levels: both sides number their fields
 * themselves, and both keep the numbers through renames.
 *
 * <p>A field that only Iceberg has, the element of what is a fixed-size list of numbers in Lance,
 * is named after the Lance field above it: {@code 7.element}. The struct that holds the entries of
 * a map in Lance has no counterpart.
 */
public final class FieldIds {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Map<String, Integer> icebergIds;

  private FieldIds(Map<String, Integer> icebergIds) {
    this.icebergIds = icebergIds;
  }

  /**
   * The pairs of a table that was created for a mapping.
   *
   * @param created of the mapping's columns and of their types, with the table's ids
   */
  public static FieldIds of(TableMapping mapping, Schema created) {
    Map<String, Integer> pairs = new LinkedHashMap<>();
    add(mapping.columns(), created.columns(), "", pairs);
    return new FieldIds(pairs);
  }

  private static void add(
      List<MappedField> mapped,
      List<Types.NestedField> created,
      String above,
      Map<String, Integer> pairs) {
    if (mapped.size() != created.size()) {
      throw new IllegalArgumentException(
          mapped.size() + " fields, but the table has " + created.size());
    }
    for (int i = 0; i < mapped.size(); i++) {
      OptionalInt lanceId = mapped.get(i).source().lanceFieldId();
      String key =
          lanceId.isPresent()
              ? Integer.toString(lanceId.getAsInt())
              : above + "." + mapped.get(i).target().name();
      pairs.put(key, created.get(i).fieldId());
      Type type = created.get(i).type();
      if (type.isNestedType()) {
        add(mapped.get(i).children(), type.asNestedType().fields(), key, pairs);
      }
    }
  }

  /**
   * Reads the table property.
   *
   * @throws IllegalArgumentException if it is no JSON object of numbers
   */
  public static FieldIds fromJson(String json) {
    try {
      return new FieldIds(
          JSON.readValue(json, new TypeReference<LinkedHashMap<String, Integer>>() {}));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          SourceProperties.FIELD_IDS + " must be a JSON object of field ids: " + json, e);
    }
  }

  /** A JSON object such as {@code {"0":1,"1":2,"1.element":3}}, in the order of the columns. */
  public String toJson() {
    try {
      return JSON.writeValueAsString(icebergIds);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("numbers are always JSON", e);
    }
  }

  /** Whether some field became the one of this Iceberg id. */
  public boolean hasIcebergId(int icebergFieldId) {
    return icebergIds.containsValue(icebergFieldId);
  }

  /** The Iceberg id of what a Lance field became; empty where it was left out. */
  public OptionalInt icebergId(int lanceFieldId) {
    Integer id = icebergIds.get(Integer.toString(lanceFieldId));
    return id == null ? OptionalInt.empty() : OptionalInt.of(id);
  }
}
