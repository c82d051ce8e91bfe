package dev.narwhal.cli.source;

import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.write.RowSource;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A file of rows: JSON lines ({@code .jsonl}, {@code .ndjson}, {@code .json}), CSV with a header
 * ({@code .csv}), Parquet ({@code .parquet}) or Arrow IPC, file or stream ({@code .arrow}, {@code
 * .arrows}, {@code .feather}, {@code .ipc}). It is streamed: memory holds one batch.
 */
public final class SourceFile {
  private final Path file;
  private final Format format;

  private enum Format {
    JSON,
    CSV,
    PARQUET,
    ARROW
  }

  private SourceFile(Path file, Format format) {
    this.file = file;
    this.format = format;
  }

  /**
   * The file at a path.
   *
   * @throws FileSystemException when there is none, or it is none
   * @throws UnsupportedFeatureException when its name does not tell what is in it
   */
  public static SourceFile at(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw notAFile(file);
    }
    String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
    String extension = name.substring(name.lastIndexOf('.') + 1);
    return new SourceFile(
        file,
        switch (extension) {
          case "jsonl", "ndjson", "json" -> Format.JSON;
          case "csv" -> Format.CSV;
          case "parquet" -> Format.PARQUET;
          case "arrow", "arrows", "feather", "ipc" -> Format.ARROW;
          default ->
              throw new UnsupportedFeatureException(
                  "rows from "
                      + file
                      + ": its name must end in .jsonl, .csv, .parquet or .arrow, so that it is"
                      + " known what is in it");
        });
  }

  private static FileSystemException notAFile(Path file) {
    if (file.toString().equals("-")) {
      return new FileSystemException("-", null, "rows come from a file, not from standard input");
    }
    if (!Files.exists(file)) {
      return new NoSuchFileException(file.toString());
    }
    return new FileSystemException(
        file.toString(),
        null,
        Files.isDirectory(file)
            ? "a directory; rows come from one file"
            : "no regular file; rows are read from a file, which may be read twice");
  }

  /**
   * The rows for a table. JSON values become what the table's columns hold, and a column that a row
   * lacks is null; of CSV and Parquet the columns that the file has. Parquet values are converted
   * where nothing is lost. Arrow vectors stay as they are. A column that the table does not have is
   * given as the file has it.
   *
   * @param table schema of the table, blobs as bytes
   */
  public RowSource open(Schema table, BufferAllocator allocator) throws IOException {
    return open(allocator, table);
  }

  /**
   * The rows for a new table, whose schema the file tells, or its values: in JSON integers are
   * int64, other numbers float64, text utf8; in CSV so too, as far as all values of a column can be
   * read as such.
   *
   * @throws IllegalArgumentException when the values do not tell, or contradict each other
   */
  public RowSource open(BufferAllocator allocator) throws IOException {
    return open(allocator, null);
  }

  private RowSource open(BufferAllocator allocator, @Nullable Schema table) throws IOException {
    return switch (format) {
      case JSON -> {
        Schema schema = table == null ? InferredSchema.ofJson(file) : table;
        yield FilledRows.of(file, schema, JsonLines.open(file, schema), allocator);
      }
      case CSV -> {
        Schema schema = table == null ? InferredSchema.ofCsv(file) : CsvLines.schema(file, table);
        yield FilledRows.of(file, schema, CsvLines.open(file, schema), allocator);
      }
      case PARQUET -> ParquetRows.open(file, table, allocator);
      case ARROW -> ArrowFile.open(file, allocator);
    };
  }
}
