package dev.narwhal.lance.cleanup;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.error.DatasetNotFoundException;
import dev.narwhal.lance.error.RetryableConflictException;
import dev.narwhal.lance.manifest.ManifestLocation;
import dev.narwhal.lance.manifest.References;
import dev.narwhal.lance.storage.ObjectAttributes;
import dev.narwhal.lance.storage.ObjectStore;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Removes old versions of main or of a branch, then the files that no version of any branch needs
 * any more, and files that a writer left behind longer than a week ago. Only files of the branch's
 * own root, of kinds that are known; those of a clone's source are not the clone's to remove.
 *
 * <p>Versions go first, files after them, so that no version is ever there without its files: when
 * the process dies in between, the next clean-up goes on. Real Lance has the files go first.
 * Between the two, what was committed, tagged or branched meanwhile is looked at again, and what it
 * needs stays. One case remains, as in real Lance: a restore or tag of the very version that is
 * being removed may be lost to it.
 *
 * <p>A dataset does not know its shallow clones: tag the versions that they were made from.
 */
public final class Cleanup {
  /** Tags and branches that change all the time are somebody's work; it is for another day. */
  private static final int PLANS = 5;

  private final ObjectStore root;
  private final Optional<String> branch;
  private final ObjectStore store;
  private final long open;
  private final CleanupOptions options;

  /**
   * @param root the dataset's root
   * @param branch to be cleaned up; empty means main
   * @param open version that the caller has open, u64: it and all later ones stay
   */
  public Cleanup(ObjectStore root, Optional<String> branch, long open, CleanupOptions options) {
    this.root = requireNonNull(root, "root");
    this.branch = requireNonNull(branch, "branch");
    this.store = branch.isEmpty() ? root : new References(root).storeOfBranch(branch.get());
    this.open = open;
    this.options = requireNonNull(options, "options");
  }

  /**
   * Removes what may go.
   *
   * @throws dev.narwhal.lance.error.LanceFormatException when a version or a reference cannot be
   *     read; then nothing is removed
   * @throws dev.narwhal.lance.error.UnsupportedFeatureException when a version may need files that
   *     we do not know of; then nothing is removed
   * @throws dev.narwhal.lance.error.ReferenceConflictException when a tagged version would go and
   *     the options refuse that; then nothing is removed
   * @throws RetryableConflictException when tags or branches were made or removed, or versions
   *     cleaned up, during each of several attempts; then nothing is removed
   * @throws IOException when storage failed; some of what may go is still there then, and nothing
   *     else is missing
   */
  public CleanupResult run() throws IOException {
    for (int plan = 0; plan < PLANS; plan++) {
      World world = World.read(root);
      CleanupRecord record = CleanupRecord.left(store);
      Decision decision;
      try {
        decision = Decision.on(world, root, branch, open, options);
      } catch (DatasetNotFoundException e) {
        // a version that was listed is gone: another clean-up is at work
        continue;
      }
      List<StoredFile> versions = versions(decision);
      List<StoredFile> files = files(decision, record);
      if (options.dryRun()) {
        return result(decision, versions, files);
      }
      if (World.read(root).sameReferences(world)) {
        return remove(world, decision, record, versions, files);
      }
    }
    throw new RetryableConflictException(
        root.uri()
            + ": tags, branches or old versions changed during each of "
            + PLANS
            + " attempts to clean up; nothing was removed, run it again when that has come to"
            + " rest");
  }

  private CleanupResult remove(
      World world,
      Decision decision,
      CleanupRecord record,
      List<StoredFile> versions,
      List<StoredFile> files)
      throws IOException {
    if (!versions.isEmpty()) {
      Set<String> keys = new HashSet<>();
      files.stream().map(StoredFile::key).filter(decision.unneeded()::contains).forEach(keys::add);
      record.add(keys);
    }
    for (StoredFile version : versions) {
      store.delete(version.path());
    }
    decision.needNewOf(world, World.read(root));
    List<StoredFile> removed = new ArrayList<>();
    Set<String> directories = new HashSet<>();
    for (StoredFile file : files) {
      if (!decision.needed().contains(file.key())) {
        store.delete(file.path());
        removed.add(file);
        if (file.kind() == FileKind.INDEX) {
          directories.add(file.path().substring(0, file.path().lastIndexOf('/')));
        }
      }
    }
    for (String directory : directories) {
      store.prune(directory);
    }
    record.remove();
    return result(decision, versions, removed);
  }

  private static CleanupResult result(
      Decision decision, List<StoredFile> versions, List<StoredFile> files) {
    List<StoredFile> all = new ArrayList<>(versions);
    all.addAll(files);
    return CleanupResult.of(
        decision.doomed().stream().map(ManifestLocation::version).toList(), all);
  }

  private List<StoredFile> versions(Decision decision) throws IOException {
    List<StoredFile> versions = new ArrayList<>();
    for (ManifestLocation location : decision.doomed()) {
      try {
        ObjectAttributes known = store.attributes(location.path());
        versions.add(
            new StoredFile(
                location.path(),
                location.path(),
                FileKind.MANIFEST,
                known.sizeBytes(),
                known.lastModified()));
      } catch (NoSuchFileException e) {
        // another clean-up was faster
      }
    }
    return versions;
  }

  /** Files that no version needs, and that either a version named once, or that are old. */
  private List<StoredFile> files(Decision decision, CleanupRecord record) throws IOException {
    List<StoredFile> unnamed = Inventory.of(store, decision.needed());
    Map<String, Instant> youngest = new HashMap<>();
    for (StoredFile file : unnamed) {
      youngest.merge(file.key(), file.lastModified(), (a, b) -> a.isAfter(b) ? a : b);
    }
    Instant limit = options.clock().instant().minus(CleanupOptions.UNVERIFIED_AGE);
    List<StoredFile> files = new ArrayList<>();
    for (StoredFile file : unnamed) {
      boolean verified =
          decision.unneeded().contains(file.key()) || record.keys().contains(file.key());
      // an index is written file by file: its youngest tells whether it is under way
      boolean old =
          options.deleteUnverified()
              || youngest.getOrDefault(file.key(), Instant.MAX).isBefore(limit);
      if ((verified || old) && !CleanupRecord.is(file)) {
        files.add(file);
      }
    }
    return files;
  }
}
