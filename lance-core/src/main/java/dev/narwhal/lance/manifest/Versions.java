package dev.narwhal.lance.manifest;

import dev.narwhal.lance.error.DatasetNotFoundException;
import dev.narwhal.lance.storage.ObjectStore;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Finds the version that a selector means. */
public final class Versions {
  private Versions() {}

  /**
   * A version, with the store that holds its branch.
   *
   * @param store whose root is the branch's
   */
  public record Found(ObjectStore store, ManifestLocation location, ManifestFile file) {}

  /**
   * Loads the version that is meant.
   *
   * @param root the dataset's root
   * @throws DatasetNotFoundException when there is no such dataset, branch, tag or version
   */
  public static Found find(ObjectStore root, VersionSelector selector) throws IOException {
    References references = new References(root);
    if (selector.tag().isPresent()) {
      Tag tag = references.tag(selector.tag().get());
      return load(branch(root, references, tag.branch()), tag.version());
    }
    ObjectStore store = branch(root, references, selector.branch());
    if (selector.version().isPresent()) {
      return load(store, selector.version().getAsLong());
    }
    if (selector.asOf().isPresent()) {
      return newestAt(store, selector.asOf().get());
    }
    ManifestStore versions = new ManifestStore(store);
    ManifestLocation latest = versions.latest();
    return new Found(store, latest, versions.read(latest));
  }

  private static ObjectStore branch(ObjectStore root, References references, Optional<String> name)
      throws IOException {
    return name.isEmpty() || name.get().equals("main")
        ? root
        : references.storeOf(references.branch(name.get()));
  }

  private static Found load(ObjectStore store, long version) throws IOException {
    ManifestStore versions = new ManifestStore(store);
    ManifestLocation location = versions.locate(version);
    return new Found(store, location, versions.read(location));
  }

  private static Found newestAt(ObjectStore store, Instant time) throws IOException {
    ManifestStore versions = new ManifestStore(store);
    List<ManifestLocation> all = versions.list();
    for (int i = all.size() - 1; i >= 0; i--) {
      ManifestFile file = versions.read(all.get(i));
      if (!file.manifest().timestamp().isAfter(time)) {
        return new Found(store, all.get(i), file);
      }
    }
    throw new DatasetNotFoundException(
        store.uri()
            + ": no version is as old as "
            + time
            + "; the oldest is version "
            + Long.toUnsignedString(all.get(0).version()));
  }
}
