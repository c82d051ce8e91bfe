package dev.narwhal.iceberg.rowdelete.write;

import dev.narwhal.iceberg.rowdelete.equality.KeyEncoder;
import dev.narwhal.iceberg.rowdelete.equality.KeySchema;
import dev.narwhal.iceberg.rowdelete.equality.KeyTable;
import dev.narwhal.iceberg.rowdelete.plan.RowDelete;
import dev.narwhal.puffin.PositionSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.InternalRecordWrapper;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Types;

/** The distinct keys of rows: of all that have one, one. For one thread. */
public final class DistinctKeys {
  private final RecordRows rows;
  private final Schema schema;
  private final Schema keySchema;
  private final KeyEncoder encoder;
  private final KeyTable seen = new KeyTable();
  private final List<Record> distinct = new ArrayList<>();

  /**
   * @param key of top-level columns
   */
  public DistinctKeys(Table table, KeySchema key) {
    this.rows = new RecordRows(table);
    this.schema = table.schema();
    this.keySchema = key.schema();
    this.encoder = new KeyEncoder(key);
  }

  /** Rows with the table's columns, of which only the key has values. */
  public List<Record> of(List<RowDelete> files) throws IOException {
    InternalRecordWrapper internal = new InternalRecordWrapper(keySchema.asStruct());
    for (RowDelete file : files) {
      PositionSet positions = file.positions();
      try (CloseableIterable<Record> records = rows.open(file.task(), keySchema)) {
        long position = 0;
        for (Record record : records) {
          if (positions.contains(position)) {
            encoder.encode(internal.wrap(record));
            add(record);
          }
          position++;
        }
      }
    }
    return distinct;
  }

  private void add(Record record) {
    int before = seen.size();
    seen.add(encoder.bytes(), encoder.length(), 0);
    if (seen.size() > before) {
      Record row = GenericRecord.create(schema);
      for (Types.NestedField column : keySchema.columns()) {
        row.setField(column.name(), record.getField(column.name()));
      }
      distinct.add(row);
    }
  }
}
