package dev.narwhal.iceberg.source;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/** Iceberg's own generic reader, which says what rows a table has. */
public final class Judge {
  private Judge() {}

  /**
   * All live rows by their {@code id}, values in the table's order; fails on a row that is there
   * twice.
   */
  public static SortedMap<Integer, List<@Nullable Object>> liveRows(Table table)
      throws IOException {
    SortedMap<Integer, List<@Nullable Object>> rows = new TreeMap<>();
    try (CloseableIterable<Record> records = IcebergGenerics.read(table).build()) {
      for (Record record : records) {
        List<@Nullable Object> row = new ArrayList<>();
        table.schema().columns().forEach(field -> row.add(record.getField(field.name())));
        int id = ((Number) record.getField("id")).intValue();
        if (rows.put(id, comparable(row)) != null) {
          throw new AssertionError("row " + id + " twice");
        }
      }
    }
    return rows;
  }

  /** The same rows with bytes as text and structs as maps, so that they compare by content. */
  public static SortedMap<Integer, List<@Nullable Object>> comparable(
      SortedMap<Integer, List<@Nullable Object>> rows) {
    rows.replaceAll((id, row) -> comparable(row));
    return rows;
  }

  private static List<@Nullable Object> comparable(List<?> values) {
    List<@Nullable Object> comparable = new ArrayList<>();
    values.forEach(value -> comparable.add(comparable(value)));
    return comparable;
  }

  private static @Nullable Object comparable(@Nullable Object value) {
    if (value instanceof byte[] bytes) {
      return HexFormat.of().formatHex(bytes);
    }
    if (value instanceof ByteBuffer buffer) {
      byte[] bytes = new byte[buffer.remaining()];
      buffer.duplicate().get(bytes);
      return HexFormat.of().formatHex(bytes);
    }
    if (value instanceof List<?> list) {
      return comparable(list);
    }
    if (value instanceof Record record) {
      Map<String, @Nullable Object> fields = new LinkedHashMap<>();
      for (Types.NestedField field : record.struct().fields()) {
        fields.put(field.name(), comparable(record.getField(field.name())));
      }
      return fields;
    }
    if (value instanceof Map<?, ?> map) {
      Map<@Nullable Object, @Nullable Object> entries = new LinkedHashMap<>();
      map.forEach((key, each) -> entries.put(comparable(key), comparable(each)));
      return entries;
    }
    return value;
  }
}
