package dev.narwhal.iceberg.deletes;

import dev.narwhal.iceberg.table.FileSizes;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.data.GenericFileWriterFactory;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.deletes.DeleteGranularity;
import org.apache.iceberg.deletes.PositionDelete;
import org.apache.iceberg.io.FanoutPositionOnlyDeleteWriter;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.OutputFileFactory;

/**
 * Writes position deletes of format version 2: files of {@code (file_path, pos)}, sorted, one for
 * each data file or for each partition as {@code write.delete.granularity} says. A face of
 * Iceberg's own writer. For one thread.
 */
public final class PositionDeleteFiles implements Closeable {
  private final Map<Integer, PartitionSpec> specs;
  private final FanoutPositionOnlyDeleteWriter<Record> writer;
  private final PositionDelete<Record> delete = PositionDelete.create();

  /**
   * @param io through which the files are created
   */
  public PositionDeleteFiles(Table table, FileIO io) {
    DeleteGranularity granularity = granularity(table);
    long targetBytes = FileSizes.ofDeletes(table);
    FileFormat format = DeleteFormat.of(table);
    this.specs = table.specs();
    this.writer =
        new FanoutPositionOnlyDeleteWriter<>(
            new GenericFileWriterFactory.Builder(table).deleteFileFormat(format).build(),
            OutputFileFactory.builderFor(table, 0, 0)
                .format(format)
                .suffix("deletes")
                .ioSupplier(() -> io)
                .build(),
            io,
            targetBytes,
            granularity);
  }

  private static DeleteGranularity granularity(Table table) {
    String value =
        table
            .properties()
            .getOrDefault(
                TableProperties.DELETE_GRANULARITY, TableProperties.DELETE_GRANULARITY_DEFAULT);
    try {
      return DeleteGranularity.fromString(value);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "table property "
              + TableProperties.DELETE_GRANULARITY
              + ": '"
              + value
              + "' is none; set it to file or partition",
          e);
    }
  }

  /** Adds a row of a data file. */
  public void add(DataFile dataFile, long position) {
    if (position < 0 || position >= dataFile.recordCount()) {
      throw new IllegalArgumentException(
          "position "
              + position
              + " is not in the "
              + dataFile.recordCount()
              + " rows of "
              + dataFile.location());
    }
    delete.set(dataFile.location(), position);
    writer.write(delete, specs.get(dataFile.specId()), dataFile.partition());
  }

  /** Writes the files, which hold what was added and nothing else. */
  public List<DeleteFile> finish() throws IOException {
    writer.close();
    return writer.result().deleteFiles();
  }

  /** Lets go of files that were not finished. */
  @Override
  public void close() throws IOException {
    writer.close();
  }
}
