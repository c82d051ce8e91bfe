package dev.narwhal.iceberg.table;

import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.jspecify.annotations.Nullable;

/** The sizes in bytes that a table's properties ask of its files, at least 1. */
public final class FileSizes {
  private FileSizes() {}

  /**
   * {@code write.target-file-size-bytes}.
   *
   * @throws IllegalArgumentException naming the property, if its value is no such size
   */
  public static long ofData(Table table) {
    return bytes(
        table,
        TableProperties.WRITE_TARGET_FILE_SIZE_BYTES,
        TableProperties.WRITE_TARGET_FILE_SIZE_BYTES_DEFAULT);
  }

  /**
   * {@code write.delete.target-file-size-bytes}.
   *
   * @throws IllegalArgumentException naming the property, if its value is no such size
   */
  public static long ofDeletes(Table table) {
    return bytes(
        table,
        TableProperties.DELETE_TARGET_FILE_SIZE_BYTES,
        TableProperties.DELETE_TARGET_FILE_SIZE_BYTES_DEFAULT);
  }

  private static long bytes(Table table, String property, long unset) {
    String value = table.properties().get(property);
    if (value == null) {
      return unset;
    }
    try {
      long bytes = Long.parseLong(value);
      if (bytes > 0) {
        return bytes;
      }
    } catch (NumberFormatException e) {
      throw unusable(property, value, e);
    }
    throw unusable(property, value, null);
  }

  private static IllegalArgumentException unusable(
      String property, String value, @Nullable Throwable cause) {
    return new IllegalArgumentException(
        "table property "
            + property
            + ": '"
            + value
            + "' is no size; set it to a number of bytes, at least 1",
        cause);
  }
}
