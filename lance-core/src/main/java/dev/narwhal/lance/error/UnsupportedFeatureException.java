package dev.narwhal.lance.error;

/** Valid, but nothing this engine can do: the message names the feature and what would read it. */
public final class UnsupportedFeatureException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UnsupportedFeatureException(String message) {
    super(message);
  }

  /** The same, its message led by the place (a file, a column) that needs the feature. */
  public UnsupportedFeatureException in(String place) {
    UnsupportedFeatureException placed =
        new UnsupportedFeatureException(place + ": " + getMessage());
    placed.setStackTrace(getStackTrace());
    return placed;
  }
}
