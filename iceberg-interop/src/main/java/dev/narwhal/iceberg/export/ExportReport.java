package dev.narwhal.iceberg.export;

import dev.narwhal.iceberg.mapping.Exemption;
import java.util.List;

/**
 * What an export did.
 *
 * @param snapshotId the table's new snapshot
 * @param dataFiles number of data files
 * @param deleteFiles number of delete files as Iceberg counts them: every deletion vector is one,
 *     many share a Puffin file
 * @param bytesWritten of data and delete files, each Puffin file once
 * @param metadataBytesWritten of manifests, the manifest list and the table metadata
 * @param physicalRows rows in the data files
 * @param liveRows rows that a reader sees
 * @param dropped fields of the dataset that the table lacks
 * @param rendered fields that are strings in the table although they are no text
 */
public record ExportReport(
    Strategy strategy,
    int formatVersion,
    long snapshotId,
    int dataFiles,
    int deleteFiles,
    long bytesWritten,
    long metadataBytesWritten,
    long physicalRows,
    long liveRows,
    List<Exemption> dropped,
    List<Exemption> rendered) {
  public ExportReport {
    dropped = List.copyOf(dropped);
    rendered = List.copyOf(rendered);
  }

  /** Rows that are in the data files although they are deleted. */
  public long deadRowsCopied() {
    return physicalRows - liveRows;
  }

  /** What the reader of a report must know of the deleted rows, in one sentence. */
  public String note() {
    return strategy.keepsDeadRows()
        ? deadRowsCopied()
            + " deleted rows were copied in place, values included; erasure needs copy-on-write"
        : "deleted rows were not copied";
  }
}
