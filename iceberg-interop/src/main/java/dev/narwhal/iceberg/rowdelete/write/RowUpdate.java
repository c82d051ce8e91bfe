package dev.narwhal.iceberg.rowdelete.write;

import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.iceberg.data.Record;

/** New values for rows. Safe for use by many threads. */
public interface RowUpdate {
  /**
   * Sets values of rows in place.
   *
   * @param rows the table's columns in their order; row lineage may follow, and stays as it is
   * @param location of the data file that holds them
   * @param allocator for whatever is computed meanwhile
   */
  void apply(List<Record> rows, String location, BufferAllocator allocator);
}
