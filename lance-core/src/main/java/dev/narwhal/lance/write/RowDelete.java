package dev.narwhal.lance.write;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.error.CommitStateUnknownException;
import dev.narwhal.lance.error.RetryableConflictException;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.transaction.Committed;
import dev.narwhal.lance.transaction.Committer;
import dev.narwhal.lance.transaction.Operation;
import dev.narwhal.lance.transaction.Transaction;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Deletes rows: finds them, writes a deletion file for each fragment that keeps some rows, and
 * commits; after a conflict that allows it, all over again on the newest version. Source: table
 * format sheet 5.
 *
 * <p>A delete that fails removes the files it wrote. When the outcome of the commit is not known,
 * everything stays.
 */
public final class RowDelete {
  private final WriteContext context;
  private final DeleteOptions options;

  public RowDelete(WriteContext context, DeleteOptions options) {
    this.context = requireNonNull(context, "context");
    this.options = requireNonNull(options, "options");
  }

  /**
   * Deletes the live rows for which a predicate is true, and commits.
   *
   * @throws RetryableConflictException when other commits came first, attempt after attempt
   */
  public DeleteResult delete(String where) throws IOException {
    return delete(RowSelection.where(where));
  }

  /**
   * Deletes rows that are named, and commits. Rows that are deleted already do not count.
   *
   * @throws IllegalArgumentException when one does not exist
   * @throws RetryableConflictException when another commit moved some of them
   */
  public DeleteResult delete(RowSelection rows) throws IOException {
    Retries retries = options.retries();
    return rows.holdsForNewerVersions(context)
        ? retries.run(context, attempt -> run(attempt, rows))
        : retries.runOn(context, attempt -> run(attempt, rows));
  }

  /**
   * Writes the deletion files but does not commit: {@link CommitBuilder} does, possibly with the
   * results of others.
   */
  public UncommittedDelete executeUncommitted(String where) throws IOException {
    return executeUncommitted(RowSelection.where(where), context.manifest().fragments());
  }

  /** The same for rows that are named. */
  public UncommittedDelete executeUncommitted(RowSelection rows) throws IOException {
    return executeUncommitted(rows, context.manifest().fragments());
  }

  UncommittedDelete executeUncommitted(RowSelection source, List<Fragment> fragments)
      throws IOException {
    DeletePlan plan = DeletePlan.of(source.find(context, fragments));
    DeletionFileSet written = new DeletionFileSet(context, options.layout());
    try {
      return new UncommittedDelete(
          Transaction.of(context.version(), write(plan, source.text(), written)),
          plan.rows(),
          written.sizeBytes());
    } catch (IOException | RuntimeException e) {
      written.takeBack(e);
      throw e;
    }
  }

  private DeleteResult run(Retries.Attempt attempt, RowSelection source) throws IOException {
    WriteContext current = attempt.context();
    DeletePlan plan = DeletePlan.of(current, source);
    return on(attempt, plan, source.text()).result(attempt.earlier());
  }

  /** Commits a plan that was made on an attempt's version, unless there is nothing to commit. */
  Outcome on(Retries.Attempt attempt, DeletePlan plan, String text) throws IOException {
    WriteContext current = attempt.context();
    if (options.dryRun()) {
      return Outcome.planned(current.version(), plan, bytesOf(plan));
    }
    return plan.isEmpty() && !options.commitEmpty()
        ? Outcome.planned(current.version(), plan, 0)
        : commit(attempt, plan, text);
  }

  private Outcome commit(Retries.Attempt attempt, DeletePlan plan, String text) throws IOException {
    WriteContext current = attempt.context();
    DeletionFileSet written = new DeletionFileSet(current, options.layout());
    Committed committed;
    try {
      Transaction transaction = Transaction.of(current.version(), write(plan, text, written));
      committed =
          new Committer(current.store(), current.stores())
              .commit(
                  transaction, current.base(), attempt.bound(options.commitOptions(plan.rows())));
    } catch (CommitStateUnknownException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      written.takeBack(e);
      throw e;
    }
    // a version names the files from here on: no failure may take them back
    written.removeUnused(committed);
    return Outcome.committed(plan, committed, written.sizeBytes());
  }

  private static Operation.Delete write(DeletePlan plan, String text, DeletionFileSet written)
      throws IOException {
    List<Fragment> updated = new ArrayList<>();
    List<Long> removed = new ArrayList<>();
    for (FragmentDelete change : plan.changes()) {
      if (change instanceof FragmentDelete.Updated update) {
        updated.add(written.write(update));
      } else {
        removed.add(change.fragment().id());
      }
    }
    return new Operation.Delete(updated, removed, text, UnknownFields.none());
  }

  /** Bytes of the deletion files that a plan would have written. */
  private long bytesOf(DeletePlan plan) {
    long bytes = 0;
    for (FragmentDelete change : plan.changes()) {
      if (change instanceof FragmentDelete.Updated update) {
        bytes += update.encode(options.layout()).sizeBytes();
      }
    }
    return bytes;
  }

  /**
   * What one attempt came to.
   *
   * @param committed empty when there was no commit
   */
  record Outcome(long version, DeletePlan plan, Optional<Committed> committed, long bytesWritten) {
    static Outcome planned(long version, DeletePlan plan, long bytes) {
      return new Outcome(version, plan, Optional.empty(), bytes);
    }

    static Outcome committed(DeletePlan plan, Committed committed, long fileBytes) {
      return new Outcome(
          committed.location().version(),
          plan,
          Optional.of(committed),
          committed.bytesWritten() + fileBytes);
    }

    /** Ids of the fragments that are gone, or would be. */
    Set<Long> dropped() {
      if (committed.isPresent()
          && committed.get().transaction().operation() instanceof Operation.Delete delete) {
        return Set.copyOf(delete.deletedFragmentIds());
      }
      return plan.droppedIds();
    }

    /**
     * @param earlier commits that failed before
     */
    DeleteResult result(int earlier) {
      if (committed.isEmpty()) {
        return new DeleteResult(
            version, plan.deletedRows(), plan.updated(), plan.dropped(), bytesWritten, earlier);
      }
      Committed done = committed.get();
      boolean created = done.created();
      Operation.Delete delete = (Operation.Delete) done.transaction().operation();
      return new DeleteResult(
          version,
          plan.deletedRows() - done.rowsAlreadyGone().cardinality(),
          created ? delete.updatedFragments().size() : 0,
          created ? delete.deletedFragmentIds().size() : 0,
          created ? bytesWritten : 0,
          earlier + done.attempts());
    }
  }
}
