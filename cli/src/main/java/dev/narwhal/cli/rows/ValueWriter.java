package dev.narwhal.cli.rows;

import com.fasterxml.jackson.core.io.SerializedString;
import java.io.IOException;
import java.math.BigDecimal;

/** Where the value of a cell goes: the kinds of value that rows know, whatever the format. */
interface ValueWriter {
  void nothing() throws IOException;

  void bool(boolean value) throws IOException;

  void integer(long value) throws IOException;

  /** All 64 bits as magnitude. */
  void unsigned(long value) throws IOException;

  void floating(float value) throws IOException;

  void floating(double value) throws IOException;

  void decimal(BigDecimal value) throws IOException;

  /** Text that we made ourselves: dates, times, durations. */
  void text(String value) throws IOException;

  /** UTF-8 from a file; malformed sequences become U+FFFD. */
  void utf8(byte[] bytes, int length) throws IOException;

  void binary(byte[] bytes, int length) throws IOException;

  void startList() throws IOException;

  void endList() throws IOException;

  void startObject() throws IOException;

  void name(SerializedString name) throws IOException;

  void endObject() throws IOException;
}
