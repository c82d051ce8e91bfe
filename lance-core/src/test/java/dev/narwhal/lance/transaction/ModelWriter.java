package dev.narwhal.lance.transaction;

import dev.narwhal.lance.error.IncompatibleConflictException;
import dev.narwhal.lance.error.RetryableConflictException;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.manifest.Manifest;
import dev.narwhal.lance.manifest.ManifestFile;
import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.storage.Stores;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A writer to a {@link ModelTable} that is driven step by step: plan on the newest version, write,
 * put. A lost race leads back to the write, a conflict that may be retried to the plan.
 */
final class ModelWriter {
  /** What the writer wants. */
  enum Intent {
    DELETE_A,
    DELETE_B,
    DELETE_OVERLAPPING,
    UPDATE,
    UPDATE_COLUMN,
    APPEND,
    REWRITE,
    RESTORE;

    /** The values that it is about. */
    List<Long> targets() {
      return switch (this) {
        case DELETE_A -> List.of(1L, 2L);
        case DELETE_B -> List.of(3L, 10L, 11L, 12L);
        case DELETE_OVERLAPPING -> List.of(2L, 3L, 10L);
        case UPDATE -> List.of(4L, 11L);
        case UPDATE_COLUMN -> List.of(0L, 3L, 4L);
        case APPEND -> List.of(100L, 101L);
        case REWRITE, RESTORE -> List.of();
      };
    }

    /** What becomes of a value that it is about, if that stays. */
    long changed(long value) {
      if (!targets().contains(value)) {
        return value;
      }
      return this == UPDATE ? value + 1000 : this == UPDATE_COLUMN ? value + 5000 : value;
    }

    private boolean changesRows() {
      return isDelete() || this == UPDATE || this == UPDATE_COLUMN;
    }

    boolean isDelete() {
      return this == DELETE_A || this == DELETE_B || this == DELETE_OVERLAPPING;
    }

    /** The table's values after the writer, one after the other. */
    List<Long> after(List<Long> before, List<Long> initial) {
      List<Long> result = new ArrayList<>();
      for (long value : this == RESTORE ? initial : before) {
        if (isDelete() && targets().contains(value)) {
          continue;
        }
        result.add(changed(value));
      }
      if (this == APPEND) {
        result.addAll(targets());
      }
      return result;
    }

    /** Rows that a delete on these values deletes. */
    long deleted(List<Long> before) {
      return isDelete() ? before.stream().filter(targets()::contains).count() : 0;
    }
  }

  private enum Phase {
    PLAN,
    WRITE,
    PUT,
    DONE
  }

  private final ModelTable table;
  private final Intent intent;
  private final boolean strict;
  private final TableReads reads;
  private Phase phase = Phase.PLAN;
  private AffectedRows rows = AffectedRows.none();
  private @Nullable PendingCommit pending;
  private @Nullable Committed committed;
  private @Nullable RuntimeException failure;
  private int plans;

  ModelWriter(ModelTable table, Intent intent, boolean strict) {
    this.table = table;
    this.intent = intent;
    this.strict = strict;
    this.reads = new TableReads(table.store(), Stores.local());
  }

  Intent intent() {
    return intent;
  }

  boolean isDone() {
    return phase == Phase.DONE;
  }

  int plans() {
    return plans;
  }

  /** The version that it made, if any. */
  Optional<Committed> committed() {
    return Optional.ofNullable(committed).filter(Committed::created);
  }

  /** Rows that it says it deleted. */
  long deletedRows() {
    long gone = committed == null ? 0 : committed.rowsAlreadyGone().cardinality();
    return rows.cardinality() - gone;
  }

  Optional<RuntimeException> failure() {
    return Optional.ofNullable(failure);
  }

