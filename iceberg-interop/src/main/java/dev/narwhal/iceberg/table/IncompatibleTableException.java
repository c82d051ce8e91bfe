package dev.narwhal.iceberg.table;

/** A table cannot take or be compared with these rows: other columns, version or partitioning. */
public final class IncompatibleTableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public IncompatibleTableException(String message) {
    super(message);
  }
}
