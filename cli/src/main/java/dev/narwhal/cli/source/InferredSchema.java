package dev.narwhal.cli.source;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/** The schema that the values of a file tell; all of them are looked at. */
final class InferredSchema {
  private InferredSchema() {}

  /**
   * Of JSON lines: integers int64, other numbers float64, text utf8, true and false bool, arrays
   * lists, objects structs.
   */
  static Schema ofJson(Path file) throws IOException {
    InferredType root = new InferredType();
    try (JsonReader reader = JsonReader.open(file)) {
      while (reader.next()) {
        try {
          root.add(reader.row(), reader.line());
        } catch (BadValueException e) {
          throw new IllegalArgumentException(
              "%s: line %d, column '%s': %s"
                  .formatted(file, reader.line(), e.path("").substring(1), e.getMessage()),
              e);
        }
      }
    }
    return new Schema(named(file, root.members()));
  }

  /** Of CSV: int64, float64 or bool when all values of a column can be read so, else utf8. */
  static Schema ofCsv(Path file) throws IOException {
    try (CsvParser parser = new CsvParser(file)) {
      List<String> names = CsvLines.header(file, parser);
      List<InferredType> types = new ArrayList<>();
      names.forEach(name -> types.add(new InferredType()));
      for (List<@Nullable String> record = parser.next();
          !record.isEmpty();
          record = parser.next()) {
        for (int i = 0; i < Math.min(record.size(), types.size()); i++) {
          String text = record.get(i);
          if (text != null) {
            types.get(i).addText(text, parser.line());
          }
        }
      }
      List<Map.Entry<String, InferredType>> columns = new ArrayList<>();
      for (int i = 0; i < names.size(); i++) {
        columns.add(Map.entry(names.get(i), types.get(i)));
      }
      return new Schema(named(file, columns));
    }
  }

  private static List<Field> named(Path file, List<Map.Entry<String, InferredType>> columns) {
    List<Field> fields = new ArrayList<>();
    for (Map.Entry<String, InferredType> column : columns) {
      try {
        fields.add(column.getValue().field(column.getKey()));
      } catch (BadValueException e) {
        throw new IllegalArgumentException(
            file
                + ": column '"
                + e.path(column.getKey())
                + "': "
                + e.getMessage()
                + "; name its type by --schema",
            e);
      }
    }
    if (fields.isEmpty()) {
      throw new IllegalArgumentException(
          file + ": no row tells which columns there are; name them by --schema");
    }
    return fields;
  }
}
