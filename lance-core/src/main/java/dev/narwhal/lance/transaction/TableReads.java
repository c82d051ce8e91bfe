package dev.narwhal.lance.transaction;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.datafile.LanceFile;
import dev.narwhal.lance.deletion.DeletionFile;
import dev.narwhal.lance.deletion.DeletionFiles;
import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.fragment.BasePath;
import dev.narwhal.lance.fragment.DataFile;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.manifest.FileLocation;
import dev.narwhal.lance.manifest.Manifest;
import dev.narwhal.lance.storage.ObjectReader;
import dev.narwhal.lance.storage.ObjectStore;
import dev.narwhal.lance.storage.Stores;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

/** What a commit reads of a table's files, of whatever version. Safe for use by many threads. */
final class TableReads {
  private final ObjectStore root;
  private final Stores stores;

  /**
   * @param stores finds the places of base paths
   */
  TableReads(ObjectStore root, Stores stores) {
    this.root = requireNonNull(root, "root");
    this.stores = requireNonNull(stores, "stores");
  }

  /** The deleted rows of a fragment of a version. */
  DeletionVector deletions(Manifest version, Fragment fragment) throws IOException {
    if (fragment.deletionFile().isEmpty()) {
      return DeletionVector.empty();
    }
    DeletionFile file = fragment.deletionFile().get();
    return DeletionFiles.read(
        store(version.locate(fragment.id(), file).base()),
        fragment.id(),
        physicalRows(version, fragment),
        file);
  }

  /**
   * Rows of a fragment, deleted ones included: the manifest's number, else that of a data file.
   *
   * @throws UnsupportedFeatureException when only files that are not read can tell
   */
  long physicalRows(Manifest version, Fragment fragment) throws IOException {
    OptionalLong known = fragment.physicalRows();
    if (known.isPresent()) {
      return known.getAsLong();
    }
    for (DataFile file : fragment.files()) {
      if (!file.isLegacy()) {
        FileLocation location = version.locate(file);
        try (LanceFile opened = LanceFile.open(store(location.base()).open(location.path()))) {
          return opened.rows();
        }
      }
    }
    throw new UnsupportedFeatureException(
        root.uri()
            + ": the manifest does not say how many rows fragment "
            + fragment.id()
            + " has, and no data file of format 2.0 or later can tell");
  }

  /** Bytes of a data file. */
  long sizeBytes(Manifest version, DataFile file) throws IOException {
    FileLocation location = version.locate(file);
    try (ObjectReader reader = store(location.base()).open(location.path())) {
      return reader.sizeBytes();
    } catch (LanceFormatException e) {
      throw e.in(root.uri());
    }
  }

  private ObjectStore store(Optional<BasePath> base) {
    return base.isEmpty() ? root : stores.at(base.get().path());
  }
}
