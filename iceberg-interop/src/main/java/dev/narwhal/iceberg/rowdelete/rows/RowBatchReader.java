package dev.narwhal.iceberg.rowdelete.rows;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.Schema;
import org.apache.iceberg.parquet.VectorizedReader;
import org.apache.iceberg.types.Types;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.apache.parquet.schema.MessageType;

/**
 * Fills a {@link RowBatch} from the pages that Iceberg's Parquet reader finds: plain columns value
 * by value without an object each, the others through its generic reader.
 */
final class RowBatchReader implements VectorizedReader<RowBatch> {
  /** Fills columns of the rows that come next. */
  interface ColumnSource {
    void setPageSource(PageReadStore rowGroup);

    /** Puts the live ones of the next rows into vectors. */
    void fill(RowBatch batch);
  }

  private final RowBatch batch;
  private final List<ColumnSource> sources;
  private long position;

  private RowBatchReader(RowBatch batch, List<ColumnSource> sources) {
    this.batch = batch;
    this.sources = sources;
  }

  /**
   * @param file the file's schema, with field ids
   * @param constants by field id, values of columns that are the same in all rows
   */
  static RowBatchReader of(RowBatch batch, MessageType file, Map<Integer, ?> constants) {
    List<ColumnSource> sources = new ArrayList<>();
    List<Types.NestedField> others = new ArrayList<>();
    List<Integer> places = new ArrayList<>();
    List<Types.NestedField> columns = batch.schema().columns();
    for (int i = 0; i < columns.size(); i++) {
      Types.NestedField column = columns.get(i);
      Optional<PlainColumn> plain =
          constants.containsKey(column.fieldId())
              ? Optional.empty()
              : PlainColumn.of(column, file, batch.vector(i));
      if (plain.isPresent()) {
        sources.add(plain.get());
      } else {
        others.add(column);
        places.add(i);
      }
    }
    if (!others.isEmpty()) {
      sources.add(RecordColumns.of(new Schema(others), places, batch, file, constants));
    }
    return new RowBatchReader(batch, sources);
  }

  @Override
  public void setBatchSize(int size) {
    // the batch has its own
  }

  @Override
  public void setRowGroupInfo(PageReadStore pages, Map<ColumnPath, ColumnChunkMetaData> metadata) {
    position =
        pages
            .getRowIndexOffset()
            .orElseThrow(() -> new IllegalStateException("a row group without its first row"));
    sources.forEach(source -> source.setPageSource(pages));
  }

  @Override
  public RowBatch read(RowBatch reuse, int count) {
    batch.begin(position, count);
    for (ColumnSource source : sources) {
      source.fill(batch);
    }
    batch.end();
    position += count;
    return batch;
  }

  /** The batch is its owner's to close. */
  @Override
  public void close() {}
}
