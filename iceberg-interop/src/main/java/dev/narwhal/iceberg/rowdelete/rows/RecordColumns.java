package dev.narwhal.iceberg.rowdelete.rows;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.data.parquet.InternalReader;
import org.apache.iceberg.parquet.ParquetValueReader;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.schema.MessageType;

/** Columns of any kind, through Iceberg's generic reader, row by row. */
final class RecordColumns implements RowBatchReader.ColumnSource {
  private final ParquetValueReader<StructLike> records;
  private final List<ValueSetter> setters;

  private RecordColumns(ParquetValueReader<StructLike> records, List<ValueSetter> setters) {
    this.records = records;
    this.setters = setters;
  }

  /**
   * @param columns to read
   * @param places where in the batch they are
   */
  static RecordColumns of(
      Schema columns,
      List<Integer> places,
      RowBatch batch,
      MessageType file,
      Map<Integer, ?> constants) {
    List<ValueSetter> setters = new ArrayList<>();
    for (int i = 0; i < places.size(); i++) {
      setters.add(ValueSetter.of(columns.columns().get(i).type(), batch.vector(places.get(i))));
    }
    return new RecordColumns(InternalReader.create(columns, file, constants), setters);
  }

  @Override
  public void setPageSource(PageReadStore rowGroup) {
    records.setPageSource(rowGroup);
  }

  @Override
  public void fill(RowBatch batch) {
    StructLike record = null;
    int row = 0;
    for (int i = 0; i < batch.rowsRead(); i++) {
      record = records.read(record);
      if (batch.isLive(i)) {
        for (int column = 0; column < setters.size(); column++) {
          setters.get(column).set(row, record.get(column, Object.class));
        }
        row++;
      }
    }
  }
}
