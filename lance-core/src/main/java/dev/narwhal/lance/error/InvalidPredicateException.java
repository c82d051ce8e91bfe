package dev.narwhal.lance.error;

/**
 * A predicate that cannot be parsed, names an unknown column or function, or has a type error. The
 * message quotes the part that is wrong and says what would be accepted.
 */
public final class InvalidPredicateException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public InvalidPredicateException(String message) {
    super(message);
  }

  public InvalidPredicateException(String message, Throwable cause) {
    super(message, cause);
  }
}
