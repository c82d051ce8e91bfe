package dev.narwhal.iceberg.mapping;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.complex.StructVector;
import org.jspecify.annotations.Nullable;

/**
 * The text of an Arrow value, the same on every machine: what {@code narwhal rows --format csv}
 * prints. Structs, lists and maps are JSON; scalars are {@link ScalarText}, without quotes.
 */
final class ArrowText {
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(StreamWriteFeature.USE_FAST_DOUBLE_WRITER)
          .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
          .build();

  private ArrowText() {}

  /** The text of a value that is there. */
  static String of(FieldVector vector, int row) {
    Object value = value(vector, row);
    if (value instanceof String text) {
      return text;
    }
    if (value instanceof BigDecimal decimal) {
      return decimal.toPlainString();
    }
    try {
      return JSON.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("numbers, texts, lists and maps are always JSON", e);
    }
  }

  private static @Nullable Object nullable(FieldVector vector, int row) {
    return vector.isNull(row) ? null : value(vector, row);
  }

  private static Object value(FieldVector anyVector, int row) {
    FieldVector vector = Column.storage(anyVector);
    if (vector instanceof StructVector structs) {
      return struct(structs, row);
    }
    if (vector instanceof MapVector maps) {
      return map(maps, row);
    }
    if (vector instanceof ListVector lists) {
      return list(Spans.of(lists), lists.getDataVector(), row);
    }
    if (vector instanceof LargeListVector lists) {
      return list(Spans.of(lists), lists.getDataVector(), row);
    }
    if (vector instanceof FixedSizeListVector lists) {
      return list(Spans.of(lists), lists.getDataVector(), row);
    }
    return ScalarText.of(vector, row);
  }

  private static Map<String, @Nullable Object> struct(StructVector structs, int row) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    for (FieldVector field : structs.getChildrenFromFields()) {
      fields.put(field.getName(), nullable(field, row));
    }
    return fields;
  }

  private static List<@Nullable Object> list(Spans spans, FieldVector elements, int row) {
    List<@Nullable Object> list = new ArrayList<>();
    for (int i = spans.start(row); i < spans.end(row); i++) {
      list.add(nullable(elements, i));
    }
    return list;
  }

  private static List<Map<String, @Nullable Object>> map(MapVector maps, int row) {
    List<FieldVector> entry = maps.getDataVector().getChildrenFromFields();
    Spans spans = Spans.of(maps);
    List<Map<String, @Nullable Object>> entries = new ArrayList<>();
    for (int i = spans.start(row); i < spans.end(row); i++) {
      Map<String, @Nullable Object> pair = new LinkedHashMap<>();
      pair.put("key", nullable(entry.get(0), i));
      pair.put("value", nullable(entry.get(1), i));
      entries.add(pair);
    }
    return entries;
  }
}
