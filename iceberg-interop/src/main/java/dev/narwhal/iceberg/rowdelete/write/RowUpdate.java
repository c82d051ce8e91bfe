package dev.narwhal.iceberg.rowdelete.write;

import org.apache.iceberg.data.Record;

/** New values for a row. Safe for use by many threads. */
public interface RowUpdate {
  /**
   * Sets values of a row in place.
   *
   * @param row the table's columns in their order; row lineage may follow, and stays as it is
   * @param location of the data file that holds it
   * @param position of the row in that file
   */
  void apply(Record row, String location, long position);
}
