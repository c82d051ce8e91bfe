package dev.narwhal.lance.refs;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.error.CommitStateUnknownException;
import dev.narwhal.lance.error.DatasetNotFoundException;
import dev.narwhal.lance.error.ReferenceConflictException;
import dev.narwhal.lance.manifest.Branch;
import dev.narwhal.lance.manifest.BranchPoint;
import dev.narwhal.lance.manifest.ManifestStore;
import dev.narwhal.lance.manifest.References;
import dev.narwhal.lance.manifest.VersionSelector;
import dev.narwhal.lance.manifest.Versions;
import dev.narwhal.lance.storage.ObjectStore;
import dev.narwhal.lance.transaction.CloneCommit;
import dev.narwhal.lance.transaction.CloneSource;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * Lines of versions that leave main, or one another. A branch is a shallow clone below {@code
 * tree/}, which a file below {@code _refs/branches} makes known. The clone comes first: whoever
 * sees the branch sees its first version. Safe for use by many threads and processes. Source: table
 * format sheet 1.8.
 */
public final class Branches {
  private final ObjectStore root;
  private final References references;
  private final Clock clock;

  /**
   * @param root the dataset's root
   */
  public Branches(ObjectStore root) {
    this(root, Clock.systemUTC());
  }

  /**
   * @param clock stamps the branches
   */
  public Branches(ObjectStore root, Clock clock) {
    this.root = requireNonNull(root, "root");
    this.references = new References(root);
    this.clock = requireNonNull(clock, "clock");
  }

  /** All branches but main, by name. */
  public List<Branch> list() throws IOException {
    return references.branches();
  }

  /**
   * A branch by name.
   *
   * @throws DatasetNotFoundException when there is no such branch
   */
  public Branch get(String name) throws IOException {
    return references.branch(name);
  }

  /**
   * Begins a branch at a version, which keeps its number there.
   *
   * @throws IllegalArgumentException when no branch can have the name
   * @throws ReferenceConflictException when there is a branch of that name, or one is being made,
   *     or was when its writer died: {@link #delete} clears that away
   * @throws DatasetNotFoundException when there is no such version, branch or tag
   * @throws dev.narwhal.lance.error.UnsupportedFeatureException when the version cannot be branched
   * @throws CommitStateUnknownException when it cannot be told whether the branch was made; nothing
   *     is removed
   */
  public Branch create(String name, VersionSelector version) throws IOException {
    Planned planned = plan(name, version);
    CloneCommit clone = planned.first();
    try {
      clone.commit();
    } catch (FileAlreadyExistsException e) {
      throw leftover(name, e);
    }
    try {
      Branch branch = planned.branch();
      boolean ours =
          ReferencePut.create(
              () -> references.create(branch),
              () -> references.hasBranch(name) && references.branch(name).equals(branch),
              root.uri() + ": branch \"" + name + '"');
      if (!ours) {
        throw exists(name);
      }
      requireStillThere(planned.from(), branch);
    } catch (CommitStateUnknownException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      clone.takeBack(e);
      throw e;
    }
    return planned.branch();
  }

  /** What {@link #create} would make, after the same checks. */
  public Branch prepare(String name, VersionSelector version) throws IOException {
    return plan(name, version).branch();
  }

  /** What there is to do. */
  private record Planned(Branch branch, Versions.Found from, CloneCommit first) {}

