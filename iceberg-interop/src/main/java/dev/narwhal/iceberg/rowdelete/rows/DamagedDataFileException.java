package dev.narwhal.iceberg.rowdelete.rows;

import org.jspecify.annotations.Nullable;

/**
 * A data file whose content cannot be read, or is not what its table says. The message names it.
 */
public final class DamagedDataFileException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param location of the file
   * @param problem a clause about it
   */
  public DamagedDataFileException(String location, String problem, @Nullable Throwable cause) {
    super(
        "data file " + location + " " + problem + "; restore the file, or remove it from the table",
        cause);
  }

  /**
   * A file with other rows than its table says.
   *
   * @param found how many rows
   */
  public static DamagedDataFileException ofRows(String location, String found, long recorded) {
    return new DamagedDataFileException(
        location, "has " + found + " rows, the table's metadata says " + recorded, null);
  }
}
