package dev.narwhal.lance.write.merge;

import dev.narwhal.lance.datafile.FileVersion;
import dev.narwhal.lance.datafile.write.WriterOptions;
import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.schema.LanceField;
import dev.narwhal.lance.schema.LanceSchema;
import dev.narwhal.lance.schema.PrimaryKeyCodec;
import dev.narwhal.lance.write.FragmentWriter;
import dev.narwhal.lance.write.LiveRows;
import dev.narwhal.lance.write.Retries;
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
 * What one try of a merge is about, and what its clauses make of the rows: the common part of
 * merges that move rows and of those that leave them in place.
 *
 * @param columns how the source's columns meet those of the version
 */
record MergeStep(
    Retries.Attempt attempt,
    MergeClauses clauses,
    MergeOptions options,
    MergeSource source,
    SourceColumns columns) {

  /** What becomes of how many rows. */
  record Counts(long inserted, long updated, long deleted) {}

  WriteContext context() {
    return attempt.context();
  }

  /** Does what is to be done with rows of the table that have a match. */
  Counts matched(RowActions actions, RowActions.Updates updates) throws IOException {
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
    return new Counts(0, actions.update(condition(actions.pace()), updates), 0);
  }

  private @Nullable UpdateCondition condition(PairPace pace) {
    return clauses.matched() instanceof WhenMatched.UpdateIf update
        ? new UpdateCondition(update.condition(), columns, context(), pace)
        : null;
  }

  /** Does what is to be done with rows of the source that have no match. */
  Counts notMatched(RowActions actions, Counts before, RowActions.Inserts inserts)
      throws IOException {
    long inserted = clauses.inserts() ? actions.insert(inserts) : 0;
    return new Counts(inserted, before.updated(), before.deleted());
  }

  /**
   * Adds rows of the table that the source does not have.
   *
   * @param gone rows that leave their places, by fragment id
   */
  Counts notMatchedBySource(RowActions actions, Counts before, Map<Long, DeletionVector> gone)
      throws IOException {
    if (!clauses.deletesBySource()) {
      return before;
    }
    Map<Long, DeletionVector> candidates =
        clauses.notMatchedBySource() instanceof WhenNotMatchedBySource.DeleteIf condition
            ? LiveRows.where(context(), condition.predicate())
            : LiveRows.all(context());
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

  /** Only counts. */
  MergeResult dryRun(RowActions actions) throws IOException {
    Counts counts = matched(actions, (batch, firstRow, rows, addresses) -> {});
    counts = notMatched(actions, counts, (batch, rows) -> {});
    return unchanged(notMatchedBySource(actions, counts, new HashMap<>()));
  }

  /** The result where no version is made. */
  MergeResult unchanged(Counts counts) {
    return new MergeResult(
        context().version(),
        counts.inserted(),
        counts.updated(),
        counts.deleted(),
        attempt.earlier(),
        0,
        0);
  }

  /** The filter for them, where rows are matched by the table's primary key and may be inserted. */
  Optional<InsertedKeyFilter> insertedKeys() {
    List<LanceField> primary = PrimaryKeyCodec.primaryKey(context().manifest().schema());
    List<String> names = primary.stream().map(LanceField::name).toList();
    List<String> keys = source.encoder().columns().stream().map(Field::getName).toList();
    return clauses.inserts() && !names.isEmpty() && Set.copyOf(names).equals(Set.copyOf(keys))
        ? Optional.of(new InsertedKeyFilter(primary))
        : Optional.empty();
  }

  /** Begins new fragments of some columns. The caller closes the result. */
  FragmentWriter writer(List<Field> written) {
    String version = context().manifest().dataFormat().version();
    return FragmentWriter.create(
        context().store(),
        part(context().manifest().schema(), written),
        options.limits(),
        WriterOptions.of(FileVersion.named(version)));
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
