package dev.narwhal.lance.write.merge;

import dev.narwhal.lance.datafile.FileVersion;
import dev.narwhal.lance.datafile.write.WriterOptions;
import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.error.CommitStateUnknownException;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.schema.LanceField;
import dev.narwhal.lance.schema.LanceSchema;
import dev.narwhal.lance.schema.PrimaryKeyCodec;
import dev.narwhal.lance.transaction.CommitGuard;
import dev.narwhal.lance.write.FragmentWriter;
import dev.narwhal.lance.write.LiveRows;
import dev.narwhal.lance.write.Retries;
import dev.narwhal.lance.write.RowMove;
import dev.narwhal.lance.write.WriteContext;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;

/**
 * One try of a merge: matches the source with a version, writes the new rows, and commits. What it
 * wrote is removed when it fails. One thread. Source: table format sheet 7.5.
 */
final class MergeAttempt {
  private final Retries.Attempt attempt;
  private final WriteContext context;
  private final MergeClauses clauses;
  private final MergeOptions options;
  private final MergeSource source;
  private final SourceColumns columns;

  /** What becomes of how many rows. */
  private record Counts(long inserted, long updated, long deleted) {}

  /**
   * @throws IllegalArgumentException when the source does not fit the version's columns
   */
  MergeAttempt(
      Retries.Attempt attempt, MergeClauses clauses, MergeOptions options, MergeSource source) {
    this.attempt = attempt;
    this.context = attempt.context();
    this.clauses = clauses;
    this.options = options;
    this.source = source;
    this.columns = SourceColumns.of(context.manifest().schema(), source.schema());
    if (clauses.inserts()) {
      columns.requireInsertable();
    }
  }

  MergeResult run() throws IOException {
    try (SpillFolder folder = new SpillFolder(options.spillDirectory())) {
      PairRuns matches;
      List<Fragment> fragments = context.manifest().fragments();
      try (TableKeys table = new TableKeys(context, fragments, source.encoder())) {
        matches = source.keys().match(table, folder);
      }
      RowActions actions =
          new RowActions(
              context.store().uri(),
              source.encoder().columns(),
              source.rows(),
              matches,
              options.duplicates(),
              clauses.deletesBySource());
      if (options.dryRun()) {
        Counts counts = matched(actions, (batch, rows, addresses) -> {});
        counts = notMatched(actions, counts, (batch, rows) -> {});
        counts = notMatchedBySource(actions, counts, new HashMap<>());
        return unchanged(counts);
      }
      return write(actions, new InsertedKeysGuard(context, source, matches, folder));
    }
  }

  private MergeResult write(RowActions actions, InsertedKeysGuard guard) throws IOException {
    LanceSchema schema = context.manifest().schema();
    List<Field> written = clauses.updates() ? columns.table() : columns.given();
    try (FragmentWriter writer =
        FragmentWriter.create(
            context.store(), part(schema, written), options.limits(), writerOptions())) {
      NewRows rows = new NewRows(context, writer, written, columns);
      Counts counts = matched(actions, rows::update);
      Optional<InsertedKeyFilter> keys = insertedKeys(schema);
      counts =
          notMatched(
              actions,
              counts,
              (batch, positions) -> {
                rows.insert(batch, positions);
                keys.ifPresent(filter -> filter.add(batch, positions));
              });
      List<Fragment> fragments = rows.finish();
      Map<Long, DeletionVector> gone = actions.moved().toVectors();
      counts = notMatchedBySource(actions, counts, gone);
      if (fragments.isEmpty() && gone.isEmpty() && !options.commitEmpty()) {
        return unchanged(counts);
      }
      RowMove.Content content =
          new RowMove.Content(
              gone,
              fragments,
              schema.topLevel().stream().map(LanceField::id).toList(),
              keys.map(InsertedKeyFilter::build));
      boolean checks = options.checksInsertedKeys() && counts.inserted() > 0;
      return commit(writer, content, counts, checks ? guard : CommitGuard.none());
    }
  }

