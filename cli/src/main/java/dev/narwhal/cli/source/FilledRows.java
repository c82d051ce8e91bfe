package dev.narwhal.cli.source;

import dev.narwhal.lance.write.RowSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** Batches that are filled row by row. */
final class FilledRows implements RowSource {
  private static final int BATCH_ROWS = 8192;
  private static final long BATCH_BYTES = 16 << 20;

  private final Path file;
  private final RowCursor cursor;
  private final VectorSchemaRoot batch;
  private final DictionaryProvider dictionaries = new DictionaryProvider.MapDictionaryProvider();

  private FilledRows(Path file, RowCursor cursor, VectorSchemaRoot batch) {
    this.file = file;
    this.cursor = cursor;
    this.batch = batch;
  }

  /**
   * Batches of these columns.
   *
   * @param cursor closed with the source, or when this fails
   */
  static FilledRows of(Path file, Schema schema, RowCursor cursor, BufferAllocator allocator)
      throws IOException {
    try {
      return new FilledRows(file, cursor, VectorSchemaRoot.create(schema, allocator));
    } catch (RuntimeException e) {
      cursor.close();
      throw e;
    }
  }

  @Override
  public Schema schema() {
    return batch.getSchema();
  }

  @Override
  public DictionaryProvider dictionaries() {
    return dictionaries;
  }

  /**
   * Fills the next batch.
   *
   * @throws IllegalArgumentException for a value that does not fit its column; it names file, place
   *     and column
   */
  @Override
  public boolean next() throws IOException {
    List<FieldVector> vectors = batch.getFieldVectors();
    for (FieldVector vector : vectors) {
      vector.clear();
      vector.allocateNew();
    }
    int rows = 0;
    long bytes = 0;
    while (rows < BATCH_ROWS && bytes < BATCH_BYTES && cursor.next()) {
      for (int column = 0; column < vectors.size(); column++) {
        fill(vectors.get(column), rows, column);
      }
      bytes += cursor.sizeBytes();
      rows++;
    }
    batch.setRowCount(rows);
    return rows > 0;
  }

  private void fill(FieldVector vector, int row, int column) throws IOException {
    Field field = vector.getField();
    try {
      VectorFiller.set(vector, row, cursor.value(column));
    } catch (BadValueException e) {
      throw new IllegalArgumentException(
          "%s: %s, column '%s': %s"
              .formatted(file, cursor.place(), e.path(field.getName()), e.getMessage()),
          e);
    }
  }

  @Override
  public VectorSchemaRoot batch() {
    return batch;
  }

  @Override
  public void close() throws IOException {
    batch.close();
    cursor.close();
  }
}
