package dev.narwhal.iceberg.rowdelete.commit;

import java.util.OptionalLong;

/**
 * What a committed change did.
 *
 * @param snapshotId the table's new snapshot
 * @param operation Iceberg's name of what the snapshot did
 * @param counts of rows and files
 * @param attempts how often the change met a table that others had changed meanwhile, and the one
 *     time that it did not
 */
public record ChangeReport(long snapshotId, String operation, ChangeCounts counts, int attempts) {
  /** Rows that were alive before and are not any more; empty where only reading could tell. */
  public OptionalLong deletedRows() {
    return counts.deletedRows();
  }

  public int dataFilesRemoved() {
    return counts.dataFilesRemoved();
  }

  public int dataFilesRewritten() {
    return counts.dataFilesRewritten();
  }

  public int deleteFilesAdded() {
    return counts.deleteFilesAdded();
  }

  public int deleteFilesRemoved() {
    return counts.deleteFilesRemoved();
  }

  public long bytesWritten() {
    return counts.bytesWritten();
  }

  /** Whether no data or delete file was written at all. */
  public boolean metadataOnly() {
    return counts.bytesWritten() == 0;
  }
}
