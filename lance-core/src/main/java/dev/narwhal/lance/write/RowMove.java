package dev.narwhal.lance.write;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.error.CommitStateUnknownException;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.transaction.CommitGuard;
import dev.narwhal.lance.transaction.CommitOptions;
import dev.narwhal.lance.transaction.Committed;
import dev.narwhal.lance.transaction.Committer;
import dev.narwhal.lance.transaction.Operation;
import dev.narwhal.lance.transaction.Transaction;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Rows that leave their places, deleted or written anew in new fragments: marks them deleted where
 * they were, and commits both as one Update. A failure leaves no deletion file behind; the new
 * fragments are the caller's. One thread. Source: table format sheet 6.2.
 */
public final class RowMove {
  private final WriteContext context;
  private final LayoutChoice layout;

  /**
   * @param context the version that the rows are in
   */
  public RowMove(WriteContext context, LayoutChoice layout) {
    this.context = requireNonNull(context, "context");
    this.layout = requireNonNull(layout, "layout");
  }

  /**
   * What is done.
   *
   * @param rows offsets of live rows by fragment id
   * @param newFragments with id 0; on tables with stable row ids with those of the rows that moved
   * @param changedFields ids of the fields that may have other values in them
   * @param insertedKeys keys of rows that are new, where they are the table's primary key
   */
  public record Content(
      Map<Long, DeletionVector> rows,
      List<Fragment> newFragments,
      List<Integer> changedFields,
      Optional<Operation.KeyFilter> insertedKeys) {
    public Content {
      rows = Map.copyOf(rows);
      newFragments = List.copyOf(newFragments);
      changedFields = List.copyOf(changedFields);
      requireNonNull(insertedKeys, "insertedKeys");
    }
  }

  /**
   * What came of it.
   *
   * @param fragmentsUpdated fragments with a new deletion file
   * @param fragmentsDropped fragments that lost their last live row
   * @param bytesWritten of deletion files, transaction and manifest
   */
  public record Outcome(
      Committed committed, int fragmentsUpdated, int fragmentsDropped, long bytesWritten) {}

  /** Commits; affected rows are those of the content, whatever the options say. */
  public Outcome commit(Content content, CommitOptions options) throws IOException {
    return commit(content, options, CommitGuard.none());
  }

  /** The same with a look at what others committed. */
  public Outcome commit(Content content, CommitOptions options, CommitGuard guard)
      throws IOException {
    DeletePlan plan = DeletePlan.of(matched(content.rows()));
    DeletionFileSet written = new DeletionFileSet(context, layout);
    Committed committed;
    try {
      committed =
          new Committer(context.store(), context.stores())
              .commit(
                  Transaction.of(context.version(), operation(content, plan, written)),
                  context.base(),
                  options.withAffectedRows(plan.rows()),
                  guard);
    } catch (CommitStateUnknownException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      written.takeBack(e);
      throw e;
    }
    // a version names the files from here on: no failure may take them back
    written.removeUnused(committed);
    Operation.Update done = (Operation.Update) committed.transaction().operation();
    return new Outcome(
        committed,
        done.updatedFragments().size(),
        done.removedFragmentIds().size(),
        committed.bytesWritten() + written.sizeBytes());
  }

  private List<MatchedRows> matched(Map<Long, DeletionVector> rows) throws IOException {
    List<MatchedRows> matched = new ArrayList<>(rows.size());
    for (Fragment fragment : context.manifest().fragments()) {
      DeletionVector offsets = rows.get(fragment.id());
      if (offsets != null && !offsets.isEmpty()) {
        FragmentRows all = FragmentRows.of(context, fragment);
        matched.add(new MatchedRows(fragment, all.physicalRows(), all.deletions(), offsets));
      }
    }
    return matched;
  }

  private static Operation.Update operation(
      Content content, DeletePlan plan, DeletionFileSet written) throws IOException {
    List<Fragment> updated = new ArrayList<>();
    List<Long> removed = new ArrayList<>();
    for (FragmentDelete change : plan.changes()) {
      if (change instanceof FragmentDelete.Updated update) {
        updated.add(written.write(update));
      } else {
        removed.add(change.fragment().id());
      }
    }
    return Operation.Update.ofMovedRows(
        removed, updated, content.newFragments(), content.changedFields(), content.insertedKeys());
  }
}
