package dev.narwhal.lance.error;

/**
 * Lost to another commit; running the operation again on the newest version may succeed. The
 * message names both operations and both versions.
 */
public final class RetryableConflictException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public RetryableConflictException(String message) {
    super(message);
  }
}
