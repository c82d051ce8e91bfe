package dev.narwhal.puffin;

import org.jspecify.annotations.Nullable;

/**
 * Bytes that break the layout of a deletion vector or of the file around it. The message says what
 * was found, what was expected and at which byte; whoever did the I/O adds the file with {@link
 * #in(String)}.
 */
public final class PuffinFormatException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public PuffinFormatException(String message) {
    super(message);
  }

  public PuffinFormatException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /**
   * A fault at one place.
   *
   * @param offset byte offset from the start of the vector, or of the file when a whole file was
   *     decoded
   */
  static PuffinFormatException at(long offset, String found, String expected) {
    return new PuffinFormatException(
        found + ", expected " + expected + " (at byte " + offset + ")");
  }

  /** The same fault, its message led by the place (a file, a range of it) where it was found. */
  public PuffinFormatException in(String place) {
    PuffinFormatException placed =
        new PuffinFormatException(place + ": " + getMessage(), getCause());
    placed.setStackTrace(getStackTrace());
    return placed;
  }
}
