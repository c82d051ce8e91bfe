package dev.narwhal.lance.transaction;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.manifest.Manifest;
import dev.narwhal.lance.manifest.ManifestFile;
import dev.narwhal.lance.manifest.ManifestLocation;
import java.util.Optional;

/**
 * A version that somebody committed.
 *
 * @param transaction what made it; empty when nothing tells
 */
record CommittedVersion(
    ManifestLocation location, ManifestFile file, Optional<Transaction> transaction) {
  CommittedVersion {
    requireNonNull(location, "location");
    requireNonNull(file, "file");
    requireNonNull(transaction, "transaction");
  }

  Manifest manifest() {
    return file.manifest();
  }

  long version() {
    return location.version();
  }
}
