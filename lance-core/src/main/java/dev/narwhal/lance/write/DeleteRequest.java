package dev.narwhal.lance.write;

import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.transaction.AffectedRows;
import dev.narwhal.lance.transaction.Committed;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One caller's delete in a {@link DeleteGroup}. Guarded by the group's turn: written by the thread
 * that has it, read by the caller after it had it.
 */
final class DeleteRequest {
  private final RowSelection rows;
  private AffectedRows claimed = AffectedRows.none();
  private @Nullable DeleteResult result;
  private @Nullable Throwable failure;

  DeleteRequest(RowSelection rows) {
    this.rows = rows;
  }

  RowSelection rows() {
    return rows;
  }

  boolean isDone() {
    return result != null || failure != null;
  }

  /** These rows, of the version that is worked on, are deleted for this caller. */
  void claim(AffectedRows mine) {
    claimed = mine;
  }

  /** The first word counts. */
  void fail(Throwable cause) {
    if (!isDone()) {
      failure = cause;
    }
  }

  void succeed(DeleteResult own) {
    result = own;
  }

  /**
   * Takes this caller's part out of what was done together.
   *
   * @param earlier attempts that failed before
   */
  void succeed(RowDelete.Outcome outcome, int earlier) {
    DeleteResult all = outcome.result(earlier);
    AffectedRows gone =
        outcome.committed().map(Committed::rowsAlreadyGone).orElse(AffectedRows.none());
    Set<Long> droppedIds = outcome.dropped();
    long deleted = 0;
    int updated = 0;
    int dropped = 0;
    for (long id : claimed.fragments()) {
      DeletionVector mine = claimed.of(id).minus(gone.of(id));
      deleted += mine.cardinality();
      if (!mine.isEmpty()) {
        boolean whole = droppedIds.contains(id);
        dropped += whole ? 1 : 0;
        updated += whole ? 0 : 1;
      }
    }
    result =
        new DeleteResult(
            all.version(), deleted, updated, dropped, all.bytesWritten(), all.attempts());
  }

  DeleteResult result() throws IOException {
    DeleteResult done = result;
    if (done != null) {
      return done;
    }
    Throwable cause = failure;
    if (cause instanceof IOException e) {
      throw e;
    }
    if (cause instanceof RuntimeException e) {
      throw e;
    }
    if (cause instanceof Error e) {
      throw e;
    }
    throw new IllegalStateException("a delete has neither a result nor a failure", cause);
  }
}
