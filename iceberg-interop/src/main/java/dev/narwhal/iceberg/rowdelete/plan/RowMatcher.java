package dev.narwhal.iceberg.rowdelete.plan;

import java.util.Set;
import org.apache.arrow.vector.VectorSchemaRoot;

/** Which rows a change is about. Safe for use by many threads. */
public interface RowMatcher {
  /** How messages and reports quote it. */
  String text();

  /** Names of the top-level columns that it reads, spelled as in the table. May be none. */
  Set<String> columns();

  /** What Iceberg can be told about the rows; no columns besides {@link #columns}. */
  default Pruning pruning() {
    return Pruning.UNKNOWN;
  }

  /**
   * Finds the matching rows of a batch, which has the columns of {@link #columns} by name, typed as
   * in {@link dev.narwhal.iceberg.mapping.ArrowSchemas}.
   *
   * @param matches bit i (LSB first) is to be set where row i matches; all bits are 0 before, and
   *     those from the batch's row count on must stay so
   */
  void match(VectorSchemaRoot batch, long[] matches);
}
