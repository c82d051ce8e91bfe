package dev.narwhal.iceberg.rowdelete.commit;

import dev.narwhal.iceberg.rowdelete.plan.RowDelete;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.OverwriteFiles;
import org.apache.iceberg.RewriteFiles;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotUpdate;
import org.apache.iceberg.Table;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.util.DataFileSet;

/**
 * A change as one of Iceberg's updates. Which one decides the operation that the snapshot is said
 * to do:
 *
 * <pre>
 * change                                            update           operation
 * adds delete files, no data files                  RowDelta         delete
 * adds delete files and data files                  RowDelta         overwrite
 * removes data files, adds none of either           OverwriteFiles   delete
 * removes and adds data files                       OverwriteFiles   overwrite
 * adds data files only                              OverwriteFiles   append
 * says the same of the same rows with other files   RewriteFiles     replace
 * </pre>
 */
final class SnapshotUpdates {
  private SnapshotUpdates() {}

  /**
   * The update, which fails unless the table's current snapshot is the given one by then.
   *
   * @param base empty for a table without a snapshot
   */
  static SnapshotUpdate<?> of(Table table, Change change, OptionalLong base) {
    SnapshotUpdate<?> update =
        change.isMaintenance()
            ? rewrite(table, change, base)
            : change.deletes().files().isEmpty()
                ? overwrite(table, change, base)
                : rowDelta(table, change, base);
    update.validateWith(ancestors -> requireCurrent(ancestors.iterator(), base));
    return update;
  }

  private static boolean requireCurrent(Iterator<Snapshot> ancestors, OptionalLong base) {
    OptionalLong current =
        ancestors.hasNext() ? OptionalLong.of(ancestors.next().snapshotId()) : OptionalLong.empty();
    if (!current.equals(base)) {
      throw new StaleBaseException();
    }
    return true;
  }

  private static OverwriteFiles overwrite(Table table, Change change, OptionalLong base) {
    OverwriteFiles update =
        table
            .newOverwrite()
            .conflictDetectionFilter(Expressions.alwaysTrue())
            .validateNoConflictingDeletes()
            .deleteFiles(DataFileSet.of(gone(change)), change.removedDeletes());
    base.ifPresent(update::validateFromSnapshot);
    change.replacements().forEach(update::addFile);
    change.appended().forEach(update::addFile);
    return update;
  }

  /** No filter narrows where Iceberg looks for a second vector of a data file. */
  private static RowDelta rowDelta(Table table, Change change, OptionalLong base) {
    RowDelta update =
        table
            .newRowDelta()
            .validateDataFilesExist(
                change.marked().stream().map(file -> file.dataFile().location()).toList())
            .validateDeletedFiles();
    base.ifPresent(update::validateFromSnapshot);
    gone(change).forEach(update::removeRows);
    change.removedDeletes().forEach(update::removeDeletes);
    change.replacements().forEach(update::addRows);
    change.appended().forEach(update::addRows);
    change.deletes().files().forEach(update::addDeletes);
    return update;
  }

  private static RewriteFiles rewrite(Table table, Change change, OptionalLong base) {
    RewriteFiles update = table.newRewrite();
    base.ifPresent(update::validateFromSnapshot);
    change.removedDeletes().forEach(update::deleteFile);
    change.deletes().files().forEach(update::addFile);
    return update;
  }

  private static List<DataFile> gone(Change change) {
    return change.gone().stream().map(RowDelete::dataFile).toList();
  }
}
