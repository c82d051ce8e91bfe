package dev.narwhal.iceberg.export;

import java.util.List;
import java.util.OptionalLong;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.expressions.Expressions;

/**
 * All files of an export, written and not yet committed.
 *
 * @param deleteBytes size of the files that hold {@code deleteFiles}, each file once
 */
record ExportedFiles(
    List<ExportedFragment> fragments, List<DeleteFile> deleteFiles, long deleteBytes) {
  ExportedFiles {
    fragments = List.copyOf(fragments);
    deleteFiles = List.copyOf(deleteFiles);
  }

  List<DataFile> dataFiles() {
    return fragments.stream()
        .flatMap(fragment -> fragment.files().stream())
        .map(WrittenFile::dataFile)
        .toList();
  }

  long bytes() {
    return deleteBytes + dataFiles().stream().mapToLong(DataFile::fileSizeInBytes).sum();
  }

  /** Rows in the data files. */
  long physicalRows() {
    return dataFiles().stream().mapToLong(DataFile::recordCount).sum();
  }

  /** Rows in the data files that no delete file takes away. */
  long liveRows() {
    return physicalRows() - deleteFiles.stream().mapToLong(DeleteFile::recordCount).sum();
  }

  /**
   * Adds the one snapshot to the transaction; returns its id. Rows that another writer adds after
   * {@code start} make the commit fail, so that two exports cannot both fill one empty table.
   *
   * @param start the snapshot in which the table was found empty; empty where there was none
   */
  long stage(Transaction transaction, OptionalLong start) {
    if (dataFiles().isEmpty()) {
      transaction.newAppend().commit();
    } else {
      stageRows(transaction, start);
    }
    return transaction.table().currentSnapshot().snapshotId();
  }

  private void stageRows(Transaction transaction, OptionalLong start) {
    RowDelta delta =
        transaction
            .newRowDelta()
            .conflictDetectionFilter(Expressions.alwaysTrue())
            .validateNoConflictingDataFiles()
            .validateNoConflictingDeleteFiles();
    start.ifPresent(delta::validateFromSnapshot);
    dataFiles().forEach(delta::addRows);
    deleteFiles.forEach(delta::addDeletes);
    delta.commit();
  }
}
