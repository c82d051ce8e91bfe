package dev.narwhal.iceberg.parquet;

import dev.narwhal.iceberg.mapping.ColumnValues;
import dev.narwhal.iceberg.mapping.TableMapping;
import dev.narwhal.iceberg.mapping.UnmappableValueException;
import java.util.List;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * A row of Arrow batches, moved over them by its owner. The "record" that our Parquet writers take.
 *
 * <p>Columns are matched by position: column i of the batches is column i of the mapping. Not safe
 * for use by several threads.
 */
public final class ArrowRows {
  private final List<ColumnValues> columns;
  private long firstRow;
  private int row;

  /** Rows of the columns that a mapping reads. */
  public ArrowRows(TableMapping mapping) {
    this.columns = mapping.columns().stream().map(ColumnValues::of).toList();
  }

  /** The columns, in the mapping's order. */
  public List<ColumnValues> columns() {
    return columns;
  }

  /**
   * Turns to another batch, which stays the caller's and must outlive the reads.
   *
   * @param newFirstRow number of the batch's first row, for messages
   */
  public void bind(VectorSchemaRoot batch, long newFirstRow) {
    if (batch.getFieldVectors().size() != columns.size()) {
      throw new IllegalArgumentException(
          "a batch of "
              + batch.getFieldVectors().size()
              + " columns where the mapping has "
              + columns.size());
    }
    for (int i = 0; i < columns.size(); i++) {
      columns.get(i).bind(batch.getVector(i), newFirstRow);
    }
    this.firstRow = newFirstRow;
    this.row = 0;
  }

  public void moveTo(int newRow) {
    this.row = newRow;
  }

  /** The row in the bound batch. */
  public int row() {
    return row;
  }

  /** The fault of finding null in the row in hand. */
  UnmappableValueException unexpectedNull(String column) {
    return new UnmappableValueException(
        "column " + column + ", row " + (firstRow + row) + ": null where the schema allows none");
  }
}
