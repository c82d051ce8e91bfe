package dev.narwhal.iceberg.export;

import java.util.List;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Transaction;

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

  long liveRows() {
    return fragments.stream()
        .mapToLong(fragment -> fragment.physicalRows() - fragment.deletions().cardinality())
        .sum();
  }

  /** Adds the one snapshot to the transaction; returns its id. */
  long stage(Transaction transaction) {
    if (deleteFiles.isEmpty()) {
      AppendFiles append = transaction.newAppend();
      dataFiles().forEach(append::appendFile);
      append.commit();
    } else {
      RowDelta delta = transaction.newRowDelta();
      dataFiles().forEach(delta::addRows);
      deleteFiles.forEach(delta::addDeletes);
      delta.commit();
    }
    return transaction.table().currentSnapshot().snapshotId();
  }
}
