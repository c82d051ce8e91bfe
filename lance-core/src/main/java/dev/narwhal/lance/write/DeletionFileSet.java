package dev.narwhal.lance.write;

import dev.narwhal.lance.deletion.DeletionFile;
import dev.narwhal.lance.deletion.DeletionFiles;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.storage.ObjectReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** The deletion files that one write has made so far, to be taken back if it fails. One thread. */
final class DeletionFileSet {
  private final WriteContext context;
  private final List<String> paths = new ArrayList<>();
  private long sizeBytes;

  DeletionFileSet(WriteContext context) {
    this.context = context;
  }

  /** Writes the fragment's new deletion file, under a name that no other writer uses. */
  Fragment write(FragmentDelete.Updated update) throws IOException {
    long id = ThreadLocalRandom.current().nextLong();
    long fragmentId = update.fragment().id();
    DeletionFile file =
        DeletionFiles.write(
            context.store(),
            fragmentId,
            context.manifest().version(),
            id,
            update.deletions(),
            update.encoding());
    String path = file.relativePath(fragmentId);
    paths.add(path);
    try (ObjectReader reader = context.store().open(path)) {
      sizeBytes += reader.sizeBytes();
    }
    return update.fragment().withDeletionFile(file);
  }

  /** Bytes of all files. */
  long sizeBytes() {
    return sizeBytes;
  }

  /** Removes the files; what cannot be removed stays with the failure that made it necessary. */
  void takeBack(Exception failure) {
    for (String path : paths) {
      try {
        context.store().delete(path);
      } catch (IOException e) {
        failure.addSuppressed(e);
      }
    }
  }
}
