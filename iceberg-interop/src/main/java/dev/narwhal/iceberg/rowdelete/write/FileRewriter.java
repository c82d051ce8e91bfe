package dev.narwhal.iceberg.rowdelete.write;

import dev.narwhal.iceberg.rowdelete.plan.RowDelete;
import dev.narwhal.iceberg.table.CreatedFiles;
import dev.narwhal.iceberg.table.FileSizes;
import dev.narwhal.puffin.PositionSet;
import java.io.IOException;
import java.util.List;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.data.GenericFileWriterFactory;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.io.RollingDataWriter;

/**
 * Writes the rows of a data file that stay alive into a new one, by their positions, in their
 * order: what every earlier delete took stays away. The new file has the partition and the sort
 * order of the old one. From format version 3 on, rows keep their row ids and the sequence numbers
 * of their last updates (spec, "Row Lineage"). Safe for use by many threads.
 */
public final class FileRewriter {
  private static final int FIRST_VERSION_WITH_LINEAGE = 3;

  private final Table table;
  private final CreatedFiles created;
  private final OutputFileFactory files;
  private final Schema schema;
  private final RecordRows rows;

  public FileRewriter(Table table, CreatedFiles created) {
    this.table = table;
    this.created = created;
    this.files =
        OutputFileFactory.builderFor(table, 0, 0)
            .format(FileFormat.PARQUET)
            .ioSupplier(() -> created)
            .build();
    this.schema = writtenSchema(table);
    this.rows = new RecordRows(table);
  }

  /** The columns of a data file: the table's, with row lineage where it has any. */
  static Schema writtenSchema(Table table) {
    return TableUtil.formatVersion(table) >= FIRST_VERSION_WITH_LINEAGE
        ? MetadataColumns.schemaWithRowLineage(table.schema())
        : table.schema();
  }

  /** The files that take the place of a data file; none where no row is left. */
  public List<DataFile> rewrite(RowDelete file) throws IOException {
    if (file.wholeFile()) {
      return List.of();
    }
    PositionSet dropped = file.after();
    RollingDataWriter<Record> writer = writer(file);
    try (writer;
        CloseableIterable<Record> records = rows.open(file.task(), schema)) {
      long position = 0;
      for (Record record : records) {
        if (!dropped.contains(position)) {
          writer.write(record);
        }
        position++;
      }
    }
    return writer.result().dataFiles();
  }

  private RollingDataWriter<Record> writer(RowDelete file) {
    Integer sortOrderId = file.dataFile().sortOrderId();
    SortOrder sortOrder = sortOrderId == null ? null : table.sortOrders().get(sortOrderId);
    return new RollingDataWriter<>(
        new GenericFileWriterFactory.Builder(table)
            .dataFileFormat(FileFormat.PARQUET)
            .dataSchema(schema)
            .dataSortOrder(sortOrder == null ? SortOrder.unsorted() : sortOrder)
            .build(),
        files,
        created,
        FileSizes.ofData(table),
        file.task().spec(),
        file.dataFile().partition());
  }
}
