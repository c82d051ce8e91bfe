package dev.narwhal.iceberg.rowdelete;

import dev.narwhal.iceberg.rowdelete.commit.ChangeReport;
import dev.narwhal.iceberg.rowdelete.commit.PreparedChange;
import dev.narwhal.iceberg.rowdelete.commit.Validation;
import dev.narwhal.iceberg.rowdelete.plan.DeleteMode;
import dev.narwhal.iceberg.rowdelete.plan.NothingToDeleteException;
import dev.narwhal.iceberg.rowdelete.plan.PredicateMatcher;
import dev.narwhal.iceberg.rowdelete.plan.RowDeletePlan;
import dev.narwhal.iceberg.rowdelete.plan.RowDeletePlanner;
import dev.narwhal.iceberg.rowdelete.plan.RowMatcher;
import dev.narwhal.iceberg.rowdelete.plan.RowOperation;
import dev.narwhal.iceberg.rowdelete.write.DeleteFileWriter;
import dev.narwhal.iceberg.rowdelete.write.DeleteFiles;
import dev.narwhal.iceberg.rowdelete.write.MergeClauses;
import dev.narwhal.iceberg.rowdelete.write.RowUpdate;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableScan;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;

/**
 * Deletes rows of Iceberg tables without an engine: planned, prepared, committed.
 *
 * <pre>{@code
 * RowDeletes deletes = new RowDeletes(table, allocator);
 * PreparedChange change = deletes.prepareDelete(deletes.matcher("id % 10 = 4"));
 * ChangeReport report = change.commit();
 * }</pre>
 *
 * <p>A data file of which no live row is left goes, with the delete files of it alone. Of the
 * others either the deleted positions are written or the rows that stay, by {@link DeleteMode}. A
 * delete that matches nothing is a {@link NothingToDeleteException}, before anything is written.
 *
 * <p>For one thread; works itself on all processors.
 */
public final class RowDeletes {
  private final Table table;
  private final BufferAllocator allocator;
  private final Preparation preparation;

  /**
   * @param allocator for the columns of conditions, a batch on each processor
   */
  public RowDeletes(Table table, BufferAllocator allocator) {
    this.table = table;
    this.allocator = allocator;
    this.preparation = new Preparation(table);
  }

  /**
   * A condition in Narwhal's dialect on the table's columns.
   *
   * @throws dev.narwhal.lance.error.InvalidPredicateException when it does not fit them
   */
  public RowMatcher matcher(String where) {
    return PredicateMatcher.of(where, table.schema());
  }

  /**
   * A condition in Iceberg's terms; see {@link PredicateMatcher#of(Expression,
   * org.apache.iceberg.Schema)}.
   */
  public RowMatcher matcher(Expression where) {
    return PredicateMatcher.of(where, table.schema());
  }

  /** The rows that a condition is about in the table's current snapshot. */
  public RowDeletePlan planRowDeletes(RowMatcher filter) throws IOException {
    table.refresh();
    return planRowDeletes(table.newScan(), filter);
  }

  /**
   * The rows that a condition is about.
   *
   * @param scan picks the snapshot; its filter, if it has one, only leaves files out
   * @see RowDeletePlanner#plan
   */
  public RowDeletePlan planRowDeletes(TableScan scan, RowMatcher filter) throws IOException {
    return new RowDeletePlanner(table, allocator).plan(scan, filter);
  }

  /** Rows that a plan deletes; see {@link RowDeletePlan#deletedRows}. */
  public static OptionalLong deletedRowCount(RowDeletePlan plan) {
    return plan.deletedRows();
  }

  /** Prepares a delete in the mode of the table's {@code write.delete.mode}. */
  public PreparedChange prepareDelete(RowMatcher filter) throws IOException {
    return prepareDelete(filter, RowOperation.DELETE.mode(table));
  }

  /**
   * Prepares a delete.
   *
   * @throws NothingToDeleteException if no live row matches; nothing was written
   */
  public PreparedChange prepareDelete(RowMatcher filter, DeleteMode mode) throws IOException {
    return prepareDelete(planRowDeletes(filter), mode);
  }

  /** Prepares the delete of planned rows; as above. */
  public PreparedChange prepareDelete(RowDeletePlan plan, DeleteMode mode) throws IOException {
    if (plan.isEmpty()) {
      throw new NothingToDeleteException(
          "no live row of " + table.name() + " matches " + plan.condition());
    }
    Validation validation =
        Validation.of(
            table,
            "delete of " + plan.condition(),
            RowOperation.DELETE.isolation(table),
            plan.pruning().mayMatch());
    return preparation.prepared(
        plan.snapshotId(),
        validation,
        created -> preparation.change(plan.files(), mode, List.of(), 0, created));
  }

  /** Deletes: prepares and commits. */
  public ChangeReport delete(RowMatcher filter, DeleteMode mode) throws IOException {
    return prepareDelete(filter, mode).commit();
  }

