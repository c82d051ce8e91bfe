package dev.narwhal.iceberg.rowdelete;

import dev.narwhal.iceberg.rowdelete.commit.PreparedChange;
import dev.narwhal.iceberg.rowdelete.commit.Validation;
import dev.narwhal.iceberg.rowdelete.plan.DeleteMode;
import dev.narwhal.iceberg.rowdelete.plan.KeyMatcher;
import dev.narwhal.iceberg.rowdelete.plan.NothingToDeleteException;
import dev.narwhal.iceberg.rowdelete.plan.RowDelete;
import dev.narwhal.iceberg.rowdelete.plan.RowDeletePlan;
import dev.narwhal.iceberg.rowdelete.plan.RowDeletePlanner;
import dev.narwhal.iceberg.rowdelete.plan.RowOperation;
import dev.narwhal.iceberg.rowdelete.write.MergeClauses;
import dev.narwhal.iceberg.rowdelete.write.MergedRows;
import dev.narwhal.iceberg.rowdelete.write.NewRows;
import dev.narwhal.iceberg.rowdelete.write.RowUpdate;
import dev.narwhal.iceberg.rowdelete.write.UpdatedRows;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.Record;

/** Prepares changes after which rows have other values. */
final class UpdatePreparation {
  private final Table table;
  private final BufferAllocator allocator;
  private final Preparation preparation;

  UpdatePreparation(Table table, BufferAllocator allocator) {
    this.table = table;
    this.allocator = allocator;
    this.preparation = new Preparation(table);
  }

  PreparedChange update(RowDeletePlan plan, RowUpdate update, DeleteMode mode) throws IOException {
    if (plan.isEmpty()) {
      throw new NothingToDeleteException(
          "no live row of " + table.name() + " matches " + plan.condition());
    }
    List<RowDelete> rows = requireRead(plan.files());
    Validation validation =
        Validation.of(
            table,
            "update of " + plan.condition(),
            RowOperation.UPDATE.isolation(table),
            plan.pruning().mayMatch());
    return preparation.prepared(
        plan.snapshotId(),
        validation,
        created -> {
          try (NewRows out = NewRows.withLineage(table, created)) {
            UpdatedRows updated = new UpdatedRows(table, update, allocator);
            for (RowDelete file : rows) {
              updated.move(file, file.positions(), out);
            }
            return preparation.change(rows, mode, out.finish(), out.rows(), created);
          }
        });
  }

  /** Which rows of a file live is needed to give them new values. */
  private List<RowDelete> requireRead(List<RowDelete> files) throws IOException {
    return new RowDeletePlanner(table, allocator).withEqualityDeletes(files);
  }

  PreparedChange merge(
      Iterable<? extends Record> source, List<String> keys, MergeClauses clauses, DeleteMode mode)
      throws IOException {
    table.refresh();
    KeyMatcher matcher = new KeyMatcher(table, keys);
    MergedRows merged = MergedRows.of(table, source, matcher, clauses);
    RowDeletePlan plan = new RowDeletePlanner(table, allocator).plan(table.newScan(), matcher);
    Validation validation =
        Validation.of(
            table,
            "merge by " + keys,
            RowOperation.MERGE.isolation(table),
            plan.pruning().mayMatch());
    return preparation.prepared(
        plan.snapshotId(),
        validation,
        created -> {
          try (NewRows out = NewRows.withLineage(table, created)) {
            List<RowDelete> changed = new ArrayList<>();
            for (RowDelete file : plan.files()) {
              file.withPositions(merged.merge(file, out)).ifPresent(changed::add);
            }
            merged.insert(out);
            if (changed.isEmpty() && out.rows() == 0) {
              throw new NothingToDeleteException(
                  "the merge changes no row of " + table.name() + " and adds none");
            }
            return preparation.change(changed, mode, out.finish(), out.rows(), created);
          }
        });
  }
}
