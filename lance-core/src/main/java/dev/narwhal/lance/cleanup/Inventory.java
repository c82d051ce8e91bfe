package dev.narwhal.lance.cleanup;

import dev.narwhal.lance.storage.ObjectAttributes;
import dev.narwhal.lance.storage.ObjectStore;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The files of a branch of the kinds that clean-up knows; no other is ever removed. Source: table
 * format sheet 12.2, "Scanned".
 *
 * <pre>
 * data/*.lance  _deletions/*.arrow, *.bin  _transactions/*.txn  _indices/UUID/*
 * .tmp* in the first three, in _versions, and beside tags and branches
 * </pre>
 */
final class Inventory {
  private static final String TEMPORARY = ".tmp";
  private static final Pattern UUID =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

  private final ObjectStore store;
  private final NamedFiles needed;
  private final List<StoredFile> found = new ArrayList<>();

  private Inventory(ObjectStore store, NamedFiles needed) {
    this.store = store;
    this.needed = needed;
  }

  /**
   * Lists them.
   *
   * @param needed files that stay, of which nothing needs to be known
   */
  static List<StoredFile> of(ObjectStore store, NamedFiles needed) throws IOException {
    Inventory inventory = new Inventory(store, needed);
    inventory.list("data", FileKind.DATA, ".lance");
    inventory.list("_deletions", FileKind.DELETION, ".arrow", ".bin");
    inventory.list("_transactions", FileKind.TRANSACTION, ".txn");
    for (String directory : List.of("_versions", "_refs/tags", "_refs/branches")) {
      inventory.list(directory, FileKind.TEMPORARY);
    }
    inventory.listIndices();
    return inventory.found;
  }

  private void list(String directory, FileKind kind, String... suffixes) throws IOException {
    for (String name : store.list(directory)) {
      if (name.startsWith(TEMPORARY)) {
        add(directory + '/' + name, name, FileKind.TEMPORARY);
      }
      for (String suffix : suffixes) {
        if (name.endsWith(suffix) && !name.startsWith(TEMPORARY)) {
          add(directory + '/' + name, name, kind);
        }
      }
    }
  }

  private void listIndices() throws IOException {
    for (String uuid : store.list("_indices")) {
      if (UUID.matcher(uuid).matches() && !needed.contains(uuid)) {
        String directory = "_indices/" + uuid;
        if (store.exists(directory)) {
          continue;
        }
        for (String name : store.list(directory)) {
          add(directory + '/' + name, uuid, FileKind.INDEX);
        }
      }
    }
  }

  private void add(String path, String key, FileKind kind) throws IOException {
    if (needed.contains(key)) {
      return;
    }
    attributes(path)
        .ifPresent(
            known ->
                found.add(
                    new StoredFile(path, key, kind, known.sizeBytes(), known.lastModified())));
  }

  /** Empty for what is gone by now, and for a directory that is called like a file. */
  private Optional<ObjectAttributes> attributes(String path) throws IOException {
    try {
      return store.exists(path) ? Optional.of(store.attributes(path)) : Optional.empty();
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }
}
