package dev.narwhal.lance.error;

import org.jspecify.annotations.Nullable;

/**
 * Bytes that break the Lance format. The message says what was found, what was expected and at
 * which offset; whoever did the I/O adds the file with {@link #in(String)}.
 */
public final class LanceFormatException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public LanceFormatException(String message) {
    super(message);
  }

  public LanceFormatException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /**
   * The same fault, its message led by the place (a file, a version, a column) where it was found.
   */
  public LanceFormatException in(String place) {
    LanceFormatException placed = new LanceFormatException(place + ": " + getMessage(), getCause());
    placed.setStackTrace(getStackTrace());
    return placed;
  }
}
