package dev.narwhal.lance.cleanup;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.narwhal.lance.storage.ObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Remembers which files the versions named that a clean-up removed, until those are removed too: a
 * clean-up that dies in between leaves it to the next one, which then knows that they are of no
 * commit under way. One key to a line, in a file that other writers take for a temporary one.
 */
final class CleanupRecord {
  private static final String DIRECTORY = "_versions";
  private static final String PREFIX = ".tmp-cleanup-";

  private final ObjectStore store;
  private final List<String> paths;
  private final Set<String> keys;

  private CleanupRecord(ObjectStore store, List<String> paths, Set<String> keys) {
    this.store = store;
    this.paths = paths;
    this.keys = keys;
  }

  /** What clean-ups that died left. */
  static CleanupRecord left(ObjectStore store) throws IOException {
    List<String> paths = new ArrayList<>();
    Set<String> keys = new HashSet<>();
    for (String name : store.list(DIRECTORY)) {
      if (name.startsWith(PREFIX)) {
        String path = DIRECTORY + '/' + name;
        try {
          keys.addAll(UTF_8.decode(store.read(path)).toString().lines().toList());
          paths.add(path);
        } catch (NoSuchFileException e) {
          // its clean-up has just come to its end
        }
      }
    }
    return new CleanupRecord(store, paths, keys);
  }

  Set<String> keys() {
    return keys;
  }

  /** Whether a file is such a record. */
  static boolean is(StoredFile file) {
    return file.path().startsWith(DIRECTORY + '/' + PREFIX);
  }

  /** Adds files, and writes them down before anything is removed. */
  void add(Set<String> more) throws IOException {
    if (more.isEmpty()) {
      return;
    }
    String path = DIRECTORY + '/' + PREFIX + UUID.randomUUID();
    store.put(path, ByteBuffer.wrap(String.join("\n", new TreeSet<>(more)).getBytes(UTF_8)));
    paths.add(path);
    keys.addAll(more);
  }

  /** All is done that it was for. */
  void remove() throws IOException {
    for (String path : paths) {
      store.delete(path);
    }
  }
}
