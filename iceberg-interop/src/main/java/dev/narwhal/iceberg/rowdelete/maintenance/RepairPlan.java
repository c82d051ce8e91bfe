package dev.narwhal.iceberg.rowdelete.maintenance;

import dev.narwhal.puffin.PositionSet;
import java.util.List;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;

/**
 * Data files with more than one live vector, which no engine can read.
 *
 * @param snapshotId the snapshot that was looked at
 * @param files one for each such data file
 */
public record RepairPlan(long snapshotId, List<Duplicate> files) {
  /**
   * One data file.
   *
   * @param vectors all of its live vectors, two or more
   * @param union the rows that any of them deletes
   */
  public record Duplicate(DataFile dataFile, List<DeleteFile> vectors, PositionSet union) {
    public Duplicate {
      vectors = List.copyOf(vectors);
    }
  }

  public RepairPlan {
    files = List.copyOf(files);
  }
}
