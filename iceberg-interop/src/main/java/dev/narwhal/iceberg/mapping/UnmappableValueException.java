package dev.narwhal.iceberg.mapping;

/**
 * A value whose type maps but which itself does not: too large, not whole, or null where none may
 * be. The message names column, row and value. Nothing is rounded, wrapped or cut instead.
 */
public final class UnmappableValueException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UnmappableValueException(String message) {
    super(message);
  }

  /** The same, its message led by the place (a fragment) where the value was found. */
  public UnmappableValueException in(String place) {
    UnmappableValueException placed = new UnmappableValueException(place + ": " + getMessage());
    placed.setStackTrace(getStackTrace());
    return placed;
  }
}
