package dev.narwhal.lance.write.merge;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.storage.Closing;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Temporary files of one merge, in a folder of their own that is made with the first of them. All
 * go when it is closed. One thread.
 */
final class SpillFolder implements Closeable {
  private final Path parent;
  private final Set<Path> files = new LinkedHashSet<>();
  private @Nullable Path folder;
  private int count;

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
    Path file = made.resolve(name + "-" + count++);
    files.add(file);
    return file;
  }

  /** Removes a file that is not needed any more. */
  void remove(Path file) throws IOException {
    Files.delete(file);
    files.remove(file);
  }

  /** Removes the folder with what is in it; throws after trying everything. */
  @Override
  public void close() throws IOException {
    Path made = folder;
    if (made == null) {
      return;
    }
    folder = null;
    files.add(made);
    List<Closeable> left = new ArrayList<>();
    files.forEach(file -> left.add(() -> Files.deleteIfExists(file)));
    files.clear();
    Closing.all(left);
  }
}
