package dev.narwhal.iceberg.rowdelete.write;

import dev.narwhal.iceberg.table.CreatedFiles;
import dev.narwhal.iceberg.table.FileSizes;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionKey;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.GenericFileWriterFactory;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.InternalRecordWrapper;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.FanoutDataWriter;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.types.Types;

/**
 * Writes rows into data files of the table's current spec, each to its partition, in files of
 * {@code write.target-file-size-bytes}. For one thread.
 */
public final class NewRows implements Closeable {
  private final Table table;
  private final PartitionSpec spec;
  private final PartitionKey partition;
  private final InternalRecordWrapper internal;
  private final FanoutDataWriter<Record> writer;
  private final Record wide;
  private long rows;

  /** For rows that are new. */
  public static NewRows of(Table table, CreatedFiles created) {
    return new NewRows(table, table.schema(), created);
  }

  /** For rows that come with their lineage, where the table has any. */
  public static NewRows withLineage(Table table, CreatedFiles created) {
    return new NewRows(table, FileRewriter.writtenSchema(table), created);
  }

  private NewRows(Table table, Schema schema, CreatedFiles created) {
    this.table = table;
    this.spec = table.spec();
    this.wide = GenericRecord.create(schema);
    this.partition = new PartitionKey(spec, schema);
    this.internal = new InternalRecordWrapper(schema.asStruct());
    this.writer =
        new FanoutDataWriter<>(
            new GenericFileWriterFactory.Builder(table)
                .dataFileFormat(FileFormat.PARQUET)
                .dataSchema(schema)
                .build(),
            OutputFileFactory.builderFor(table, 0, 0)
                .format(FileFormat.PARQUET)
                .ioSupplier(() -> created)
                .build(),
            created,
            FileSizes.ofData(table));
  }

  /**
   * Writes a row.
   *
   * @param row with the table's columns in their order, and its lineage if there is any and the row
   *     is not new; it may be used again
   * @throws IllegalArgumentException if a required column is null
   */
  public void add(Record row) {
    List<Types.NestedField> columns = table.schema().columns();
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).isRequired() && row.get(i) == null) {
        throw new IllegalArgumentException(
            "row " + rows + " has no value for the required column " + columns.get(i).name());
      }
    }
    Record written = row.size() == wide.size() ? row : widened(row);
    partition.partition(internal.wrap(written));
    writer.write(written, spec, spec.isUnpartitioned() ? null : partition);
    rows++;
  }

  /** A new row: its lineage is given to it when it is committed. */
  private Record widened(Record row) {
    for (int i = 0; i < row.size(); i++) {
      wide.set(i, row.get(i));
    }
    return wide;
  }

  /** Rows added so far. */
  public long rows() {
    return rows;
  }

  /** Ends the files. */
  public List<DataFile> finish() throws IOException {
    writer.close();
    return writer.result().dataFiles();
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }
}
