package dev.narwhal.lance.storage;

import static java.util.Objects.requireNonNull;

import java.time.Instant;

/**
 * What a store knows of an object besides its bytes.
 *
 * @param sizeBytes at least 0
 * @param lastModified when it was written, by the store's clock
 */
public record ObjectAttributes(long sizeBytes, Instant lastModified) {
  public ObjectAttributes {
    requireNonNull(lastModified, "lastModified");
    if (sizeBytes < 0) {
      throw new IllegalArgumentException("sizeBytes must be at least 0: " + sizeBytes);
    }
  }
}
