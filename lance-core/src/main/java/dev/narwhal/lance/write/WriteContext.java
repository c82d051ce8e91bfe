package dev.narwhal.lance.write;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.manifest.Manifest;
import dev.narwhal.lance.manifest.ManifestFile;
import dev.narwhal.lance.predicate.Predicate;
import dev.narwhal.lance.scan.FragmentFiles;
import dev.narwhal.lance.scan.SystemColumns;
import dev.narwhal.lance.schema.ArrowTypes;
import dev.narwhal.lance.storage.ObjectStore;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The version that a write starts from, and where it writes.
 *
 * @param store whose root is that of the dataset, or of the branch
 * @param base the version
 * @param files of its fragments
 * @param allocator for what is read on the way
 */
public record WriteContext(
    ObjectStore store, ManifestFile base, FragmentFiles files, BufferAllocator allocator) {
  public WriteContext {
    requireNonNull(store, "store");
    requireNonNull(base, "base");
    requireNonNull(files, "files");
    requireNonNull(allocator, "allocator");
  }

  Manifest manifest() {
    return base.manifest();
  }

  Predicate predicate(String where) {
    return Predicate.parse(where, SystemColumns.with(ArrowTypes.toArrow(manifest().schema())));
  }
}
