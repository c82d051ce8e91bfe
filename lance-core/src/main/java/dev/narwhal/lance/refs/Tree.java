package dev.narwhal.lance.refs;

import dev.narwhal.lance.storage.ObjectStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Removes whole directories of objects. */
final class Tree {
  private final ObjectStore store;
  private final List<String> kept;

  /**
   * @param kept directories that stay, and all below them
   */
  Tree(ObjectStore store, List<String> kept) {
    this.store = store;
    this.kept = List.copyOf(kept);
  }

  /** Removes all objects below a directory, its versions first. */
  void delete(String directory) throws IOException {
    deleteBelow(directory);
    store.prune(directory);
  }

  private void deleteBelow(String directory) throws IOException {
    List<String> names = new ArrayList<>(store.list(directory));
    // "_versions" comes first, so that nobody finds a version without its files
    names.sort((a, b) -> Boolean.compare(!a.equals("_versions"), !b.equals("_versions")));
    for (String name : names) {
      String path = directory + '/' + name;
      if (kept.contains(path)) {
        continue;
      }
      if (store.exists(path)) {
        store.delete(path);
      } else {
        deleteBelow(path);
      }
    }
  }
}
