package dev.narwhal.iceberg.deletes;

/**
 * A delete file that cannot be read, or says what cannot be so, such as a position past the rows of
 * its data file. The message names it, and the data file if one is concerned.
 */
public final class DamagedDeleteFileException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public DamagedDeleteFileException(String message) {
    super(message);
  }

  /**
   * @param location of the delete file
   * @param problem a clause about it
   */
  DamagedDeleteFileException(String location, String problem, Throwable cause) {
    super(
        "delete file "
            + location
            + " "
            + problem
            + "; restore the file: without it rows that were deleted come back",
        cause);
  }
}
