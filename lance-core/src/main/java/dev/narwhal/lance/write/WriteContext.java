package dev.narwhal.lance.write;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.manifest.Manifest;
import dev.narwhal.lance.manifest.ManifestFile;
import dev.narwhal.lance.manifest.ManifestLocation;
import dev.narwhal.lance.manifest.ManifestStore;
import dev.narwhal.lance.predicate.Predicate;
import dev.narwhal.lance.scan.FragmentFiles;
import dev.narwhal.lance.scan.RowLocator;
import dev.narwhal.lance.scan.SystemColumns;
import dev.narwhal.lance.scan.TableFiles;
import dev.narwhal.lance.schema.ArrowTypes;
import dev.narwhal.lance.storage.ObjectStore;
import dev.narwhal.lance.storage.Stores;
import java.io.IOException;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The version that a write starts from, and where it writes.
 *
 * @param store whose root is that of the dataset, or of the branch
 * @param stores finds the places of base paths
 * @param base the version
 * @param files of its fragments
 * @param rows finds its rows
 * @param allocator for what is read on the way
 */
public record WriteContext(
    ObjectStore store,
    Stores stores,
    ManifestFile base,
    FragmentFiles files,
    RowLocator rows,
    BufferAllocator allocator) {
  public WriteContext {
    requireNonNull(store, "store");
    requireNonNull(stores, "stores");
    requireNonNull(base, "base");
    requireNonNull(files, "files");
    requireNonNull(rows, "rows");
    requireNonNull(allocator, "allocator");
  }

  /** A version, of whose files and rows nothing is known yet. */
  static WriteContext of(
      ObjectStore store, Stores stores, ManifestFile version, BufferAllocator allocator) {
    FragmentFiles files = new TableFiles(version.manifest(), store, stores);
    RowLocator rows = new RowLocator(store.uri(), version.manifest(), files);
    return new WriteContext(store, stores, version, files, rows, allocator);
  }

  /** What the version is made of. */
  public Manifest manifest() {
    return base.manifest();
  }

  /** The version's number, u64. */
  public long version() {
    return base.manifest().version();
  }

  /** A predicate over the columns of the version and the system columns. */
  public Predicate predicate(String where) {
    return Predicate.parse(where, SystemColumns.with(ArrowTypes.toArrow(manifest().schema())));
  }

  /** Rows of a fragment, deleted ones included; a data file tells where the manifest does not. */
  public long physicalRows(Fragment fragment) throws IOException {
    return FragmentRows.physicalRows(this, fragment);
  }

  /** The same on the newest version. */
  public WriteContext latest() throws IOException {
    ManifestStore manifests = new ManifestStore(store);
    ManifestLocation newest = manifests.latest();
    return newest.version() == version() ? this : at(manifests.read(newest));
  }

  /** The same on another version. */
  public WriteContext at(ManifestFile version) {
    return of(store, stores, version, allocator);
  }
}
