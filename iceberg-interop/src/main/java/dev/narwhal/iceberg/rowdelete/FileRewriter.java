package dev.narwhal.iceberg.rowdelete;

import dev.narwhal.iceberg.table.CreatedFiles;
import dev.narwhal.puffin.PositionSet;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.data.GenericFileWriterFactory;
import org.apache.iceberg.data.IdentityPartitionConverters;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.parquet.GenericParquetReaders;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.io.RollingDataWriter;
import org.apache.iceberg.parquet.Parquet;
import org.apache.iceberg.util.PartitionUtil;
import org.apache.iceberg.util.PropertyUtil;

/**
 * Writes the rows of a data file that stay alive into a new one. In format version 3 rows keep
 * their row ids and the sequence numbers of their last updates (spec, "Row Lineage"). Safe for use
 * by many threads.
 */
final class FileRewriter {
  private static final int FIRST_VERSION_WITH_LINEAGE = 3;

  private final Table table;
  private final CreatedFiles created;
  private final OutputFileFactory files;
  private final Schema schema;

  FileRewriter(Table table, CreatedFiles created) {
    this.table = table;
    this.created = created;
    this.files =
        OutputFileFactory.builderFor(table, 0, 0)
            .format(FileFormat.PARQUET)
            .ioSupplier(() -> created)
            .build();
    this.schema =
        TableUtil.formatVersion(table) >= FIRST_VERSION_WITH_LINEAGE
            ? MetadataColumns.schemaWithRowLineage(table.schema())
            : table.schema();
  }

  /** The files that take the place of the match's data file; none where no row is left. */
  List<DataFile> rewrite(FileMatch match) throws IOException {
    if (match.isWhole()) {
      return List.of();
    }
    PositionSet dropped = match.after();
    RollingDataWriter<Record> writer =
        new RollingDataWriter<>(
            new GenericFileWriterFactory.Builder(table)
                .dataFileFormat(FileFormat.PARQUET)
                .dataSchema(schema)
                .build(),
            files,
            created,
            PropertyUtil.propertyAsLong(
                table.properties(),
                TableProperties.WRITE_TARGET_FILE_SIZE_BYTES,
                TableProperties.WRITE_TARGET_FILE_SIZE_BYTES_DEFAULT),
            match.task().spec(),
            match.dataFile().partition());
    try (writer;
        CloseableIterable<Record> records = open(match.task())) {
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

  private CloseableIterable<Record> open(FileScanTask task) {
    Map<Integer, ?> constants =
        PartitionUtil.constantsMap(task, IdentityPartitionConverters::convertConstant);
    return Parquet.read(table.io().newInputFile(task.file().location()))
        .project(schema)
        .createReaderFunc(
            fileSchema -> GenericParquetReaders.buildReader(schema, fileSchema, constants))
        .reuseContainers()
        .build();
  }
}
