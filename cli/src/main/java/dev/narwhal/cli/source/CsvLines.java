package dev.narwhal.cli.source;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/** Rows of a CSV file, whose first record names the columns. Nested values are JSON. */
final class CsvLines implements RowCursor {
  private final Path file;
  private final CsvParser parser;
  private final List<Field> fields;
  private List<@Nullable String> record = List.of();

  private CsvLines(Path file, CsvParser parser, List<Field> fields) {
    this.file = file;
    this.parser = parser;
    this.fields = fields;
  }

  /**
   * The rows.
   *
   * @param schema fields for the columns of the file, in its order
   */
  static CsvLines open(Path file, Schema schema) throws IOException {
    CsvParser parser = new CsvParser(file);
    try {
      parser.next();
      return new CsvLines(file, parser, schema.getFields());
    } catch (IOException | RuntimeException e) {
      parser.close();
      throw e;
    }
  }

  /** The table's fields that the file has, in the file's order; another one is text. */
  static Schema schema(Path file, Schema table) throws IOException {
    List<Field> fields = new ArrayList<>();
    try (CsvParser parser = new CsvParser(file)) {
      for (String name : header(file, parser)) {
        fields.add(
            table.getFields().stream()
                .filter(field -> field.getName().equals(name))
                .findFirst()
                .orElse(Field.nullable(name, new ArrowType.Utf8())));
      }
    }
    return new Schema(fields, table.getCustomMetadata());
  }

  /**
   * The names in the first record.
   *
   * @throws IllegalArgumentException when there is none, or a name is missing or comes twice
   */
  static List<String> header(Path file, CsvParser parser) throws IOException {
    List<String> names = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (String name : parser.next()) {
      if (name == null || name.isEmpty() || !seen.add(name)) {
        throw new IllegalArgumentException(
            file + ": line 1: a column without a name, or two with one: " + name);
      }
      names.add(name);
    }
    if (names.isEmpty()) {
      throw new IllegalArgumentException(file + ": empty; the first line names the columns");
    }
    return names;
  }

  @Override
  public boolean next() throws IOException {
    record = parser.next();
    if (!record.isEmpty() && record.size() != fields.size()) {
      throw new IllegalArgumentException(
          "%s: %s: %d fields, the first line has %d"
              .formatted(file, place(), record.size(), fields.size()));
    }
    return !record.isEmpty();
  }

  @Override
  public @Nullable Object value(int column) throws IOException {
    String text = record.get(column);
    Field field = fields.get(column);
    if (text == null) {
      return null;
    }
    try {
      return switch (field.getType().getTypeID()) {
        case Bool ->
            text.equalsIgnoreCase("true")
                ? (Object) true
                : text.equalsIgnoreCase("false") ? (Object) false : text;
        case Int, Decimal, FloatingPoint ->
            NumberText.of(text).map(number -> (Object) number).orElse(text);
        case Struct, List, LargeList, FixedSizeList, Map ->
            JsonObjects.of(JsonReader.value(text), field);
        default -> text;
      };
    } catch (JsonProcessingException | BadValueException e) {
      // the vector says what it expects instead
      return text;
    }
  }

  @Override
  public String place() {
    return "line " + parser.line();
  }

  @Override
  public long sizeBytes() {
    return parser.sizeChars();
  }

  @Override
  public void close() throws IOException {
    parser.close();
  }
}
