package dev.narwhal.lance.write;

import dev.narwhal.lance.deletion.DeletionFile;
import dev.narwhal.lance.deletion.DeletionFiles;
import dev.narwhal.lance.deletion.EncodedDeletions;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.manifest.Manifest;
import dev.narwhal.lance.transaction.Committed;
import dev.narwhal.lance.transaction.Operation;
import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The deletion files that one write has made so far, to be taken back if it fails. One thread. */
final class DeletionFileSet {
  private static final Logger LOG = LoggerFactory.getLogger(DeletionFileSet.class);

  private final WriteContext context;
  private final LayoutChoice layout;
  private final Map<String, Long> sizes = new LinkedHashMap<>();

  DeletionFileSet(WriteContext context, LayoutChoice layout) {
    this.context = context;
    this.layout = layout;
  }

  /** Writes the fragment's new deletion file, under a name that no other writer uses. */
  Fragment write(FragmentDelete.Updated update) throws IOException {
    long fragmentId = update.fragment().id();
    EncodedDeletions encoded = update.encode(layout);
    DeletionFile file =
        DeletionFiles.write(
            context.store(),
            fragmentId,
            context.manifest().version(),
            ThreadLocalRandom.current().nextLong(),
            encoded);
    sizes.put(file.relativePath(fragmentId), (long) encoded.sizeBytes());
    return update.fragment().withDeletionFile(file);
  }

  /** Takes over the file that somebody else has written for a fragment. */
  void adopt(Fragment changed) {
    changed.deletionFile().ifPresent(file -> sizes.put(file.relativePath(changed.id()), 0L));
  }

  /** Lets go of the files that a version names. */
  void keep(Manifest version) {
    for (Fragment fragment : version.fragments()) {
      fragment.deletionFile().ifPresent(file -> sizes.remove(file.relativePath(fragment.id())));
    }
  }

  /** Removes the files. */
  void remove() throws IOException {
    for (String path : sizes.keySet()) {
      context.store().delete(path);
    }
  }

  /**
   * Removes those that a rebase replaced: no version names them. Best effort, since the commit is
   * done.
   */
  void removeUnused(Committed committed) {
    Set<String> used = new HashSet<>();
    for (Fragment fragment : committed.created() ? updated(committed) : List.<Fragment>of()) {
      fragment.deletionFile().ifPresent(file -> used.add(file.relativePath(fragment.id())));
    }
    for (String path : List.copyOf(sizes.keySet())) {
      if (!used.contains(path)) {
        try {
          context.store().delete(path);
          sizes.remove(path);
        } catch (IOException | RuntimeException e) {
          LOG.debug("could not remove {}, which no version names", path, e);
        }
      }
    }
  }

  private static List<Fragment> updated(Committed committed) {
    Operation operation = committed.transaction().operation();
    if (operation instanceof Operation.Update update) {
      return update.updatedFragments();
    }
    if (operation instanceof Operation.Delete delete) {
      return delete.updatedFragments();
    }
    throw new IllegalStateException("a " + operation.name() + " writes no deletion files");
  }

  /** Bytes of all files. */
  long sizeBytes() {
    return sizes.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Removes the files; what cannot be removed stays with the failure that made it necessary. */
  void takeBack(Exception failure) {
    for (String path : sizes.keySet()) {
      try {
        context.store().delete(path);
      } catch (IOException | RuntimeException e) {
        failure.addSuppressed(e);
      }
    }
  }
}
