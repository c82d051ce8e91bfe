package dev.narwhal.iceberg.rowdelete;

import dev.narwhal.puffin.PositionSet;
import java.util.List;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.util.ContentFileUtil;

/**
 * The live rows of a data file that a delete is about.
 *
 * @param task the file as planned
 * @param dead positions deleted before
 * @param matched live positions to delete, disjoint from {@code dead}; at least one
 */
record FileMatch(FileScanTask task, PositionSet dead, PositionSet matched) {
  DataFile dataFile() {
    return task.file();
  }

  /** Whether no live row is left. */
  boolean isWhole() {
    return dead.cardinality() + matched.cardinality() == dataFile().recordCount();
  }

  /** All positions that are dead after the delete. */
  PositionSet after() {
    return dead.union(matched);
  }

  /**
   * The delete files that belong to this data file alone: they go when the file goes, or when a
   * vector takes over what they say. Files that delete from other data files too must stay.
   */
  List<DeleteFile> ownDeletes() {
    return task.deletes().stream().filter(ContentFileUtil::isFileScoped).toList();
  }
}
