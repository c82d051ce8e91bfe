package dev.narwhal.lance.transaction;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.manifest.ManifestFile;
import dev.narwhal.lance.manifest.ManifestLocation;

/**
 * A version that a commit made.
 *
 * @param file what its manifest file holds
 * @param bytesWritten size of the manifest file and of the transaction file
 */
public record Committed(ManifestLocation location, ManifestFile file, long bytesWritten) {
  public Committed {
    requireNonNull(location, "location");
    requireNonNull(file, "file");
  }
}
