package dev.narwhal.iceberg.rowdelete;

/**
 * What a delete did.
 *
 * @param snapshotId the table's new snapshot
 * @param operation Iceberg's name of what the snapshot did: {@code delete} or {@code overwrite}
 * @param deletedRows rows that were alive before and are not any more
 * @param dataFilesRemoved data files that went because no live row was left in them
 * @param dataFilesRewritten data files that were replaced by files of the rows kept
 * @param deleteFilesAdded every deletion vector counts as one
 * @param bytesWritten of data and delete files, each Puffin file once
 * @param metadataBytesWritten of manifests, the manifest list and the table metadata
 */
public record RowDeleteReport(
    long snapshotId,
    String operation,
    long deletedRows,
    int dataFilesRemoved,
    int dataFilesRewritten,
    int deleteFilesAdded,
    int deleteFilesRemoved,
    long bytesWritten,
    long metadataBytesWritten) {

  /** Whether no data or delete file was written at all. */
  public boolean metadataOnly() {
    return bytesWritten == 0;
  }
}
