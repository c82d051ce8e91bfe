package dev.narwhal.cli.rows;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.io.NumberOutput;
import com.fasterxml.jackson.core.io.SerializedString;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Base64;

/** Scalar values as CSV fields. {@link CsvRows} writes nested ones through {@link #field}. */
final class CsvValues implements ValueWriter {
  private final OutputStream out;

  CsvValues(OutputStream out) {
    this.out = out;
  }

  @Override
  public void nothing() {}

  @Override
  public void bool(boolean value) throws IOException {
    plain(Boolean.toString(value));
  }

  @Override
  public void integer(long value) throws IOException {
    plain(Long.toString(value));
  }

  @Override
  public void unsigned(long value) throws IOException {
    plain(Long.toUnsignedString(value));
  }

  @Override
  public void floating(float value) throws IOException {
    plain(NumberOutput.toString(value, true));
  }

  @Override
  public void floating(double value) throws IOException {
    plain(NumberOutput.toString(value, true));
  }

  @Override
  public void decimal(BigDecimal value) throws IOException {
    plain(value.toPlainString());
  }

  @Override
  public void text(String value) throws IOException {
    byte[] utf8 = value.getBytes(UTF_8);
    field(utf8, utf8.length);
  }

  @Override
  public void utf8(byte[] bytes, int length) throws IOException {
    text(new String(bytes, 0, length, UTF_8));
  }

  @Override
  public void binary(byte[] bytes, int length) throws IOException {
    byte[] base64 = Base64.getEncoder().encode(Arrays.copyOf(bytes, length));
    field(base64, base64.length);
  }

  @Override
  public void startList() {
    throw nested();
  }

  @Override
  public void endList() {
    throw nested();
  }

  @Override
  public void startObject() {
    throw nested();
  }

  @Override
  public void name(SerializedString name) {
    throw nested();
  }

  @Override
  public void endObject() {
    throw nested();
  }

  /** Text, quoted where a reader could split it, trim it or take it for null. */
  void field(byte[] text, int length) throws IOException {
    if (!needsQuotes(text, length)) {
      out.write(text, 0, length);
      return;
    }
    out.write('"');
    int start = 0;
    for (int i = 0; i < length; i++) {
      if (text[i] == '"') {
        out.write(text, start, i + 1 - start);
        start = i; // so that the quote is written twice
      }
    }
    out.write(text, start, length - start);
    out.write('"');
  }

  private static boolean needsQuotes(byte[] text, int length) {
    if (length == 0 || text[0] == ' ' || text[length - 1] == ' ') {
      return true;
    }
    for (int i = 0; i < length; i++) {
      byte b = text[i];
      if (b == ',' || b == '"' || b == '\r' || b == '\n') {
        return true;
      }
    }
    return false;
  }

  private void plain(String ascii) throws IOException {
    out.write(ascii.getBytes(ISO_8859_1));
  }

  private static IllegalStateException nested() {
    return new IllegalStateException("a nested value is written as JSON text");
  }
}
