package dev.narwhal.cli.rows;

import dev.narwhal.cli.source.JsonReader;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.parquet.GenericParquetReaders;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.mapping.MappingUtil;
import org.apache.iceberg.parquet.Parquet;

/** Rows of files as records of an Iceberg table. */
public final class SourceRecords {
  private SourceRecords() {}

  /**
   * Opens a file. Columns are found by name; one that the file lacks is null in every row.
   *
   * @param file JSON lines ({@code .jsonl}, {@code .ndjson}, {@code .json}) or Parquet ({@code
   *     .parquet})
   * @throws UnsupportedFeatureException if its name ends in none of these
   */
  public static CloseableIterable<Record> open(Path file, Schema schema) throws IOException {
    if (!Files.exists(file)) {
      throw new NoSuchFileException(file.toString());
    }
    String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
    if (name.endsWith(".parquet")) {
      return Parquet.read(org.apache.iceberg.Files.localInput(file.toFile()))
          .project(schema)
          .withNameMapping(MappingUtil.create(schema))
          .createReaderFunc(fileSchema -> GenericParquetReaders.buildReader(schema, fileSchema))
          .build();
    }
    if (name.endsWith(".jsonl") || name.endsWith(".ndjson") || name.endsWith(".json")) {
      JsonReader rows = JsonReader.open(file);
      return CloseableIterable.combine(() -> new JsonRecords(file, rows, schema), rows);
    }
    throw new UnsupportedFeatureException(
        "rows from " + file + ": the file must be JSON lines (.jsonl) or Parquet (.parquet)");
  }
}
