package dev.narwhal.iceberg.rowdelete;

import java.util.List;
import java.util.stream.Stream;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.OverwriteFiles;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.SnapshotUpdate;
import org.apache.iceberg.Table;
import org.apache.iceberg.events.CreateSnapshotEvent;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.util.DataFileSet;
import org.apache.iceberg.util.DeleteFileSet;

/**
 * A delete whose files are written and which is not yet committed.
 *
 * @param removed data files of which no live row is left
 * @param rewritten data files that {@code replacements} replace
 * @param marked data files that stay, and whose deleted positions {@code added} tells
 * @param absorbed delete files of marked data files whose positions are in {@code added} too
 * @param addedBytes size of the files that hold {@code added}, each file once
 */
record StagedDelete(
    List<FileMatch> removed,
    List<FileMatch> rewritten,
    List<DataFile> replacements,
    List<FileMatch> marked,
    List<DeleteFile> absorbed,
    List<DeleteFile> added,
    long addedBytes) {
  StagedDelete {
    removed = List.copyOf(removed);
    rewritten = List.copyOf(rewritten);
    replacements = List.copyOf(replacements);
    marked = List.copyOf(marked);
    absorbed = List.copyOf(absorbed);
    added = List.copyOf(added);
  }

  /** Rows that were alive before. */
  long deletedRows() {
    return Stream.of(removed, rewritten, marked)
        .flatMap(List::stream)
        .mapToLong(match -> match.matched().cardinality())
        .sum();
  }

  /** Size of all files written. */
  long bytes() {
    return addedBytes + replacements.stream().mapToLong(DataFile::fileSizeInBytes).sum();
  }

  /** Delete files that say nothing any more. */
  List<DeleteFile> removedDeletes() {
    return Stream.concat(absorbed.stream(), gone().flatMap(match -> match.ownDeletes().stream()))
        .toList();
  }

  private Stream<FileMatch> gone() {
    return Stream.concat(removed.stream(), rewritten.stream());
  }

  /**
   * Commits to the table as it is by then.
   *
   * @param startSnapshotId the snapshot that the matches were found in
   */
  CreateSnapshotEvent commit(Table table, long startSnapshotId) {
    SnapshotUpdate<?> update =
        added.isEmpty() ? overwrite(table, startSnapshotId) : rowDelta(table, startSnapshotId);
    update.commit();
    return (CreateSnapshotEvent) update.updateEvent();
  }

  /** No new positions: files go, others may come. Iceberg calls it a delete where none come. */
  private OverwriteFiles overwrite(Table table, long startSnapshotId) {
    OverwriteFiles update =
        table
            .newOverwrite()
            .validateFromSnapshot(startSnapshotId)
            // a row that was deleted meanwhile must not come back with a replacement
            .conflictDetectionFilter(Expressions.alwaysTrue())
            .validateNoConflictingDeletes()
            .deleteFiles(
                DataFileSet.of(gone().map(FileMatch::dataFile).toList()),
                DeleteFileSet.of(removedDeletes()));
    replacements.forEach(update::addFile);
    return update;
  }

  /**
   * New positions. Iceberg refuses a second vector for a data file by itself, as long as no filter
   * narrows where it looks; positions of version 2 add up.
   */
  private RowDelta rowDelta(Table table, long startSnapshotId) {
    RowDelta update =
        table
            .newRowDelta()
            .validateFromSnapshot(startSnapshotId)
            .validateDataFilesExist(
                marked.stream().map(match -> match.dataFile().location()).toList())
            .validateDeletedFiles();
    removed.forEach(match -> update.removeRows(match.dataFile()));
    removedDeletes().forEach(update::removeDeletes);
    added.forEach(update::addDeletes);
    return update;
  }
}
