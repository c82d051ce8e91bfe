package dev.narwhal.lance.error;

/**
 * The commit may or may not have landed: the message names the version to look at. Nothing was
 * cleaned up.
 */
public final class CommitStateUnknownException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public CommitStateUnknownException(String message, Throwable cause) {
    super(message, cause);
  }
}
