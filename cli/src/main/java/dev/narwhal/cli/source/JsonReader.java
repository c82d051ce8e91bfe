package dev.narwhal.cli.source;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.CharConversionException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * JSON objects one after the other, usually a line each. Values are {@link Boolean}, {@link
 * String}, {@link NumberText}, {@link List} and, by member in the order of the file, {@link Map}.
 */
public final class JsonReader implements Closeable {
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build())
          .build();

  private final Path file;
  private final JsonParser parser;
  private Map<String, @Nullable Object> row = Map.of();
  private long line;
  private long start;
  private long end;

  private JsonReader(Path file, JsonParser parser) {
    this.file = file;
    this.parser = parser;
  }

  public static JsonReader open(Path file) throws IOException {
    return new JsonReader(file, FACTORY.createParser(file.toFile()));
  }

  /**
   * Moves to the next object.
   *
   * @return whether there is one
   * @throws IllegalArgumentException for what is no JSON, or no object, and for two members of one
   *     name; it names file and line
   */
  public boolean next() throws IOException {
    try {
      JsonToken token = parser.nextToken();
      if (token == null) {
        return false;
      }
      line = parser.currentTokenLocation().getLineNr();
      start = parser.currentTokenLocation().getByteOffset();
      if (token != JsonToken.START_OBJECT) {
        throw new BadValueException(words(token) + ", expected an object, one a line");
      }
      row = object(parser);
      end = parser.currentLocation().getByteOffset();
      return true;
    } catch (JsonProcessingException e) {
      long where = e.getLocation() == null ? line : e.getLocation().getLineNr();
      throw new IllegalArgumentException(file + ": line " + where + ": " + words(e), e);
    } catch (BadValueException | CharConversionException e) {
      throw new IllegalArgumentException(file + ": line " + line + ": " + e.getMessage(), e);
    }
  }

  /** The object that {@link #next} found. */
  public Map<String, @Nullable Object> row() {
    return row;
  }

  /** The line on which it begins, from 1 on. */
  public long line() {
    return line;
  }

  /** Its bytes in the file. */
  long sizeBytes() {
    return end - start;
  }

  /**
   * The one value that a text is.
   *
   * @throws JsonProcessingException when it is no JSON, or has more behind it
   * @throws BadValueException for two members of one name
   */
  static @Nullable Object value(String text) throws IOException {
    try (JsonParser parser = FACTORY.createParser(text)) {
      JsonToken token = parser.nextToken();
      Object value = token == null ? null : value(parser, token);
      if (token == null || parser.nextToken() != null) {
        throw new BadValueException("not one JSON value");
      }
      return value;
    }
  }

  private static @Nullable Object value(JsonParser parser, JsonToken token) throws IOException {
    return switch (token) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> array(parser);
      case VALUE_STRING -> parser.getText();
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new NumberText(parser.getText());
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      case END_OBJECT, END_ARRAY, FIELD_NAME, VALUE_EMBEDDED_OBJECT, NOT_AVAILABLE ->
          throw new IllegalStateException("no JSON parser begins a value with " + token);
    };
  }

  private static Map<String, @Nullable Object> object(JsonParser parser) throws IOException {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      if (members.containsKey(name)) {
        throw new BadValueException("two members are called '" + name + "'");
      }
      members.put(name, value(parser, parser.nextToken()));
    }
    return members;
  }

  private static List<@Nullable Object> array(JsonParser parser) throws IOException {
    List<@Nullable Object> items = new ArrayList<>();
    JsonToken token = parser.nextToken();
    while (token != JsonToken.END_ARRAY) {
      items.add(value(parser, token));
      token = parser.nextToken();
    }
    return items;
  }

  private static String words(JsonToken token) {
    return switch (token) {
      case START_ARRAY -> "an array";
      case VALUE_STRING -> "text";
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> "a number";
      case VALUE_TRUE, VALUE_FALSE -> "true or false";
      case VALUE_NULL -> "null";
      default -> "no value";
    };
  }

  /** What is wrong, without advice about the parser's own settings, which nobody can change. */
  static String words(JsonProcessingException failure) {
    String message = failure.getOriginalMessage();
    String told =
        message
            .replaceAll("[:;,]? ?enable `[^`]*`( to allow)?", "")
            .replaceAll(", from `[^`]*`", "")
            .replaceAll("\\[Source: [^`]*`[^`]*` disabled\\); ", "[")
            .replace('\n', ' ');
    return message.startsWith("Non-standard token")
        ? told + "; NaN and the infinities are text, such as \"NaN\""
        : told;
  }

  @Override
  public void close() throws IOException {
    parser.close();
  }
}
