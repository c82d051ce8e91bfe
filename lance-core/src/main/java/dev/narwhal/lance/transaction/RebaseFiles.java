package dev.narwhal.lance.transaction;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.deletion.DeletionFile;
import dev.narwhal.lance.deletion.DeletionFiles;
import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.deletion.EncodedDeletions;
import dev.narwhal.lance.storage.ObjectStore;
import java.io.IOException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The deletion files that the rebases of one commit wrote: one per fragment, the newest; one that
 * is superseded is removed, since no version ever named it. One thread.
 */
final class RebaseFiles {
  private static final Logger LOG = LoggerFactory.getLogger(RebaseFiles.class);

  private final ObjectStore store;
  private final Map<Long, String> paths = new HashMap<>();
  private final Map<Long, Long> sizes = new HashMap<>();

  RebaseFiles(ObjectStore store) {
    this.store = requireNonNull(store, "store");
  }

  /** Writes a bitmap, as real Lance does after a rebase, whatever its size. */
  DeletionFile write(long fragmentId, long readVersion, DeletionVector deletions)
      throws IOException {
    EncodedDeletions encoded = EncodedDeletions.bitmap(deletions);
    DeletionFile file =
        DeletionFiles.write(
            store, fragmentId, readVersion, ThreadLocalRandom.current().nextLong(), encoded);
    sizes.put(fragmentId, (long) encoded.sizeBytes());
    String superseded = paths.put(fragmentId, file.relativePath(fragmentId));
    if (superseded != null) {
      remove(superseded);
    }
    return file;
  }

  /** Bytes of the files that are there; asks nobody, since a commit may be done by now. */
  long sizeBytes() {
    return sizes.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Removes those of all fragments that the operation does not name. */
  void keepOnly(Operation operation) {
    Footprint used = Footprint.of(operation);
    Iterator<Map.Entry<Long, String>> entries = paths.entrySet().iterator();
    while (entries.hasNext()) {
      Map.Entry<Long, String> entry = entries.next();
      if (!used.updated().contains(entry.getKey())) {
        remove(entry.getValue());
        sizes.remove(entry.getKey());
        entries.remove();
      }
    }
  }

  /** Removes all: nothing was committed. */
  void takeBack() {
    paths.values().forEach(this::remove);
    paths.clear();
    sizes.clear();
  }

  /** Best effort: a file that no version names is garbage that clean-up knows. */
  private void remove(String path) {
    try {
      store.delete(path);
    } catch (IOException e) {
      LOG.debug("could not remove {}", path, e);
    }
  }
}
