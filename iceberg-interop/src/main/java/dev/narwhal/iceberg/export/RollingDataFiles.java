package dev.narwhal.iceberg.export;

import dev.narwhal.iceberg.parquet.ArrowRowWriter;
import dev.narwhal.iceberg.parquet.ArrowRows;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.parquet.Parquet;
import org.apache.iceberg.util.PropertyUtil;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows as Parquet, beginning another file when one has reached {@code
 * write.target-file-size-bytes}. Remembers which rows went into which file. For one thread.
 */
final class RollingDataFiles implements Closeable {
  /** Asking a Parquet writer for its size costs about as much as a row. */
  private static final int ROWS_BETWEEN_CHECKS = 1024;

  private final Table table;
  private final OutputFileFactory files;
  private final ArrowRows rows;
  private final long targetBytes;
  private final List<WrittenFile> written = new ArrayList<>();
  private @Nullable DataWriter<ArrowRows> writer;
  private long rowsInFile;
  private long startRow;

  RollingDataFiles(Table table, OutputFileFactory files, ArrowRows rows) {
    this.table = table;
    this.files = files;
    this.rows = rows;
    this.targetBytes =
        PropertyUtil.propertyAsLong(
            table.properties(),
            TableProperties.WRITE_TARGET_FILE_SIZE_BYTES,
            TableProperties.WRITE_TARGET_FILE_SIZE_BYTES_DEFAULT);
  }

  /**
   * Writes the row in hand.
   *
   * @param offset its row offset in the fragment, larger than that of the row before
   */
  void write(long offset) throws IOException {
    DataWriter<ArrowRows> current = writer;
    if (current == null) {
      current = open();
      this.writer = current;
    }
    current.write(rows);
    rowsInFile++;
    if (rowsInFile % ROWS_BETWEEN_CHECKS == 0 && current.length() >= targetBytes) {
      finish(offset + 1);
    }
  }

  /**
   * Ends the last file.
   *
   * @param endOffset number of rows of the fragment
   * @return the files, in row order
   */
  List<WrittenFile> finish(long endOffset) throws IOException {
    DataWriter<ArrowRows> current = writer;
    if (current != null) {
      this.writer = null;
      current.close();
      written.add(new WrittenFile(current.toDataFile(), startRow, endOffset));
      this.rowsInFile = 0;
      this.startRow = endOffset;
    }
    return List.copyOf(written);
  }

  private DataWriter<ArrowRows> open() throws IOException {
    return Parquet.writeData(files.newOutputFile())
        .forTable(table)
        .createWriterFunc(type -> new ArrowRowWriter(rows, table.schema(), type))
        .withSpec(PartitionSpec.unpartitioned())
        .overwrite()
        .build();
  }

  /** Lets go of a file that was not finished; it is left to {@code CreatedFiles} to delete. */
  @Override
  public void close() throws IOException {
    DataWriter<ArrowRows> abandoned = writer;
    if (abandoned != null) {
      this.writer = null;
      abandoned.close();
    }
  }
}
