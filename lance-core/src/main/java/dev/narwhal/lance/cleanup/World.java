package dev.narwhal.lance.cleanup;

import dev.narwhal.lance.error.DatasetNotFoundException;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.manifest.Branch;
import dev.narwhal.lance.manifest.ManifestLocation;
import dev.narwhal.lance.manifest.ManifestStore;
import dev.narwhal.lance.manifest.References;
import dev.narwhal.lance.manifest.Tag;
import dev.narwhal.lance.storage.ObjectStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All that there is at one time: tags, branches, and the versions of main and of each branch,
 * detached ones too. A decision what to remove is made on one of these.
 *
 * @param lines the versions by branch, ascending, the detached ones last; empty means main
 */
record World(
    List<Tag> tags, List<Branch> branches, Map<Optional<String>, List<ManifestLocation>> lines) {
  World {
    tags = List.copyOf(tags);
    branches = List.copyOf(branches);
    lines = Map.copyOf(lines);
  }

  /**
   * Lists everything.
   *
   * @throws LanceFormatException when a tag or branch is damaged, so that it is not known what it
   *     keeps alive
   */
  static World read(ObjectStore root) throws IOException {
    References references = new References(root);
    references.requireKnownNames();
    List<Branch> branches = references.branches();
    Map<Optional<String>, List<ManifestLocation>> lines = new HashMap<>();
    lines.put(Optional.empty(), versions(root));
    for (Branch branch : branches) {
      try {
        lines.put(Optional.of(branch.name()), versions(references.storeOf(branch)));
      } catch (DatasetNotFoundException e) {
        throw new LanceFormatException(
            e.getMessage() + ", but is registered as branch \"" + branch.name() + "\"; delete that",
            e);
      }
    }
    return new World(references.tags(), branches, lines);
  }

  private static List<ManifestLocation> versions(ObjectStore store) throws IOException {
    ManifestStore manifests = new ManifestStore(store);
    List<ManifestLocation> all = new ArrayList<>(manifests.list());
    all.addAll(manifests.listDetached());
    return all;
  }

  /** The versions of a branch. */
  List<ManifestLocation> versions(Optional<String> branch) {
    return lines.getOrDefault(branch, List.of());
  }

  /** Names of the tags of a version of a branch. */
  List<String> tagsOf(Optional<String> branch, long version) {
    return tags.stream()
        .filter(tag -> tag.version() == version && line(tag.branch()).equals(branch))
        .map(Tag::name)
        .toList();
  }

  /** Whether a branch left at a version of a branch. */
  boolean isBranchPoint(Optional<String> branch, long version) {
    return branches.stream()
        .anyMatch(other -> other.parentVersion() == version && line(other.parent()).equals(branch));
  }

  /** Whether tags and branches are the same, whatever versions came since. */
  boolean sameReferences(World other) {
    return tags.equals(other.tags) && branches.equals(other.branches);
  }

  private static Optional<String> line(Optional<String> branch) {
    return branch.filter(name -> !name.equals("main"));
  }
}
