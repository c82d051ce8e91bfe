package dev.narwhal.cli.rows;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.io.SerializedString;
import java.io.IOException;
import java.math.BigDecimal;

/** Values as JSON. NaN and the infinities, which JSON lacks, are strings. */
final class JsonValues implements ValueWriter {
  private final JsonGenerator json;

  JsonValues(JsonGenerator json) {
    this.json = json;
  }

  @Override
  public void nothing() throws IOException {
    json.writeNull();
  }

  @Override
  public void bool(boolean value) throws IOException {
    json.writeBoolean(value);
  }

  @Override
  public void integer(long value) throws IOException {
    json.writeNumber(value);
  }

  @Override
  public void unsigned(long value) throws IOException {
    if (value >= 0) {
      json.writeNumber(value);
    } else {
      json.writeNumber(Long.toUnsignedString(value));
    }
  }

  @Override
  public void floating(float value) throws IOException {
    json.writeNumber(value);
  }

  @Override
  public void floating(double value) throws IOException {
    json.writeNumber(value);
  }

  @Override
  public void decimal(BigDecimal value) throws IOException {
    json.writeNumber(value);
  }

  @Override
  public void text(String value) throws IOException {
    json.writeString(value);
  }

  @Override
  public void utf8(byte[] bytes, int length) throws IOException {
    if (isAscii(bytes, length)) {
      json.writeUTF8String(bytes, 0, length);
    } else {
      json.writeString(new String(bytes, 0, length, UTF_8));
    }
  }

  @Override
  public void binary(byte[] bytes, int length) throws IOException {
    json.writeBinary(bytes, 0, length);
  }

  @Override
  public void startList() throws IOException {
    json.writeStartArray();
  }

  @Override
  public void endList() throws IOException {
    json.writeEndArray();
  }

  @Override
  public void startObject() throws IOException {
    json.writeStartObject();
  }

  @Override
  public void name(SerializedString name) throws IOException {
    json.writeFieldName(name);
  }

  @Override
  public void endObject() throws IOException {
    json.writeEndObject();
  }

  private static boolean isAscii(byte[] bytes, int length) {
    int seen = 0;
    for (int i = 0; i < length; i++) {
      seen |= bytes[i];
    }
    return seen >= 0;
  }
}
