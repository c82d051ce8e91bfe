package dev.narwhal.lance.write;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.error.DatasetNotFoundException;
import dev.narwhal.lance.error.IncompatibleConflictException;
import dev.narwhal.lance.error.RetryableConflictException;
import dev.narwhal.lance.fragment.BasePath;
import dev.narwhal.lance.manifest.Manifest;
import dev.narwhal.lance.manifest.ManifestFile;
import dev.narwhal.lance.manifest.ManifestStore;
import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.transaction.CommitOptions;
import dev.narwhal.lance.transaction.Committed;
import dev.narwhal.lance.transaction.Committer;
import dev.narwhal.lance.transaction.ManifestBuilder;
import dev.narwhal.lance.transaction.Operation;
import dev.narwhal.lance.transaction.Transaction;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Changes that touch no row: columns dropped and renamed, configuration and metadata, base paths,
 * and a return to an older version. Each is worked out on the newest version and committed; after a
 * conflict that allows it, all over again. One thread.
 */
public final class TableChange {
  private final WriteContext context;
  private final CommitOptions options;
  private final boolean dryRun;

  public TableChange(WriteContext context) {
    this(context, CommitOptions.standard(), false);
  }

  private TableChange(WriteContext context, CommitOptions options, boolean dryRun) {
    this.context = requireNonNull(context, "context");
    this.options = requireNonNull(options, "options");
    this.dryRun = dryRun;
  }

  /** How commits are made; as often a change is worked out anew at most. */
  public TableChange withOptions(CommitOptions other) {
    return new TableChange(context, other, dryRun);
  }

  /** Checks everything, and writes nothing. */
  public TableChange asDryRun() {
    return new TableChange(context, options, true);
  }

  /**
   * Takes columns out; see {@link SchemaChange#drop}.
   *
   * @throws IllegalArgumentException when they cannot be dropped
   * @throws RetryableConflictException when other commits came first, attempt after attempt
   * @throws IncompatibleConflictException when another commit replaced the table meanwhile
   */
  public ChangeResult dropColumns(List<String> columns) throws IOException {
    return run(manifest -> Optional.of(SchemaChange.drop(manifest, columns)));
  }

  /**
   * Gives a column another name; see {@link SchemaChange#rename}.
   *
   * @throws IllegalArgumentException when it cannot have the name
   */
  public ChangeResult renameColumn(String column, String name) throws IOException {
    return run(manifest -> Optional.of(SchemaChange.rename(manifest, column, name)));
  }

  /**
   * Changes configuration and metadata. Where all keys to be removed are not there, and nothing is
   * set, no version is made.
   *
   * @throws IllegalArgumentException when a column does not exist
   * @throws IncompatibleConflictException when another commit changed the same key, or the same
   *     metadata, meanwhile
   */
  public ChangeResult updateConfig(ConfigChange change) throws IOException {
    return run(
        manifest ->
            change.isNothing(manifest) ? Optional.empty() : Optional.of(change.on(manifest)));
  }

  /**
   * Registers places where files of the table may lie.
   *
   * @param bases with id 0 where the commit is to find a free one
   * @throws IllegalArgumentException when a name or path is registered already
   */
  public ChangeResult addBases(List<BasePath> bases) throws IOException {
    if (bases.isEmpty()) {
      throw new IllegalArgumentException("no base path is named");
    }
    return run(manifest -> Optional.of(new Operation.UpdateBases(bases, UnknownFields.none())));
  }

  /**
   * Makes a version of this branch the newest again, by a new version with its content. The highest
   * fragment id and the next row id stay the larger ones of both, so that none is used twice.
   *
   * @throws DatasetNotFoundException when there is no such version
   */
  public ChangeResult restore(long version) throws IOException {
    ManifestFile older = new ManifestStore(context.store()).read(version);
    if (older.manifest().isDetached()) {
      throw new IllegalArgumentException(
          context.store().uri()
              + ": version "
              + Long.toUnsignedString(version)
              + " is detached, no version of the table's history");
    }
    return run(manifest -> Optional.of(new Operation.Restore(version, UnknownFields.none())));
  }

  /** Works out the operation on a version; empty when there is nothing to do. */
  @FunctionalInterface
  private interface Plan {
    Optional<Operation> on(Manifest newest);
  }

  private ChangeResult run(Plan plan) throws IOException {
    Retries retries = new Retries(options.attempts() - 1, Retries.LANCE_TIMEOUT, options.pacing());
    return retries.run(context.latest(), attempt -> run(plan, attempt));
  }

  private ChangeResult run(Plan plan, Retries.Attempt attempt) throws IOException {
    WriteContext newest = attempt.context();
    Optional<Transaction> transaction = plan(plan, newest);
    if (dryRun || transaction.isEmpty()) {
      return new ChangeResult(newest.version(), 0, attempt.earlier());
    }
    Committed committed =
        new Committer(newest.store(), newest.stores())
            .commit(transaction.get(), newest.base(), attempt.bound(options));
    return new ChangeResult(
        committed.location().version(),
        committed.bytesWritten(),
        attempt.earlier() + committed.attempts());
  }

  /** Says where it failed, and for a dry run finds out whether it would. */
  private Optional<Transaction> plan(Plan plan, WriteContext newest) throws IOException {
    try {
      Optional<Transaction> transaction =
          plan.on(newest.manifest()).map(operation -> Transaction.of(newest.version(), operation));
      if (dryRun && transaction.isPresent()) {
        tryOut(newest, transaction.get());
      }
      return transaction;
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(context.store().uri() + ": " + e.getMessage(), e);
    }
  }

  private void tryOut(WriteContext newest, Transaction transaction) throws IOException {
    if (transaction.operation() instanceof Operation.Restore restore) {
      ManifestBuilder.restore(
          newest.base(),
          new ManifestStore(newest.store()).read(restore.version()),
          transaction,
          options.clock().instant());
    } else {
      ManifestBuilder.build(newest.base(), transaction, options.clock().instant());
    }
  }
}
