package dev.narwhal.lance.storage;

import java.nio.file.Path;

/** Finds the store of a place that a user or a manifest names: a path or a URI. */
@FunctionalInterface
public interface Stores {
  /**
   * The store whose root is the place.
   *
   * @throws dev.narwhal.lance.error.UnsupportedFeatureException for a kind of storage we do not
   *     know
   */
  ObjectStore at(String pathOrUri);

  /**
   * Local directories; relative paths are resolved against the working directory, as Lance does.
   */
  static Stores local() {
    return LocalObjectStore::at;
  }

  /**
   * The same, with every write on the disk, file and directory entry, when it returns: what is
   * committed survives a loss of power. Real Lance leaves that to the operating system.
   */
  static Stores durable() {
    return place -> LocalObjectStore.at(place).durable();
  }

  /** Local directories; relative paths are resolved against the given one. */
  static Stores localBelow(Path directory) {
    return place ->
        place.regionMatches(true, 0, "file:", 0, 5) || place.contains("://")
            ? LocalObjectStore.at(place)
            : LocalObjectStore.at(directory.resolve(place));
  }
}
