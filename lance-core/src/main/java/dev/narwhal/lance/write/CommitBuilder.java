package dev.narwhal.lance.write;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.manifest.ManifestFile;
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
    return commit(operation, context.base());
  }

  /**
   * Commits deletes together, as one version.
   *
   * @param deletes of one version, and no fragment in two of them
   * @throws IllegalArgumentException when they do not go together
   */
  public Committed commit(List<UncommittedDelete> deletes) throws IOException {
    if (deletes.isEmpty()) {
      throw new IllegalArgumentException("there is no delete to commit");
    }
    long version = deletes.get(0).readVersion();
    List<Fragment> updated = new ArrayList<>();
    List<Long> removed = new ArrayList<>();
    Set<Long> seen = new HashSet<>();
    for (UncommittedDelete delete : deletes) {
      if (delete.readVersion() != version) {
        throw new IllegalArgumentException(
            "deletes on versions "
                + version
                + " and "
                + delete.readVersion()
                + " cannot be committed together; commit them one after the other");
      }
      Operation.Delete operation = delete.operation();
      for (Fragment fragment : operation.updatedFragments()) {
        requireNew(seen, fragment.id());
        updated.add(fragment);
      }
      for (long id : operation.deletedFragmentIds()) {
        requireNew(seen, id);
        removed.add(id);
      }
      rows = rows.union(delete.affectedRows());
    }
    String predicate = deletes.get(0).operation().predicate();
    return commit(
        new Operation.Delete(updated, removed, predicate, UnknownFields.none()),
        version == context.version()
            ? context.base()
            : new ManifestStore(context.store()).read(version));
  }

  private Committed commit(Operation operation, ManifestFile base) throws IOException {
    return new Committer(context.store(), context.stores())
        .commit(
            Transaction.of(base.manifest().version(), operation, properties),
            base,
            options.withAffectedRows(rows));
  }

  private static void requireNew(Set<Long> seen, long id) {
    if (!seen.add(id)) {
      throw new IllegalArgumentException(
          "two deletes change fragment " + id + "; give each fragment to one worker");
    }
  }
}
