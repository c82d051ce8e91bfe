package dev.narwhal.cli.source;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/** The columns of JSON objects. */
final class JsonLines implements RowCursor {
  private final Path file;
  private final JsonReader reader;
  private final List<Field> fields;
  private final Set<String> names = new HashSet<>();
  private final boolean[] documents;

  private JsonLines(Path file, JsonReader reader, List<Field> fields) {
    this.file = file;
    this.reader = reader;
    this.fields = fields;
    this.documents = new boolean[fields.size()];
    for (int i = 0; i < documents.length; i++) {
      names.add(fields.get(i).getName());
      documents[i] = JsonObjects.holdsDocuments(fields.get(i));
    }
  }

  /** The rows with these columns; another one in the file is an error. */
  static JsonLines open(Path file, Schema schema) throws IOException {
    return new JsonLines(file, JsonReader.open(file), schema.getFields());
  }

  @Override
  public boolean next() throws IOException {
    if (!reader.next()) {
      return false;
    }
    for (String name : reader.row().keySet()) {
      if (!names.contains(name)) {
        throw new IllegalArgumentException(
            "%s: %s: no column is called '%s'; there are %s"
                .formatted(file, place(), name, fields.stream().map(Field::getName).toList()));
      }
    }
    return true;
  }

  @Override
  public @Nullable Object value(int column) throws IOException {
    Field field = fields.get(column);
    Object value = reader.row().get(field.getName());
    return documents[column] ? JsonObjects.of(value, field) : value;
  }

  @Override
  public String place() {
    return "line " + reader.line();
  }

  @Override
  public long sizeBytes() {
    return reader.sizeBytes();
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
