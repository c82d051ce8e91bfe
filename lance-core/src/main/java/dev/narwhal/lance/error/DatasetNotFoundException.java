package dev.narwhal.lance.error;

/** There is no dataset, or not the asked version of it, at a location. */
public final class DatasetNotFoundException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public DatasetNotFoundException(String message) {
    super(message);
  }
}
