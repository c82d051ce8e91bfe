package dev.narwhal.iceberg.table;

import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;

/** What a commit costs besides data and delete files. */
public final class SnapshotMetadata {
  private SnapshotMetadata() {}

  /**
   * Bytes of the manifests that a snapshot added, of its manifest list, and of the table metadata
   * in hand.
   */
  public static long bytes(Table table, long snapshotId) {
    Snapshot snapshot = table.snapshot(snapshotId);
    long bytes = sizeOf(table, snapshot.manifestListLocation());
    for (ManifestFile manifest : snapshot.allManifests(table.io())) {
      if (manifest.snapshotId() == snapshotId) {
        bytes += manifest.length();
      }
    }
    if (table instanceof HasTableOperations operations) {
      TableMetadata current = operations.operations().current();
      bytes += sizeOf(table, current.metadataFileLocation());
    }
    return bytes;
  }

  private static long sizeOf(Table table, String location) {
    return table.io().newInputFile(location).getLength();
  }
}