  /** Does the next phase. */
  void step() throws IOException {
    try {
      switch (phase) {
        case PLAN -> plan();
        case WRITE -> write();
        case PUT -> put();
        case DONE -> throw new IllegalStateException("done already");
      }
    } catch (RetryableConflictException e) {
      takeBack();
      phase = Phase.PLAN;
    } catch (IncompatibleConflictException e) {
      takeBack();
      failure = e;
      phase = Phase.DONE;
    }
  }

  private void plan() throws IOException {
    plans++;
    ManifestFile base = table.latest();
    Manifest manifest = base.manifest();
    rows = intent.changesRows() ? table.find(manifest, intent.targets()) : AffectedRows.none();
    if (intent.changesRows() && rows.cardinality() == 0) {
      phase = Phase.DONE;
      return;
    }
    CommitOptions options =
        CommitOptions.standard()
            .withPacing(Pacing.none())
            .withStrictRowConflicts(strict)
            .withAffectedRows(rows);
    pending =
        new PendingCommit(
            table.store(),
            reads,
            Transaction.of(manifest.version(), operation(manifest)),
            base,
            options,
            CommitGuard.none());
    phase = Phase.WRITE;
  }

  private Operation operation(Manifest manifest) throws IOException {
    UnknownFields none = UnknownFields.none();
    List<Fragment> updated = new ArrayList<>();
    List<Long> removed = new ArrayList<>();
    if (intent == Intent.UPDATE_COLUMN) {
      return columnUpdate(manifest);
    }
    table.delete(manifest, rows, updated, removed);
    return switch (intent) {
      case DELETE_A, DELETE_B, DELETE_OVERLAPPING ->
          new Operation.Delete(updated, removed, intent.name(), none);
      case UPDATE -> {
        List<Long> moved = new ArrayList<>();
        table.values(manifest).stream()
            .filter(intent.targets()::contains)
            .forEach(value -> moved.add(value + 1000));
        yield new Operation.Update(
            removed,
            updated,
            List.of(table.fragment(moved)),
            List.of(),
            List.of(0),
            Operation.UpdateMode.REWRITE_ROWS,
            List.of(),
            Optional.empty(),
            none);
      }
      case APPEND -> new Operation.Append(List.of(table.fragment(intent.targets())), none);
      case REWRITE -> {
        List<Operation.RewriteGroup> groups = new ArrayList<>();
        if (!manifest.fragments().isEmpty()) {
          groups.add(
              new Operation.RewriteGroup(
                  manifest.fragments(), List.of(table.fragment(table.values(manifest))), none));
        }
        yield new Operation.Rewrite(groups, List.of(), none);
      }
      case RESTORE -> new Operation.Restore(1, none);
      case UPDATE_COLUMN -> throw new IllegalStateException("is no change of rows");
    };
  }

  /** The rows stay where they are; each fragment with one of them gets a new file. */
  private Operation columnUpdate(Manifest manifest) {
    List<Fragment> updated = new ArrayList<>();
    for (long id : rows.fragments()) {
      updated.add(table.rewritten(manifest.fragment(id).orElseThrow(), intent::changed));
    }
    return new Operation.Update(
        List.of(),
        updated,
        List.of(),
        List.of(0),
        List.of(),
        Operation.UpdateMode.REWRITE_COLUMNS,
        List.of(),
        Optional.empty(),
        UnknownFields.none());
  }

  private void write() throws IOException {
    PendingCommit commit = requirePending();
    if (commit.catchUp() && commit.write()) {
      phase = Phase.PUT;
    } else {
      committed = commit.result(1);
      phase = Phase.DONE;
    }
  }

  private void put() throws IOException {
    PendingCommit commit = requirePending();
    if (commit.put()) {
      committed = commit.result(1);
      phase = Phase.DONE;
    } else {
      phase = Phase.WRITE;
    }
  }

  private void takeBack() {
    PendingCommit commit = pending;
    if (commit != null) {
      commit.takeBack();
    }
    pending = null;
  }

  private PendingCommit requirePending() {
    PendingCommit commit = pending;
    if (commit == null) {
      throw new IllegalStateException("nothing is planned");
    }
    return commit;
  }
}
