package dev.narwhal.cli;

import dev.narwhal.lance.storage.LocalObjectStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A data file that a user names in the place of a dataset.
 *
 * @param store of the directory that it is in
 * @param name in that directory
 */
record DataFilePath(LocalObjectStore store, String name) {
  /** The file, if the path or URI is that of a file; datasets are directories. */
  static Optional<DataFilePath> of(String pathOrUri) {
    Path path = LocalObjectStore.at(pathOrUri).root();
    Path folder = path.getParent();
    return folder != null && Files.isRegularFile(path)
        ? Optional.of(new DataFilePath(LocalObjectStore.at(folder), path.getFileName().toString()))
        : Optional.empty();
  }

  @Override
  public String toString() {
    return store.root().resolve(name).toString();
  }
}
