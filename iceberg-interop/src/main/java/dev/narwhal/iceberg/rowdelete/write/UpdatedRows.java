package dev.narwhal.iceberg.rowdelete.write;

import dev.narwhal.iceberg.rowdelete.plan.RowDelete;
import dev.narwhal.puffin.PositionSet;
import java.io.IOException;
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
  private final RowUpdate update;
  private final Schema schema;
  private final RecordRows rows;
  private final int lastUpdated;

  public UpdatedRows(Table table, RowUpdate update) {
    this.update = update;
    this.schema = FileRewriter.writtenSchema(table);
    this.rows = new RecordRows(table);
    this.lastUpdated = schema.columns().indexOf(MetadataColumns.LAST_UPDATED_SEQUENCE_NUMBER);
  }

  /** Adds the planned rows of a data file, with their new values. */
  public void move(RowDelete file, PositionSet positions, NewRows out) throws IOException {
    String location = file.dataFile().location();
    try (CloseableIterable<Record> records = rows.open(file.task(), schema)) {
      long position = 0;
      for (Record record : records) {
        if (positions.contains(position)) {
          apply(record, location, position);
          out.add(record);
        }
        position++;
      }
    }
  }

  private void apply(Record record, String location, long position) {
    update.apply(record, location, position);
    if (lastUpdated >= 0) {
      // null: the commit's own sequence number, which is not known yet
      record.set(lastUpdated, null);
    }
  }
}
