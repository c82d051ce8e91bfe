package dev.narwhal.lance.write.merge;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;

/** Some keys of the source as text, for a message; each once. One thread. */
final class KeyText {
  private static final int MAX_KEYS = 5;
  private static final int MAX_LENGTH = 100;

  private final List<Field> columns;
  private final Set<String> keys = new LinkedHashSet<>();

  KeyText(List<Field> columns) {
    this.columns = columns;
  }

  /** Adds the key of a row, unless there are enough. */
  void add(VectorSchemaRoot source, int row) {
    if (isFull()) {
      return;
    }
    List<String> parts = new ArrayList<>(columns.size());
    for (Field column : columns) {
      parts.add(column.getName() + " = " + text(source.getVector(column.getName()), row));
    }
    keys.add(String.join(", ", parts));
  }

  boolean isFull() {
    return keys.size() >= MAX_KEYS;
  }

  List<String> keys() {
    return List.copyOf(keys);
  }

  private static String text(FieldVector vector, int row) {
    Object value = vector.getObject(row);
    String text =
        value instanceof byte[] bytes ? "0x" + HexFormat.of().formatHex(bytes) : "" + value;
    return text.length() <= MAX_LENGTH ? text : text.substring(0, MAX_LENGTH) + "...";
  }
}
