package dev.narwhal.cli.source;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Records of comma-separated fields, in quotes where they hold a comma, a quote, which is doubled
 * then, or a line break. An empty field is null without quotes, and empty text with them. UTF-8, a
 * byte order mark is skipped. Lines without anything are skipped, unless the first record has one
 * field: then they are records too, of one null. Source: RFC 4180.
 */
final class CsvParser implements Closeable {
  private static final int END = -1;

  private final Path file;
  private final BufferedReader in;
  private int peeked;
  private long line = 1;
  private long recordLine;
  private long chars;
  private boolean oneField;

  CsvParser(Path file) throws IOException {
    this.file = file;
    this.in = Files.newBufferedReader(file, UTF_8);
    try {
      this.peeked = in.read();
      if (peeked == '\uFEFF') {
        peeked = in.read();
      }
    } catch (IOException e) {
      in.close();
      throw coded(e);
    }
  }

  /**
   * The next record; empty at the end.
   *
   * @throws IllegalArgumentException for a quote that is not closed, or followed by more
   */
  List<@Nullable String> next() throws IOException {
    chars = 0;
    while (!oneField && (peeked == '\n' || peeked == '\r')) {
      take();
    }
    boolean first = recordLine == 0;
    recordLine = line;
    List<@Nullable String> fields = new ArrayList<>();
    if (peeked == END) {
      return fields;
    }
    while (true) {
      fields.add(peeked == '"' ? quoted() : plain());
      if (peeked != ',') {
        break;
      }
      take();
    }
    if (peeked == '\r') {
      take();
    }
    if (peeked == '\n') {
      take();
    }
    if (first) {
      oneField = fields.size() == 1;
    }
    return fields;
  }

  /** The line on which the record begins, from 1 on. */
  long line() {
    return recordLine;
  }

  /** Characters of the record. */
  long sizeChars() {
    return chars;
  }

  private @Nullable String plain() throws IOException {
    StringBuilder text = new StringBuilder();
    while (peeked != ',' && peeked != '\n' && peeked != '\r' && peeked != END) {
      text.append(take());
    }
    return text.isEmpty() ? null : text.toString();
  }

  private String quoted() throws IOException {
    take();
    StringBuilder text = new StringBuilder();
    while (true) {
      if (peeked == END) {
        throw new IllegalArgumentException(
            file + ": line " + recordLine + ": a quote is not closed");
      }
      char c = take();
      if (c != '"') {
        text.append(c);
      } else if (peeked == '"') {
        text.append(take());
      } else {
        break;
      }
    }
    if (peeked != ',' && peeked != '\n' && peeked != '\r' && peeked != END) {
      throw new IllegalArgumentException(file + ": line " + line + ": text after a closing quote");
    }
    return text.toString();
  }

  private char take() throws IOException {
    char taken = (char) peeked;
    line += taken == '\n' ? 1 : 0;
    chars++;
    try {
      peeked = in.read();
    } catch (IOException e) {
      throw coded(e);
    }
    return taken;
  }

  private IOException coded(IOException failure) {
    return failure instanceof CharacterCodingException
        ? new IOException(file + ": after line " + line + ": not UTF-8", failure)
        : failure;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
