package dev.narwhal.iceberg.table;

/** The target of an export already holds rows, or has held some. Nothing was changed. */
public final class TableNotEmptyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public TableNotEmptyException(String message) {
    super(message);
  }

  public TableNotEmptyException(String message, Throwable cause) {
    super(message, cause);
  }
}
