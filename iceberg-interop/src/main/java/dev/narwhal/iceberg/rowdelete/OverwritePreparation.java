package dev.narwhal.iceberg.rowdelete;

import dev.narwhal.iceberg.rowdelete.commit.PreparedChange;
import dev.narwhal.iceberg.rowdelete.commit.Validation;
import dev.narwhal.iceberg.rowdelete.plan.DeleteMode;
import dev.narwhal.iceberg.rowdelete.plan.NothingToDeleteException;
import dev.narwhal.iceberg.rowdelete.plan.PartitionMatcher;
import dev.narwhal.iceberg.rowdelete.plan.RowDeletePlan;
import dev.narwhal.iceberg.rowdelete.plan.RowDeletePlanner;
import dev.narwhal.iceberg.rowdelete.plan.RowOperation;
import dev.narwhal.iceberg.rowdelete.write.NewRows;
import dev.narwhal.iceberg.table.CreatedFiles;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.IsolationLevel;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.util.PartitionSet;

/** Prepares changes that put new rows in the place of others, in one snapshot. */
final class OverwritePreparation {
  private final Table table;
  private final BufferAllocator allocator;
  private final Preparation preparation;

  OverwritePreparation(Table table, BufferAllocator allocator) {
    this.table = table;
    this.allocator = allocator;
    this.preparation = new Preparation(table);
  }

  /** New data files, and how many rows they hold. */
  private record Appended(List<DataFile> files, long rows) {}

  private Appended append(Iterable<? extends Record> rows, CreatedFiles created)
      throws IOException {
    try (NewRows out = NewRows.of(table, created)) {
      for (Record row : rows) {
        out.add(row);
      }
      return new Appended(out.finish(), out.rows());
    }
  }

  /** Rows for which a condition is true go, others come. */
  PreparedChange overwrite(RowDeletePlan plan, Iterable<? extends Record> rows, DeleteMode mode)
      throws IOException {
    Validation validation =
        Validation.of(
            table,
            "overwrite of " + plan.condition(),
            RowOperation.DELETE.isolation(table),
            plan.pruning().mayMatch());
    return preparation.prepared(
        plan.snapshotId(),
        validation,
        created -> {
          Appended appended = append(rows, created);
          if (plan.isEmpty() && appended.files().isEmpty()) {
            throw new NothingToDeleteException(
                "no live row of "
                    + table.name()
                    + " matches "
                    + plan.condition()
                    + ", and there are no new rows");
          }
          return preparation.change(plan.files(), mode, appended.files(), appended.rows(), created);
        });
  }

  /** The partitions that the new rows lie in lose all others. */
  PreparedChange overwritePartitions(Iterable<? extends Record> rows) throws IOException {
    table.refresh();
    CreatedFiles created = new CreatedFiles(table.io());
    try {
      Appended appended = append(rows, created);
      if (appended.files().isEmpty()) {
        throw new NothingToDeleteException(
            "there are no new rows, and so no partitions to overwrite in " + table.name());
      }
      PartitionSet partitions = PartitionSet.create(table.specs());
      appended.files().forEach(file -> partitions.add(file.specId(), file.partition()));
      PartitionMatcher matcher = new PartitionMatcher(table.schema(), table.spec(), partitions);
      RowDeletePlan plan =
          table.currentSnapshot() == null
              ? RowDeletePlan.ofNothing(OptionalLong.empty(), matcher)
              : new RowDeletePlanner(table, allocator).plan(table.newScan(), matcher);
      IsolationLevel isolation = RowOperation.DELETE.isolation(table);
      Validation validation =
          new Validation("overwrite of partitions", isolation, matcher::mayHoldRows);
      return new PreparedChange(
          table,
          preparation.change(
              plan.files(), DeleteMode.COPY_ON_WRITE, appended.files(), appended.rows(), created),
          plan.snapshotId(),
          validation,
          created);
    } catch (IOException | RuntimeException | Error e) {
      created.takeBack();
      throw e;
    }
  }
}
