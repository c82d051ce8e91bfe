package dev.narwhal.lance.transaction;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.manifest.ManifestFile;
import dev.narwhal.lance.storage.ObjectStore;
import java.util.Optional;

/**
 * The version that a clone or a branch is made from.
 *
 * @param store whose root is that of the dataset, or of the branch, that the version belongs to
 * @param file what its manifest file holds
 * @param branch the branch that it belongs to; empty means main
 */
public record CloneSource(ObjectStore store, ManifestFile file, Optional<String> branch) {
  public CloneSource {
    requireNonNull(store, "store");
    requireNonNull(file, "file");
    requireNonNull(branch, "branch");
  }

  long version() {
    return file.manifest().version();
  }
}
