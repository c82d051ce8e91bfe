package dev.narwhal.iceberg.rowdelete;

import dev.narwhal.iceberg.rowdelete.commit.Change;
import dev.narwhal.iceberg.rowdelete.commit.PreparedChange;
import dev.narwhal.iceberg.rowdelete.commit.Validation;
import dev.narwhal.iceberg.rowdelete.equality.EqualityDeleteWriter;
import dev.narwhal.iceberg.rowdelete.equality.KeySchema;
import dev.narwhal.iceberg.rowdelete.plan.NothingToDeleteException;
import dev.narwhal.iceberg.rowdelete.plan.RowDeletePlan;
import dev.narwhal.iceberg.rowdelete.write.DeleteFiles;
import dev.narwhal.iceberg.rowdelete.write.DistinctKeys;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.apache.iceberg.IsolationLevel;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.Record;

/** Prepares deletes by equality, which look at no data. */
final class EqualityPreparation {
  private final Table table;
  private final Preparation preparation;

  EqualityPreparation(Table table) {
    this.table = table;
    this.preparation = new Preparation(table);
  }

  DeleteFiles write(Iterable<? extends Record> rows, Set<Integer> equalityIds) throws IOException {
    return preparation.written(
        created ->
            new DeleteFiles(new EqualityDeleteWriter(table, created, equalityIds).write(rows)));
  }

  PreparedChange prepare(Iterable<? extends Record> rows, Set<Integer> equalityIds)
      throws IOException {
    table.refresh();
    Snapshot snapshot = table.currentSnapshot();
    if (snapshot == null) {
      throw new NothingToDeleteException("table " + table.name() + " has no rows to delete");
    }
    // The sequence number of the commit decides which rows are reached: nothing conflicts
    Validation validation =
        new Validation("delete by equality", IsolationLevel.SNAPSHOT, file -> false);
    return preparation.prepared(
        OptionalLong.of(snapshot.snapshotId()),
        validation,
        created -> {
          DeleteFiles files =
              new DeleteFiles(new EqualityDeleteWriter(table, created, equalityIds).write(rows));
          if (files.files().isEmpty()) {
            throw new NothingToDeleteException("there are no rows to compare with");
          }
          return Change.ofDeletes(files, List.of());
        });
  }

  /** The rows of a plan, told by columns on whose values alone it depends that they are in it. */
  PreparedChange prepare(RowDeletePlan plan, Set<String> columns) throws IOException {
    if (plan.isEmpty()) {
      throw new NothingToDeleteException(
          "no live row of " + table.name() + " matches " + plan.condition());
    }
    Set<Integer> ids = new TreeSet<>();
    for (String column : columns) {
      ids.add(table.schema().findField(column).fieldId());
    }
    KeySchema key;
    try {
      key = KeySchema.ofNew(table, ids);
    } catch (IllegalArgumentException e) {
      throw new UnsupportedFeatureException(
          plan.condition() + " by equality deletes: " + e.getMessage());
    }
    return prepare(new DistinctKeys(table, key).of(plan.files()), ids);
  }
}
