package dev.narwhal.iceberg.rowdelete.commit;

import dev.narwhal.iceberg.rowdelete.plan.NothingToDeleteException;
import dev.narwhal.iceberg.rowdelete.plan.RowDelete;
import dev.narwhal.iceberg.rowdelete.write.DeleteFileWriter;
import dev.narwhal.iceberg.rowdelete.write.DeleteFiles;
import dev.narwhal.iceberg.table.CreatedFiles;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotUpdate;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.events.CreateSnapshotEvent;
import org.apache.iceberg.exceptions.CleanableFailure;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.util.PropertyUtil;

/**
 * A change whose files are written and which waits to be committed or aborted, once. For one
 * thread.
 *
 * <p>When others have committed meanwhile, {@link #commit} goes past their commits by the rules of
 * {@link ConflictRules}. A change that only deletes is united with what they deleted from the same
 * data files: the vectors are written anew, so that a data file never has two. It tries again as
 * often as {@code commit.retry.num-retries} says.
 *
 * <p>A commit that fails leaves the table as it was and takes the files back. Only where nobody
 * knows whether it landed ({@link org.apache.iceberg.exceptions.CommitStateUnknownException}), all
 * stays in place.
 */
public final class PreparedChange {
  private enum State {
    PREPARED,
    COMMITTED,
    ABORTED,
    UNKNOWN
  }

  private final Table table;
  private final Validation validation;
  private final CreatedFiles created;
  private final int formatVersion;
  private Change change;
  private OptionalLong base;
  private State state = State.PREPARED;

  /** Whether a commit is under way, which may land whatever becomes of it here. */
  private boolean sent;

  /**
   * @param base the snapshot that the change was worked out on; empty for none
   * @param created the files that were written for it
   */
  public PreparedChange(
      Table table, Change change, OptionalLong base, Validation validation, CreatedFiles created) {
    this.table = table;
    this.change = change;
    this.base = base;
    this.validation = validation;
    this.created = created;
    this.formatVersion = TableUtil.formatVersion(table);
  }

  /** What it is made of. */
  public ChangeCounts counts() {
    return change.counts();
  }

  /** The data and delete files, and those that they take the place of. */
  public Change change() {
    return change;
  }

  /** The snapshot that it was worked out on; empty for none. */
  public OptionalLong baseSnapshotId() {
    return base;
  }

  /** What it asks of the commits that came between. */
  public Validation validation() {
    return validation;
  }

  /** Locations of the files that were written. */
  public Collection<String> locations() {
    return List.copyOf(created.locations());
  }

  /**
   * Commits.
   *
   * @throws ValidationException if another commit came between that the change cannot live with
   * @throws NothingToDeleteException if others have deleted all the rows meanwhile
   * @throws org.apache.iceberg.exceptions.CommitFailedException if other commits came between more
   *     often than the table's properties allow
   * @throws org.apache.iceberg.exceptions.CommitStateUnknownException if it may have landed
   */
  public ChangeReport commit() throws IOException {
    requirePrepared();
    try {
      ChangeReport report = tryToCommit();
      state = State.COMMITTED;
      return report;
    } catch (IOException | RuntimeException | Error e) {
      if (!sent || e instanceof CleanableFailure) {
        abort();
      } else {
        state = State.UNKNOWN;
      }
      throw e;
    }
  }

  /** Gives the change up: its files are deleted. */
  public void abort() {
    requirePrepared();
    state = State.ABORTED;
    created.takeBack();
  }

  private void requirePrepared() {
    if (state != State.PREPARED) {
      throw new IllegalStateException("the change is " + state + " already");
    }
  }

  private ChangeReport tryToCommit() throws IOException {
    int retries =
        PropertyUtil.propertyAsInt(
            table.properties(),
            TableProperties.COMMIT_NUM_RETRIES,
            TableProperties.COMMIT_NUM_RETRIES_DEFAULT);
    for (int attempt = 1; ; attempt++) {
      rebase();
      SnapshotUpdate<?> update = SnapshotUpdates.of(table, change, base);
      try {
        sent = true;
        update.commit();
        CreateSnapshotEvent event = (CreateSnapshotEvent) update.updateEvent();
        return new ChangeReport(event.snapshotId(), event.operation(), change.counts(), attempt);
      } catch (ValidationException e) {
        requireStale(e);
        sent = false;
        if (attempt > retries) {
          throw new CommitFailedException(
              e,
              "%s: other commits came between %d times; nothing was committed, run it again",
              validation.what(),
              attempt);
        }
      }
    }
  }

  /**
   * Iceberg's own checks speak first when another commit came between, where our rules may find
   * that it does no harm.
   */
  private void requireStale(ValidationException e) {
    table.refresh();
    if (head().equals(base)) {
      throw e;
    }
  }

  private OptionalLong head() {
    Snapshot head = table.currentSnapshot();
    return head == null ? OptionalLong.empty() : OptionalLong.of(head.snapshotId());
  }

  /** Goes past what others committed since. */
  private void rebase() throws IOException {
    table.refresh();
    if (TableUtil.formatVersion(table) != formatVersion) {
      throw new ValidationException(
          "%s was prepared for format version %d, and the table has %d by now; prepare it again",
          validation.what(), formatVersion, TableUtil.formatVersion(table));
    }
    OptionalLong current = head();
    if (current.equals(base)) {
      return;
    }
    Snapshot head = table.currentSnapshot();
    if (head == null) {
      throw new ValidationException(
          "table %s has no snapshot any more; prepare the change again", table.name());
    }
    Rebase rebase = new Rebase(table, change, validation);
    for (ConcurrentCommit other : ConcurrentCommit.between(table, base, head)) {
      rebase.over(other);
    }
    if (rebase.isChanged()) {
      takeOn(rebase.files());
    }
    base = current;
  }

  /** The rules let only data files change whose rows are deleted without being written anew. */
  private void takeOn(List<RowDelete> files) throws IOException {
    if (files.isEmpty() && change.isPureDelete()) {
      throw new NothingToDeleteException(
          validation.what() + ": others have deleted all of these rows meanwhile");
    }
    List<RowDelete> rewritten = change.rewritten();
    List<RowDelete> left = files.stream().filter(file -> !rewritten.contains(file)).toList();
    List<RowDelete> marked = left.stream().filter(file -> !file.wholeFile()).toList();
    List<RowDelete> removed = left.stream().filter(RowDelete::wholeFile).toList();
    Collection<String> outdated = change.deletes().sizes().keySet();
    DeleteFiles deletes = new DeleteFileWriter(table, created).mergeOnRead(marked);
    created.takeBack(outdated);
    change = change.withFiles(removed, marked, deletes);
  }
}
