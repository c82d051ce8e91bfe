package dev.narwhal.cli.source;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/** The schema that the values of a file tell; all of them are looked at. */
final class InferredSchema {
  private static final Pattern WHOLE = Pattern.compile("[+-]?\\d{1,18}");

  private InferredSchema() {}

  /**
   * Of JSON lines: integers int64, other numbers float64, text utf8, true and false bool, arrays
   * lists, objects structs.
   */
  static Schema ofJson(Path file) throws IOException {
    InferredType root = new InferredType();
    try (JsonLines lines = JsonLines.open(file)) {
      while (lines.next()) {
        try {
          root.add(lines.row());
        } catch (BadValueException e) {
          throw new IllegalArgumentException(
              "%s: %s, column '%s': %s"
                  .formatted(file, lines.place(), e.path("").substring(1), e.getMessage()),
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
            types.get(i).addText(kind(text));
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

  private static InferredType.Kind kind(String text) {
    if (WHOLE.matcher(text).matches()) {
      return InferredType.Kind.INTEGER;
    }
    if (text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false")) {
      return InferredType.Kind.BOOLEAN;
    }
    try {
      return Double.isFinite(new BigDecimal(text).doubleValue())
          ? InferredType.Kind.REAL
          : InferredType.Kind.TEXT;
    } catch (NumberFormatException e) {
      return InferredType.Kind.TEXT;
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
