package dev.narwhal.lance.scan;

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
import dev.narwhal.lance.rowid.RowIdSequence;
import dev.narwhal.lance.rowid.RowIdSequences;
import dev.narwhal.lance.rowid.RowVersions;
import dev.narwhal.lance.rowid.StoredSequence;
import dev.narwhal.lance.storage.ObjectStore;
import dev.narwhal.lance.storage.Stores;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The files that a manifest names, in the dataset and under its base paths. */
public final class TableFiles implements FragmentFiles {
  private final Manifest manifest;
  private final ObjectStore root;
  private final Stores stores;
  private final Map<Integer, ObjectStore> bases = new ConcurrentHashMap<>();

  /**
   * @param root the dataset's own root
   * @param stores finds the places of base paths
   */
  public TableFiles(Manifest manifest, ObjectStore root, Stores stores) {
    this.manifest = requireNonNull(manifest, "manifest");
    this.root = requireNonNull(root, "root");
    this.stores = requireNonNull(stores, "stores");
  }

  @Override
  public LanceFile open(DataFile file) throws IOException {
    if (file.isLegacy()) {
      throw new UnsupportedFeatureException(
          "data file "
              + file.path()
              + " has the legacy format 0.1, which is not read; let Lance rewrite the table with "
              + "data storage version 2.1 (write its rows to a new dataset)");
    }
    FileLocation location = manifest.locate(file);
    try {
      return LanceFile.open(store(location.base()), location.path());
    } catch (NoSuchFileException e) {
      throw missing("data file", location, e);
    }
  }

  @Override
  public DeletionVector deletions(Fragment fragment, long physicalRows) throws IOException {
    if (fragment.deletionFile().isEmpty()) {
      return DeletionVector.empty();
    }
    DeletionFile file = fragment.deletionFile().get();
    FileLocation location = manifest.locate(fragment.id(), file);
    try {
      return DeletionFiles.read(store(location.base()), fragment.id(), physicalRows, file);
    } catch (NoSuchFileException e) {
      throw missing("deletion file", location, e);
    }
  }

  @Override
  public Optional<ByteBuffer> bitmapBytes(Fragment fragment) throws IOException {
    Optional<DeletionFile> bitmap =
        fragment.deletionFile().filter(file -> file.encoding() == DeletionFile.Encoding.BITMAP);
    if (bitmap.isEmpty()) {
      return Optional.empty();
    }
    FileLocation location = manifest.locate(fragment.id(), bitmap.get());
    try {
      return Optional.of(
          DeletionFiles.readBitmapBytes(store(location.base()), fragment.id(), bitmap.get()));
    } catch (NoSuchFileException e) {
      throw missing("deletion file", location, e);
    }
  }

  @Override
  public RowIdSequence rowIds(Fragment fragment, long physicalRows) throws IOException {
    StoredSequence stored =
        fragment
            .rowIds()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "fragment " + fragment.id() + " has no stable row ids"));
    try {
      return RowIdSequences.read(root, stored, physicalRows);
    } catch (LanceFormatException e) {
      throw e.in("row ids of fragment " + fragment.id());
    }
  }

  @Override
  public RowVersions createdVersions(Fragment fragment, long physicalRows) throws IOException {
    return fragment.createdVersions().isPresent()
        ? versions(fragment, fragment.createdVersions().get(), physicalRows, "creation")
        : RowVersions.uniform(physicalRows, RowVersions.UNKNOWN);
  }

  @Override
  public RowVersions lastUpdatedVersions(Fragment fragment, long physicalRows) throws IOException {
    return fragment.lastUpdatedVersions().isPresent()
        ? versions(fragment, fragment.lastUpdatedVersions().get(), physicalRows, "update")
        : createdVersions(fragment, physicalRows);
  }

  private RowVersions versions(
      Fragment fragment, StoredSequence stored, long physicalRows, String what) throws IOException {
    try {
      return RowIdSequences.readVersions(root, stored, physicalRows);
    } catch (LanceFormatException e) {
      throw e.in(what + " versions of fragment " + fragment.id());
    }
  }

  private ObjectStore store(Optional<BasePath> base) {
    return base.isEmpty()
        ? root
        : bases.computeIfAbsent(base.get().id(), id -> stores.at(base.get().path()));
  }

  private NoSuchFileException missing(
      String what, FileLocation location, NoSuchFileException cause) {
    NoSuchFileException missing =
        new NoSuchFileException(
            store(location.base()).uri() + '/' + location.path(),
            null,
            what
                + " of version "
                + Long.toUnsignedString(manifest.version())
                + " is missing; restore it, or open another version");
    missing.initCause(cause);
    return missing;
  }
}
