package dev.narwhal.iceberg.rowdelete.plan;

/** No live row matches: the table was left as it is. */
public final class NothingToDeleteException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public NothingToDeleteException(String message) {
    super(message);
  }
}
