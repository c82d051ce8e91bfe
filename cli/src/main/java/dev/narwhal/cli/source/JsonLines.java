package dev.narwhal.cli.source;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/** JSON objects one after the other, usually a line each. */
final class JsonLines implements RowCursor {
  private final Path file;
  private final JsonParser parser;
  private final List<Field> fields;
  private final Map<String, Integer> columns = new HashMap<>();
  private @Nullable JsonNode row;
  private long line;
  private long start;
  private long end;

  private JsonLines(Path file, JsonParser parser, List<Field> fields) {
    this.file = file;
    this.parser = parser;
    this.fields = fields;
    for (int i = 0; i < fields.size(); i++) {
      columns.put(fields.get(i).getName(), i);
    }
  }

  /** The rows with these columns; another one in the file is an error. */
  static JsonLines open(Path file, Schema schema) throws IOException {
    return new JsonLines(file, JsonObjects.MAPPER.createParser(file.toFile()), schema.getFields());
  }

  /** The rows as they are, for {@link #row}. */
  static JsonLines open(Path file) throws IOException {
    return new JsonLines(file, JsonObjects.MAPPER.createParser(file.toFile()), List.of());
  }

  @Override
  public boolean next() throws IOException {
    try {
      JsonToken token = parser.nextToken();
      if (token == null) {
        return false;
      }
      line = parser.currentTokenLocation().getLineNr();
      start = parser.currentTokenLocation().getByteOffset();
      if (token != JsonToken.START_OBJECT) {
        throw new IllegalArgumentException(
            file + ": " + place() + ": " + token + ", expected an object, one a line");
      }
      JsonNode read = JsonObjects.MAPPER.readTree(parser);
      end = parser.currentLocation().getByteOffset();
      requireKnown(read);
      row = read;
      return true;
    } catch (JsonProcessingException e) {
      long where = e.getLocation() == null ? line : e.getLocation().getLineNr();
      throw new IllegalArgumentException(
          file + ": line " + where + ": " + e.getOriginalMessage(), e);
    }
  }

  private void requireKnown(JsonNode read) {
    if (columns.isEmpty()) {
      return;
    }
    Iterator<String> names = read.fieldNames();
    while (names.hasNext()) {
      String name = names.next();
      if (!columns.containsKey(name)) {
        throw new IllegalArgumentException(
            "%s: %s: no column is called '%s'; there are %s"
                .formatted(file, place(), name, fields.stream().map(Field::getName).toList()));
      }
    }
  }

  /** The row that {@link #next} found. */
  JsonNode row() {
    if (row == null) {
      throw new IllegalStateException("no row: call next() first");
    }
    return row;
  }

  @Override
  public @Nullable Object value(int column) {
    Field field = fields.get(column);
    return JsonObjects.of(row().get(field.getName()), field);
  }

  @Override
  public String place() {
    return "line " + line;
  }

  @Override
  public long sizeBytes() {
    return end - start;
  }

  @Override
  public void close() throws IOException {
    parser.close();
  }
}