  private Planned plan(String name, VersionSelector version) throws IOException {
    References.requireBranchName(name);
    Versions.Found from = Versions.find(root, version);
    if (references.hasBranch(name)) {
      throw exists(name);
    }
    List<BranchPoint> lineage = new ArrayList<>();
    if (from.branch().isPresent()) {
      lineage.addAll(references.branch(from.branch().get()).lineage());
    }
    long number = from.location().version();
    lineage.add(new BranchPoint(number, UUID.randomUUID().toString().replace("-", "")));
    Branch branch =
        new Branch(
            name,
            from.branch(),
            number,
            Optional.of(clock.instant().truncatedTo(ChronoUnit.SECONDS)),
            lineage,
            OptionalLong.of(from.store().attributes(from.location().path()).sizeBytes()),
            Map.of());
    CloneCommit clone =
        new CloneCommit(
            references.storeOfBranch(name),
            new CloneSource(from.store(), from.file(), from.branch()),
            Optional.of(name),
            clock);
    try {
      clone.requireFree();
    } catch (FileAlreadyExistsException e) {
      throw leftover(name, e);
    }
    return new Planned(branch, from, clone);
  }

  /**
   * Removes a branch with its versions and files, and what a creation or removal that died halfway
   * left of one. Real Lance removes a branch that tags name, too; then those name nothing.
   *
   * @throws DatasetNotFoundException when there is nothing of that name
   * @throws ReferenceConflictException when branches left it, or tags name its versions; the
   *     message names them
   */
  public void delete(String name) throws IOException {
    requireDeletable(name);
    references.removeBranch(name);
    List<String> inside = new ArrayList<>();
    for (Branch other : references.branches()) {
      if (other.name().startsWith(name + '/')) {
        inside.add(other.directory());
      }
    }
    new Tree(root, inside).delete(Branch.directory(name));
  }

  /** Throws as {@link #delete} would. */
  public void requireDeletable(String name) throws IOException {
    References.requireBranchName(name);
    if (!references.hasBranch(name) && root.list(Branch.directory(name)).isEmpty()) {
      references.branch(name);
    }
    List<String> dependents = new ArrayList<>();
    List<BranchPoint> own =
        references.hasBranch(name) ? references.branch(name).lineage() : List.of();
    for (Branch other : references.branches()) {
      boolean descends =
          !own.isEmpty()
              && other.lineage().size() > own.size()
              && other.lineage().subList(0, own.size()).equals(own);
      if (descends || other.parent().equals(Optional.of(name))) {
        dependents.add("branch " + other.name());
      }
    }
    references.tags().stream()
        .filter(tag -> tag.branch().equals(Optional.of(name)))
        .forEach(tag -> dependents.add("tag " + tag.name()));
    if (!dependents.isEmpty()) {
      throw new ReferenceConflictException(
          root.uri()
              + ": branch \""
              + name
              + "\" cannot be deleted, "
              + String.join(", ", dependents)
              + (dependents.size() == 1 ? " needs" : " need")
              + " its versions; delete "
              + (dependents.size() == 1 ? "that" : "those")
              + " first");
    }
  }

  /**
   * A clean-up, or a removal of the parent, that did not see the branch yet may have come first; or
   * a removal of the branch whose directory this one's lies in.
   */
  private void requireStillThere(Versions.Found from, Branch branch) throws IOException {
    ReferencePut.confirm(
        () -> {
          new ManifestStore(from.store()).locate(from.location().version());
          new ManifestStore(references.storeOf(branch)).locate(branch.parentVersion());
        },
        () -> references.removeBranch(branch.name()),
        root.uri() + ": branch \"" + branch.name() + '"');
  }

  private ReferenceConflictException exists(String name) throws IOException {
    Branch there = references.branch(name);
    return new ReferenceConflictException(
        root.uri()
            + ": there is a branch \""
            + name
            + "\" already, from version "
            + there.parentVersion()
            + " of "
            + there.parent().orElse("main")
            + "; choose another name, or delete that first");
  }

  private ReferenceConflictException leftover(String name, FileAlreadyExistsException there)
      throws IOException {
    if (references.hasBranch(name)) {
      return exists(name);
    }
    return new ReferenceConflictException(
        there.getFile()
            + ": "
            + there.getReason()
            + ", but no branch \""
            + name
            + "\" is registered: somebody creates it just now, or died doing that; if nobody does,"
            + " delete the branch, then create it");
  }
}
