package dev.narwhal.cli.source;

import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.write.RowSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.api.ReadSupport;
import org.apache.parquet.hadoop.example.GroupReadSupport;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.SeekableInputStream;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

/** Rows of a Parquet file. */
final class ParquetRows implements RowCursor {
  /** A guess, so that batches of wide rows stay small. */
  private final long rowBytes;

  private final Path file;
  private final ParquetReader<Group> reader;
  private @Nullable Group row;
  private long number;

  private ParquetRows(Path file, ParquetReader<Group> reader, long rowBytes) {
    this.file = file;
    this.reader = reader;
    this.rowBytes = rowBytes;
  }

  /** Parquet's messages name a file by its text. */
  private record NamedInput(Path file) implements InputFile {
    @Override
    public long getLength() throws IOException {
      return new LocalInputFile(file).getLength();
    }

    @Override
    public SeekableInputStream newStream() throws IOException {
      return new LocalInputFile(file).newStream();
    }

    @Override
    public String toString() {
      return file.toString();
    }
  }

  private static final class Builder extends ParquetReader.Builder<Group> {
    Builder(InputFile file) {
      super(file, new PlainParquetConfiguration());
    }

    @Override
    protected ReadSupport<Group> getReadSupport() {
      return new GroupReadSupport();
    }
  }

  /**
   * The rows of a file.
   *
   * @param table gives columns it has their types; null takes all types from the file
   */
  static RowSource open(Path file, @Nullable Schema table, BufferAllocator allocator)
      throws IOException {
    InputFile input = new NamedInput(file);
    MessageType schema;
    long rows;
    long bytes = 0;
    try (ParquetFileReader metadata =
        ParquetFileReader.open(
            input, ParquetReadOptions.builder(new PlainParquetConfiguration()).build())) {
      schema = metadata.getFileMetaData().getSchema();
      rows = metadata.getRecordCount();
      for (BlockMetaData block : metadata.getRowGroups()) {
        bytes += block.getTotalByteSize();
        block.getColumns().forEach(ParquetRows::requireCodec);
      }
    } catch (IOException | RuntimeException e) {
      throw PlacedRows.failure(file, "", e);
    }
    Schema arrow = arrow(file, schema, table);
    ParquetReader<Group> reader = new Builder(input).build();
    return FilledRows.of(
        file, arrow, new ParquetRows(file, reader, rows == 0 ? 0 : bytes / rows), allocator);
  }

  private static void requireCodec(ColumnChunkMetaData column) {
    CompressionCodecName codec = column.getCodec();
    if (codec == CompressionCodecName.BROTLI || codec == CompressionCodecName.LZO) {
      throw new UnsupportedFeatureException(
          "column '%s': Parquet pages compressed with %s; write the file with zstd, snappy, gzip,"
                  .formatted(column.getPath().toDotString(), codec)
              + " lz4_raw or none");
    }
  }

  private static Schema arrow(Path file, MessageType schema, @Nullable Schema table) {
    List<Field> fields = new ArrayList<>();
    for (Type type : schema.getFields()) {
      Field field = table == null ? null : find(table, type.getName());
      try {
        fields.add(field == null ? ParquetTypes.field(type) : field);
      } catch (UnsupportedFeatureException e) {
        throw e.in(file + ": column '" + type.getName() + "'");
      }
    }
    return new Schema(fields);
  }

  private static @Nullable Field find(Schema table, String name) {
    for (Field field : table.getFields()) {
      if (field.getName().equals(name)) {
        return field;
      }
    }
    return null;
  }

  @Override
  public boolean next() throws IOException {
    try {
      row = reader.read();
    } catch (IOException | RuntimeException e) {
      throw PlacedRows.failure(file, "after row " + number + ": ", e);
    }
    number++;
    return row != null;
  }

  @Override
  public @Nullable Object value(int column) throws IOException {
    Group current = row;
    if (current == null) {
      throw new IllegalStateException("no row: call next() first");
    }
    try {
      return ParquetValues.of(current, column);
    } catch (BadValueException e) {
      throw e;
    } catch (RuntimeException e) {
      throw PlacedRows.failure(file, "row " + number + ": ", e);
    }
  }

  @Override
  public String place() {
    return "row " + number;
  }

  @Override
  public long sizeBytes() {
    return rowBytes;
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
