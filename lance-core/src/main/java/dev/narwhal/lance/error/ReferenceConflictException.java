package dev.narwhal.lance.error;

/**
 * A tag or branch cannot be made, because there is one of its name, or cannot be removed, because
 * others depend on it. Nothing was changed.
 */
public final class ReferenceConflictException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ReferenceConflictException(String message) {
    super(message);
  }
}
