package dev.narwhal.lance.write;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.error.CommitStateUnknownException;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.predicate.Predicate;
import dev.narwhal.lance.scan.Scan;
import dev.narwhal.lance.scan.ScanOptions;
import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.transaction.Committed;
import dev.narwhal.lance.transaction.Committer;
import dev.narwhal.lance.transaction.Operation;
import dev.narwhal.lance.transaction.Transaction;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Deletes the rows that a predicate matches: finds them, writes a deletion file for each fragment
 * that keeps some rows, and commits. Source: table format sheet 5.
 *
 * <p>A delete that fails before its commit removes the files it wrote. When the outcome of the
 * commit is not known, everything stays.
 */
public final class RowDelete {
  private final WriteContext context;
  private final DeleteOptions options;

  public RowDelete(WriteContext context, DeleteOptions options) {
    this.context = requireNonNull(context, "context");
    this.options = requireNonNull(options, "options");
  }

  /**
   * Deletes and commits. When nothing matches, nothing is written and the version stays.
   *
   * @throws dev.narwhal.lance.error.RetryableConflictException when another commit came first
   */
  public DeleteResult delete(Predicate predicate) throws IOException {
    List<FragmentDelete> changes = plan(predicate);
    long version = context.manifest().version();
    if (changes.isEmpty() || options.dryRun()) {
      return result(version, changes, 0, 0);
    }
    DeletionFileSet written = new DeletionFileSet(context);
    Committed committed = commit(changes, predicate, written);
    return result(
        committed.location().version(), changes, written.sizeBytes() + committed.bytesWritten(), 1);
  }

  private Committed commit(
      List<FragmentDelete> changes, Predicate predicate, DeletionFileSet written)
      throws IOException {
    try {
      List<Fragment> updated = new ArrayList<>();
      List<Long> removed = new ArrayList<>();
      for (FragmentDelete change : changes) {
        if (change instanceof FragmentDelete.Updated update) {
          updated.add(written.write(update));
        } else {
          removed.add(change.fragment().id());
        }
      }
      return commit(updated, removed, predicate);
    } catch (CommitStateUnknownException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      written.takeBack(e);
      throw e;
    }
  }

  private Committed commit(List<Fragment> updated, List<Long> removed, Predicate predicate)
      throws IOException {
    Operation operation =
        new Operation.Delete(updated, removed, predicate.text(), UnknownFields.none());
    return new Committer(context.store())
        .commit(Transaction.of(context.manifest().version(), operation), context.base());
  }

  /** What becomes of each fragment with a matching row. */
  private List<FragmentDelete> plan(Predicate predicate) throws IOException {
    List<FragmentDelete> changes = new ArrayList<>();
    if (predicate.constant().orElse(false)) {
      for (Fragment fragment : context.manifest().fragments()) {
        changes.add(new FragmentDelete.Dropped(fragment, liveRows(fragment)));
      }
      return changes;
    }
    for (MatchedRows matched :
        MatchedRows.find(context, context.manifest().fragments(), predicate)) {
      changes.add(matched.delete(options.arrayThreshold()));
    }
    return changes;
  }

  private long liveRows(Fragment fragment) throws IOException {
    return new Scan(
            context.manifest().schema(),
            List.of(fragment),
            context.files(),
            ScanOptions.of(List.of()))
        .count(context.allocator());
  }

  private static DeleteResult result(
      long version, List<FragmentDelete> changes, long bytesWritten, int attempts) {
    long deletedRows = 0;
    int updated = 0;
    int dropped = 0;
    for (FragmentDelete change : changes) {
      deletedRows += change.deletedRows();
      updated += change instanceof FragmentDelete.Updated ? 1 : 0;
      dropped += change instanceof FragmentDelete.Dropped ? 1 : 0;
    }
    return new DeleteResult(version, deletedRows, updated, dropped, bytesWritten, attempts);
  }
}
