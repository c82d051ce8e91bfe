package dev.narwhal.lance.write;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.error.RetryableConflictException;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.manifest.ManifestFile;
import dev.narwhal.lance.manifest.ManifestLocation;
import dev.narwhal.lance.manifest.ManifestStore;
import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.transaction.AffectedRows;
import dev.narwhal.lance.transaction.CommitOptions;
import dev.narwhal.lance.transaction.Committed;
import dev.narwhal.lance.transaction.Committer;
import dev.narwhal.lance.transaction.Operation;
import dev.narwhal.lance.transaction.Transaction;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Commits an operation that was prepared elsewhere: one of any kind, or deletes of several workers
 * together. One thread.
 */
public final class CommitBuilder {
  private final WriteContext context;
  private final Map<String, String> properties = new HashMap<>();
  private CommitOptions options = CommitOptions.standard();
  private AffectedRows rows = AffectedRows.none();
  private boolean commitEmpty;

  /**
   * @param context the version that the operation was worked out on
   */
  public CommitBuilder(WriteContext context) {
    this.context = requireNonNull(context, "context");
  }

  /** Adds a property to the transaction. */
  public CommitBuilder withProperty(String key, String value) {
    properties.put(key, value);
    return this;
  }

  /** Adds a commit message. */
  public CommitBuilder withMessage(String message) {
    return withProperty(Transaction.MESSAGE, message);
  }

  /** How it is committed; affected rows are given by {@link #withAffectedRows}. */
  public CommitBuilder withOptions(CommitOptions other) {
    options = requireNonNull(other, "other");
    return this;
  }

  /** Tells which rows a Delete or Update removes, so that it can be rebased over others. */
  public CommitBuilder withAffectedRows(AffectedRows affected) {
    rows = requireNonNull(affected, "affected");
    return this;
  }

  /** Commits an operation that was worked out on this builder's version. */
  public Committed commit(Operation operation) throws IOException {
    return commit(operation, context.base(), rows);
  }

  /** Makes a version of deletes together even when they delete nothing. */
  public CommitBuilder withEmptyCommits() {
    commitEmpty = true;
    return this;
  }

  /**
   * Commits deletes together, as one version. When none of them deletes anything, nothing is
   * written and the version stays. Deletion files that a rebase replaced are removed.
   *
   * @param deletes of one version, and no fragment in two of them
   * @throws IllegalArgumentException when they do not go together
   * @throws RetryableConflictException when another commit came first; the deletes are to be done
   *     again on the newest version, and {@link #takeBack} removes the files of these
   */
  public Committed commit(List<UncommittedDelete> deletes) throws IOException {
    ManifestFile base = base(deletes);
    List<Fragment> updated = new ArrayList<>();
    List<Long> removed = new ArrayList<>();
    Set<Long> seen = new HashSet<>();
    Set<String> predicates = new LinkedHashSet<>();
    AffectedRows all = rows;
    for (UncommittedDelete delete : deletes) {
      Operation.Delete operation = delete.operation();
      for (Fragment fragment : operation.updatedFragments()) {
        requireNew(seen, fragment.id());
        updated.add(fragment);
      }
      for (long id : operation.deletedFragmentIds()) {
        requireNew(seen, id);
        removed.add(id);
      }
      predicates.add(operation.predicate());
      all = all.union(delete.affectedRows());
    }
    String predicate =
        predicates.size() == 1 ? predicates.iterator().next() : predicates.size() + " deletes";
    Operation.Delete together =
        new Operation.Delete(updated, removed, predicate, UnknownFields.none());
    if (seen.isEmpty() && !commitEmpty) {
      return nothing(together, base);
    }
    Committed committed = commit(together, base, all);
    filesOf(deletes).removeUnused(committed);
    return committed;
  }

  /**
   * Removes the deletion files of deletes that are not to be committed any more, such as after a
   * conflict. Not for those whose commit is in an unknown state, or under way somewhere. Files that
   * a version names stay.
   */
  public void takeBack(List<UncommittedDelete> deletes) throws IOException {
    DeletionFileSet files = filesOf(deletes);
    ManifestStore manifests = new ManifestStore(context.store());
    long oldest = base(deletes).manifest().version();
    for (ManifestLocation location : manifests.list()) {
      if (location.version() > oldest) {
        files.keep(manifests.read(location).manifest());
      }
    }
    files.remove();
  }

  private DeletionFileSet filesOf(List<UncommittedDelete> deletes) {
    DeletionFileSet files = new DeletionFileSet(context, LayoutChoice.lance());
    for (UncommittedDelete delete : deletes) {
      delete.operation().updatedFragments().forEach(files::adopt);
    }
    return files;
  }

  /** The version that all of them were worked out on. */
  private ManifestFile base(List<UncommittedDelete> deletes) throws IOException {
    if (deletes.isEmpty()) {
      throw new IllegalArgumentException("there is no delete to commit");
    }
    long version = deletes.get(0).readVersion();
    for (UncommittedDelete delete : deletes) {
      if (delete.readVersion() != version) {
        throw new IllegalArgumentException(
            "deletes on versions "
                + version
                + " and "
                + delete.readVersion()
                + " cannot be committed together; commit them one after the other");
      }
    }
    return version == context.version()
        ? context.base()
        : new ManifestStore(context.store()).read(version);
  }

  private Committed nothing(Operation.Delete none, ManifestFile base) throws IOException {
    long version = base.manifest().version();
    return new Committed(
        new ManifestStore(context.store()).locate(version),
        base,
        Transaction.of(version, none, properties),
        false,
        0,
        0,
        AffectedRows.none());
  }

  private Committed commit(Operation operation, ManifestFile base, AffectedRows affected)
      throws IOException {
    return new Committer(context.store(), context.stores())
        .commit(
            Transaction.of(base.manifest().version(), operation, properties),
            base,
            options.withAffectedRows(affected));
  }

  private static void requireNew(Set<Long> seen, long id) {
    if (!seen.add(id)) {
      throw new IllegalArgumentException(
          "two deletes change fragment " + id + "; give each fragment to one worker");
    }
  }
}
