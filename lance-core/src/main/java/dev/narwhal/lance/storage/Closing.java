package dev.narwhal.lance.storage;

import java.io.Closeable;
import java.io.IOException;

/** Closes what belongs together. */
public final class Closing {
  private Closing() {}

  /**
   * Closes all, whatever becomes of one of them. The first failure is thrown when every one was
   * tried; the later ones are suppressed in it.
   */
  public static void all(Iterable<? extends Closeable> resources) throws IOException {
    Exception failure = null;
    for (Closeable resource : resources) {
      try {
        resource.close();
      } catch (IOException | RuntimeException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure instanceof IOException e) {
      throw e;
    }
    if (failure instanceof RuntimeException e) {
      throw e;
    }
  }
}
