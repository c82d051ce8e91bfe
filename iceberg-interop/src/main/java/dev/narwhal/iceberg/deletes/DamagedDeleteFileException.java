package dev.narwhal.iceberg.deletes;

/**
 * A delete file that says what cannot be so, such as a position past the rows of its data file. The
 * message names both files.
 */
public final class DamagedDeleteFileException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public DamagedDeleteFileException(String message) {
    super(message);
  }
}