  /**
   * Writes the vectors that planned rows need, and nothing more: what becomes of the files is the
   * caller's to see to.
   *
   * @throws IllegalStateException if the table is of a version without vectors
   */
  public DeleteFiles writeDeletionVectors(RowDeletePlan plan) throws IOException {
    return preparation.written(
        created -> new DeleteFileWriter(table, created).vectors(plan.files()));
  }

  /** Writes position delete files for planned rows, and nothing more. */
  public DeleteFiles writePositionDeletes(RowDeletePlan plan) throws IOException {
    return preparation.written(
        created -> new DeleteFileWriter(table, created).positions(plan.files()));
  }

  /** Writes the rows that stay of the plan's data files into new ones, and nothing more. */
  public List<DataFile> rewriteFiles(RowDeletePlan plan) throws IOException {
    return preparation.written(created -> preparation.rewritten(plan.files(), created));
  }

  /** All rows for which the condition is true go, and the given ones come, in one snapshot. */
  public PreparedChange prepareOverwrite(RowMatcher filter, Iterable<? extends Record> rows)
      throws IOException {
    return prepareOverwrite(filter, rows, DeleteMode.COPY_ON_WRITE);
  }

  /** All rows of the table go, and the given ones come. */
  public PreparedChange prepareOverwrite(Iterable<? extends Record> rows) throws IOException {
    return prepareOverwrite(matcher(Expressions.alwaysTrue()), rows);
  }

  /**
   * Prepares an overwrite in a mode; the table's properties have no say.
   *
   * @param rows with the table's columns in their order
   * @throws NothingToDeleteException if no live row matches and there are no new ones
   */
  public PreparedChange prepareOverwrite(
      RowMatcher filter, Iterable<? extends Record> rows, DeleteMode mode) throws IOException {
    return new OverwritePreparation(table, allocator).overwrite(planRowDeletes(filter), rows, mode);
  }

  /**
   * All rows in the partitions that the given rows lie in go, and these come. Data files of other
   * specs than the current one lose the rows that would lie there, by a rewrite.
   *
   * @throws NothingToDeleteException if there are no rows
   */
  public PreparedChange prepareDynamicPartitionOverwrite(Iterable<? extends Record> rows)
      throws IOException {
    return new OverwritePreparation(table, allocator).overwritePartitions(rows);
  }

  /** Prepares an update in the mode of the table's {@code write.update.mode}. */
  public PreparedChange prepareUpdate(RowMatcher filter, RowUpdate set) throws IOException {
    return prepareUpdate(filter, set, RowOperation.UPDATE.mode(table));
  }

  /**
   * Prepares an update. Rows move to new data files; in tables with row lineage they keep their
   * ids.
   *
   * @throws NothingToDeleteException if no live row matches
   */
  public PreparedChange prepareUpdate(RowMatcher filter, RowUpdate set, DeleteMode mode)
      throws IOException {
    return new UpdatePreparation(table, allocator).update(planRowDeletes(filter), set, mode);
  }

  /** Prepares a merge in the mode of the table's {@code write.merge.mode}. */
  public PreparedChange prepareMerge(
      Iterable<? extends Record> source, List<String> keys, MergeClauses clauses)
      throws IOException {
    return prepareMerge(source, keys, clauses, RowOperation.MERGE.mode(table));
  }

  /**
   * Prepares a merge.
   *
   * @param source rows with the table's columns in their order, held in memory
   * @param keys names of the columns that rows are compared by; null equals nothing
   * @throws IllegalArgumentException if two rows of the source have one key
   * @throws NothingToDeleteException if the merge changes nothing
   */
  public PreparedChange prepareMerge(
      Iterable<? extends Record> source, List<String> keys, MergeClauses clauses, DeleteMode mode)
      throws IOException {
    return new UpdatePreparation(table, allocator).merge(source, keys, clauses, mode);
  }

  /**
   * Writes equality delete files, and nothing more.
   *
   * @see dev.narwhal.iceberg.rowdelete.equality.EqualityDeleteWriter
   */
  public DeleteFiles writeEqualityDeletes(Iterable<? extends Record> rows, Set<Integer> equalityIds)
      throws IOException {
    return new EqualityPreparation(table).write(rows, equalityIds);
  }

  /**
   * Prepares a delete of the rows that equal others in some fields; null equals null. No data is
   * read, so that nobody knows how many they are.
   *
   * @param rows with the table's columns in their order
   */
  public PreparedChange prepareEqualityDelete(
      Iterable<? extends Record> rows, Set<Integer> equalityIds) throws IOException {
    return new EqualityPreparation(table).prepare(rows, equalityIds);
  }

  /**
   * Prepares a delete by equality of the rows for which a condition is true: by the columns that
   * the condition reads, of whose values alone it depends whether a row goes.
   *
   * @throws NothingToDeleteException if no live row matches
   * @throws dev.narwhal.lance.error.UnsupportedFeatureException if the condition reads no column,
   *     or one that rows cannot be compared by
   */
  public PreparedChange prepareEqualityDelete(RowMatcher filter) throws IOException {
    return new EqualityPreparation(table).prepare(planRowDeletes(filter), filter.columns());
  }
}
