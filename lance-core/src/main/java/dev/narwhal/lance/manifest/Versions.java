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
   * @param branch name of the branch; empty means main
   */
  public record Found(
      ObjectStore store, Optional<String> branch, ManifestLocation location, ManifestFile file) {}

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
      return load(line(root, references, tag.branch()), tag.version());
    }
    Line line = line(root, references, selector.branch());
    if (selector.version().isPresent()) {
      return load(line, selector.version().getAsLong());
    }
    if (selector.asOf().isPresent()) {
      return newestAt(line, selector.asOf().get());
    }
    ManifestStore versions = new ManifestStore(line.store());
    return line.found(versions, versions.latest());
  }

  /** Main or a branch. */
  private record Line(ObjectStore store, Optional<String> branch) {
    Found found(ManifestStore versions, ManifestLocation location) throws IOException {
      return new Found(store, branch, location, versions.read(location));
    }
  }

  private static Line line(ObjectStore root, References references, Optional<String> name)
      throws IOException {
    return name.isEmpty() || name.get().equals("main")
        ? new Line(root, Optional.empty())
        : new Line(references.storeOf(references.branch(name.get())), name);
  }

  private static Found load(Line line, long version) throws IOException {
    ManifestStore versions = new ManifestStore(line.store());
    return line.found(versions, versions.locate(version));
  }

  private static Found newestAt(Line line, Instant time) throws IOException {
    ManifestStore versions = new ManifestStore(line.store());
    List<ManifestLocation> all = versions.list();
    for (int i = all.size() - 1; i >= 0; i--) {
      ManifestFile file = versions.read(all.get(i));
      if (!file.manifest().timestamp().isAfter(time)) {
        return new Found(line.store(), line.branch(), all.get(i), file);
      }
    }
    throw new DatasetNotFoundException(
        line.store().uri()
            + ": no version is as old as "
            + time
            + "; the oldest is version "
            + Long.toUnsignedString(all.get(0).version()));
  }
}