  /** Where rows are matched by the table's primary key, and may be inserted. */
  private Optional<InsertedKeyFilter> insertedKeys(LanceSchema schema) {
    List<LanceField> primary = PrimaryKeyCodec.primaryKey(schema);
    List<String> names = primary.stream().map(LanceField::name).toList();
    List<String> keys = source.encoder().columns().stream().map(Field::getName).toList();
    return clauses.inserts() && !names.isEmpty() && Set.copyOf(names).equals(Set.copyOf(keys))
        ? Optional.of(new InsertedKeyFilter(primary))
        : Optional.empty();
  }

  private MergeResult commit(
      FragmentWriter writer, RowMove.Content content, Counts counts, CommitGuard guard)
      throws IOException {
    RowMove.Outcome outcome;
    try {
      outcome =
          new RowMove(context, options.layout())
              .commit(content, attempt.bound(options.commitOptions()), guard);
    } catch (CommitStateUnknownException e) {
      writer.keep();
      throw e;
    }
    writer.keep();
    return new MergeResult(
        outcome.committed().location().version(),
        counts.inserted(),
        counts.updated(),
        counts.deleted(),
        attempt.earlier() + outcome.committed().attempts(),
        content.newFragments().size(),
        outcome.bytesWritten() + writer.sizeBytes());
  }

  /** Does what is to be done with rows of the table that have a match. */
  private Counts matched(RowActions actions, RowActions.Updates updates) throws IOException {
    WhenMatched matched = clauses.matched();
    if (matched instanceof WhenMatched.Fail) {
      actions.requireNoMatch();
      return new Counts(0, 0, 0);
    }
    if (matched instanceof WhenMatched.Delete) {
      return new Counts(0, 0, actions.delete());
    }
    if (matched instanceof WhenMatched.DoNothing) {
      if (clauses.deletesBySource()) {
        actions.findMatched();
      }
      return new Counts(0, 0, 0);
    }
    return new Counts(0, actions.update(condition(), updates), 0);
  }

  private @Nullable UpdateCondition condition() {
    return clauses.matched() instanceof WhenMatched.UpdateIf update
        ? new UpdateCondition(update.condition(), columns, context)
        : null;
  }

  private Counts notMatched(RowActions actions, Counts before, RowActions.Inserts inserts)
      throws IOException {
    long inserted = clauses.inserts() ? actions.insert(inserts) : 0;
    return new Counts(inserted, before.updated(), before.deleted());
  }

  /**
   * Adds rows of the table that the source does not have.
   *
   * @param gone rows that leave their places, by fragment id
   */
  private Counts notMatchedBySource(
      RowActions actions, Counts before, Map<Long, DeletionVector> gone) throws IOException {
    if (!clauses.deletesBySource()) {
      return before;
    }
    Map<Long, DeletionVector> candidates =
        clauses.notMatchedBySource() instanceof WhenNotMatchedBySource.DeleteIf condition
            ? LiveRows.where(context, condition.predicate())
            : LiveRows.all(context);
    Map<Long, DeletionVector> matched = actions.matched().toVectors();
    long deleted = before.deleted();
    for (Map.Entry<Long, DeletionVector> entry : candidates.entrySet()) {
      DeletionVector known = matched.getOrDefault(entry.getKey(), DeletionVector.empty());
      DeletionVector rows = entry.getValue().minus(known);
      if (!rows.isEmpty()) {
        deleted += rows.cardinality();
        gone.merge(entry.getKey(), rows, DeletionVector::union);
      }
    }
    return new Counts(before.inserted(), before.updated(), deleted);
  }

  private MergeResult unchanged(Counts counts) {
    return new MergeResult(
        context.version(),
        counts.inserted(),
        counts.updated(),
        counts.deleted(),
        attempt.earlier(),
        0,
        0);
  }

  private WriterOptions writerOptions() {
    return WriterOptions.of(FileVersion.named(context.manifest().dataFormat().version()));
  }

  /** The top-level fields of these names with what is below them. */
  private static LanceSchema part(LanceSchema schema, List<Field> columns) {
    List<String> names = columns.stream().map(Field::getName).toList();
    List<LanceField> kept = new ArrayList<>();
    boolean keeps = false;
    for (LanceField field : schema.fields()) {
      keeps = field.parentId() < 0 ? names.contains(field.name()) : keeps;
      if (keeps) {
        kept.add(field);
      }
    }
    return new LanceSchema(kept, schema.metadata());
  }
}
