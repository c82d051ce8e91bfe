package dev.narwhal.cli.source;

import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** A value that a vector cannot hold. */
public final class BadValueException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int SHOWN = 100;

  /** Below the column, each member led by a dot. */
  private String members = "";

  BadValueException(String message) {
    super(message);
  }

  /** A value that is not what is expected. */
  static BadValueException of(@Nullable Object value, String expected) {
    return new BadValueException(shown(value) + ", expected " + expected);
  }

  /** A value for a message: text in quotes, bytes in hex, the first of many characters. */
  public static String shown(@Nullable Object value) {
    String text = value instanceof byte[] b ? HexFormat.of().formatHex(b) : String.valueOf(value);
    String shown = text.length() > SHOWN ? text.substring(0, SHOWN) + "..." : text;
    return value instanceof String ? '"' + shown + '"' : shown;
  }

  /** The same inside a member of a struct. */
  BadValueException in(String member) {
    members = '.' + member + members;
    return this;
  }

  /** The path of what was to be filled. */
  String path(String column) {
    return column + members;
  }
}
