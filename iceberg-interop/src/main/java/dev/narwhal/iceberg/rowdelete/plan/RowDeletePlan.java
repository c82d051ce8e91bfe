package dev.narwhal.iceberg.rowdelete.plan;

import java.util.List;
import java.util.OptionalLong;

/**
 * The rows that a condition is about, in one snapshot of a table.
 *
 * @param snapshotId the snapshot; empty of a table without one
 * @param condition how messages quote the condition
 * @param pruning the condition as far as Iceberg can say it
 * @param files one for each data file with a match, in the order of the scan
 */
public record RowDeletePlan(
    OptionalLong snapshotId, String condition, Pruning pruning, List<RowDelete> files) {
  public RowDeletePlan {
    files = List.copyOf(files);
  }

  /** A plan for no row. */
  public static RowDeletePlan ofNothing(OptionalLong snapshotId, RowMatcher matcher) {
    return new RowDeletePlan(snapshotId, matcher.text(), matcher.pruning(), List.of());
  }

  public boolean isEmpty() {
    return files.isEmpty();
  }

  /**
   * Rows that go: exact, or empty where only reading data would tell, which is where a data file
   * with equality deletes goes as a whole.
   */
  public OptionalLong deletedRows() {
    long sum = 0;
    for (RowDelete file : files) {
      if (file.deletedRows().isEmpty()) {
        return OptionalLong.empty();
      }
      sum += file.deletedRows().getAsLong();
    }
    return OptionalLong.of(sum);
  }
}
