package dev.narwhal.lance.cleanup;

import dev.narwhal.lance.error.ReferenceConflictException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.manifest.Manifest;
import dev.narwhal.lance.manifest.ManifestFile;
import dev.narwhal.lance.manifest.ManifestLocation;
import dev.narwhal.lance.manifest.ManifestStore;
import dev.narwhal.lance.manifest.References;
import dev.narwhal.lance.storage.ObjectStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Which versions of a branch go, and which files are needed by those that stay: decided on one
 * {@link World}. A version stays when it is not old enough, not older than the one that the caller
 * has open, the newest, detached, tagged, or where another branch left. Source: table format sheet
 * 12.2.
 */
final class Decision {
  private final ObjectStore root;
  private final Optional<String> branch;
  private final long open;
  private final CleanupOptions options;
  private final List<ManifestLocation> doomed = new ArrayList<>();
  private final NamedFiles needed = new NamedFiles();
  private final NamedFiles unneeded = new NamedFiles();

  private Decision(ObjectStore root, Optional<String> branch, long open, CleanupOptions options) {
    this.root = root;
    this.branch = branch;
    this.open = open;
    this.options = options;
  }

  /**
   * Reads the versions and decides.
   *
   * @param branch to be cleaned up; empty means main
   * @param open version that the caller has open
   * @throws UnsupportedFeatureException when some version may need files that we do not know of
   * @throws dev.narwhal.lance.error.LanceFormatException when some version cannot be read
   * @throws ReferenceConflictException when tagged versions are refused, and some would have to go
   */
  static Decision on(
      World world, ObjectStore root, Optional<String> branch, long open, CleanupOptions options)
      throws IOException {
    Decision decision = new Decision(root, branch, open, options);
    for (Map.Entry<Optional<String>, List<ManifestLocation>> line : world.lines().entrySet()) {
      if (line.getKey().equals(branch)) {
        decision.decide(world);
      } else {
        decision.need(line.getKey(), line.getValue());
      }
    }
    return decision;
  }

  /** Versions that go, oldest first. */
  List<ManifestLocation> doomed() {
    return doomed;
  }

  /** Files that stay. */
  NamedFiles needed() {
    return needed;
  }

  /** Files that the versions that go name; some may be needed by others. */
  NamedFiles unneeded() {
    return unneeded;
  }

  /**
   * Has files that new versions name stay, too.
   *
   * @param before the world of this decision
   * @param now a later one
   */
  void needNewOf(World before, World now) throws IOException {
    for (Map.Entry<Optional<String>, List<ManifestLocation>> line : now.lines().entrySet()) {
      List<ManifestLocation> added = new ArrayList<>(line.getValue());
      added.removeAll(before.versions(line.getKey()));
      need(line.getKey(), added);
    }
  }

  private void need(Optional<String> line, List<ManifestLocation> versions) throws IOException {
    ManifestStore manifests = new ManifestStore(storeOf(line));
    for (ManifestLocation version : versions) {
      needed.add(read(manifests, version));
    }
  }

  private void decide(World world) throws IOException {
    List<ManifestLocation> versions = world.versions(branch);
    ManifestStore manifests = new ManifestStore(storeOf(branch));
    long newest =
        versions.stream()
            .mapToLong(ManifestLocation::version)
            .filter(version -> !Manifest.isDetached(version))
            .max()
            .orElse(0);
    Map<Long, List<String>> tagged = new TreeMap<>();
    for (ManifestLocation location : versions) {
      ManifestFile file = read(manifests, location);
      long version = location.version();
      boolean old =
          !Manifest.isDetached(version)
              && version < Math.min(newest, open)
              && options.matches(version, file.manifest().timestamp());
      List<String> tags = world.tagsOf(branch, version);
      if (old && !tags.isEmpty()) {
        tagged.put(version, tags);
      }
      if (old && tags.isEmpty() && !world.isBranchPoint(branch, version)) {
        doomed.add(location);
        unneeded.addOwn(file);
      } else {
        needed.add(file);
      }
    }
    if (options.refuseTagged() && !tagged.isEmpty()) {
      throw new ReferenceConflictException(
          root.uri()
              + ": tags keep versions that are old enough to go: "
              + tagged
              + "; delete them, or let those versions stay");
    }
  }

  private ManifestFile read(ManifestStore manifests, ManifestLocation location) throws IOException {
    ManifestFile file = manifests.read(location);
    try {
      NamedFiles.requireKnown(file);
    } catch (UnsupportedFeatureException e) {
      throw e.in(root.uri() + '/' + location.path());
    }
    return file;
  }

  private ObjectStore storeOf(Optional<String> line) {
    return line.isEmpty() ? root : new References(root).storeOfBranch(line.get());
  }
}
