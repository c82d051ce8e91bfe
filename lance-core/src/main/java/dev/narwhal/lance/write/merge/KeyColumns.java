package dev.narwhal.lance.write.merge;

import dev.narwhal.lance.schema.LanceField;
import dev.narwhal.lance.schema.LanceSchema;
import dev.narwhal.lance.schema.PrimaryKeyCodec;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Which columns of a table rows are matched by. Source: table format sheet 7.1 and 6.5. */
final class KeyColumns {
  private KeyColumns() {}

  /**
   * The columns of these names, each once; without a name those of the primary key.
   *
   * @param names exact, or else without regard to case, as real Lance finds them
   * @throws IllegalArgumentException when there is no such column
   */
  static List<LanceField> of(LanceSchema schema, List<String> names) {
    List<LanceField> columns = schema.topLevel();
    if (names.isEmpty()) {
      List<LanceField> primary = PrimaryKeyCodec.primaryKey(schema);
      if (primary.isEmpty()) {
        throw new IllegalArgumentException(
            "no key column is named, and the table declares no primary key: name columns to match"
                + " rows by");
      }
      return primary;
    }
    Set<LanceField> found = new LinkedHashSet<>();
    for (String name : names) {
      found.add(find(columns, name));
    }
    return List.copyOf(found);
  }

  private static LanceField find(List<LanceField> columns, String name) {
    List<LanceField> similar = new ArrayList<>();
    for (LanceField column : columns) {
      if (column.name().equals(name)) {
        return column;
      }
      if (column.name().equalsIgnoreCase(name)) {
        similar.add(column);
      }
    }
    if (similar.size() == 1) {
      return similar.get(0);
    }
    String all = columns.stream().map(LanceField::name).collect(Collectors.joining(", "));
    throw new IllegalArgumentException(
        "key column '"
            + name
            + "' is "
            + (similar.isEmpty() ? "none of the table's: " : "more than one of the table's: ")
            + all);
  }
}
