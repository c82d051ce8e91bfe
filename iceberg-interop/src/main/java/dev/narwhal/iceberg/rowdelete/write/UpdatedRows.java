package dev.narwhal.iceberg.rowdelete.write;

import dev.narwhal.iceberg.rowdelete.plan.RowDelete;
import dev.narwhal.puffin.PositionSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;

/**
 * Takes rows with new values from their data files into new ones. They keep their row ids; their
 * last update is this commit (spec, "Row Lineage"). For one thread.
 */
public final class UpdatedRows {
  private static final int BATCH_ROWS = 1024;

  private final RowUpdate update;
  private final BufferAllocator allocator;
  private final Schema schema;
  private final RecordRows rows;
  private final int lastUpdated;

  /**
   * @param allocator for the columns that new values are computed from, a batch at a time
   */
  public UpdatedRows(Table table, RowUpdate update, BufferAllocator allocator) {
    this.update = update;
    this.allocator = allocator;
    this.schema = FileRewriter.writtenSchema(table);
    this.rows = new RecordRows(table);
    this.lastUpdated = schema.columns().indexOf(MetadataColumns.LAST_UPDATED_SEQUENCE_NUMBER);
  }

  /** Adds the planned rows of a data file, with their new values. */
  public void move(RowDelete file, PositionSet positions, NewRows out) throws IOException {
    String location = file.dataFile().location();
    List<Record> batch = new ArrayList<>(BATCH_ROWS);
    try (CloseableIterable<Record> records = rows.open(file.task(), schema)) {
      long position = 0;
      for (Record record : records) {
        if (positions.contains(position)) {
          batch.add(record.copy());
        }
        if (batch.size() == BATCH_ROWS) {
          move(batch, location, out);
        }
        position++;
      }
    }
    move(batch, location, out);
  }

  private void move(List<Record> batch, String location, NewRows out) throws IOException {
    update.apply(batch, location, allocator);
    for (Record record : batch) {
      if (lastUpdated >= 0) {
        // null: the commit's own sequence number, which is not known yet
        record.set(lastUpdated, null);
      }
      out.add(record);
    }
    batch.clear();
  }
}
