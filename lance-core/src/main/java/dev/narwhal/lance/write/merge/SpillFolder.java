package dev.narwhal.lance.write.merge;

import static java.util.Objects.requireNonNull;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Temporary files of one merge, in a folder of their own that is made with the first of them. All
 * go when it is closed. One thread.
 */
final class SpillFolder implements Closeable {
  private final Path parent;
  private final List<Path> files = new ArrayList<>();
  private @Nullable Path folder;

  /**
   * @param parent where the folder is made
   */
  SpillFolder(Path parent) {
    this.parent = requireNonNull(parent, "parent");
  }

  /** A path for a new file, which does not exist yet. */
  Path newFile(String name) throws IOException {
    Path made = folder;
    if (made == null) {
      made = Files.createTempDirectory(parent, "narwhal-merge-");
      folder = made;
    }
    Path file = made.resolve(name + "-" + files.size());
    files.add(file);
    return file;
  }

  /** Removes the folder with what is in it; throws after trying everything. */
  @Override
  public void close() throws IOException {
    Path made = folder;
    if (made == null) {
      return;
    }
    folder = null;
    IOException failure = null;
    files.add(made);
    for (Path file : files) {
      try {
        Files.deleteIfExists(file);
      } catch (IOException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    files.clear();
    if (failure != null) {
      throw failure;
    }
  }
}
