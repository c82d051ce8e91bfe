package dev.narwhal.conformance;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Schema;
import org.lance.Dataset;
import org.lance.WriteDatasetBuilder;
import org.lance.WriteParams.WriteMode;

/**
 * Has real Lance write a dataset.
 *
 * <p>Each fragment is one batch and one commit: the first creates the dataset, the others are
 * appended, so that fragments may differ in size. Batches are built in freshly allocated buffers,
 * because real Lance ends the process on a decimal that is not aligned to 16 bytes. For the same
 * reason a timestamp's zone must hold no colon.
 *
 * @param storageVersion {@code 2.0}, {@code 2.1}, {@code 2.2}, or {@code 0.1}
 */
record JudgeWriter(Path dataset, String storageVersion, boolean stableRowIds) {

  /** Fills a fragment: allocates and sets its vectors and the number of rows. */
  @FunctionalInterface
  interface Filler {
    /**
     * Fills one fragment.
     *
     * @param batch empty vectors of the schema
     * @param fragment 0 for the first fragment that this call of {@link JudgeWriter} writes
     * @param rows to fill
     */
    void fill(VectorSchemaRoot batch, int fragment, int rows);
  }

  /**
   * Fills a fragment that has dictionary-encoded columns: their indices, and their dictionaries.
   */
  @FunctionalInterface
  interface DictionaryFiller {
    /**
     * Fills one fragment.
     *
     * @param batch empty vectors, of indices where the schema has a dictionary
     * @param dictionaries those of the schema's fields, with empty vectors
     * @param fragment 0 for the first fragment that this call of {@link JudgeWriter} writes
     * @param rows to fill
     */
    void fill(VectorSchemaRoot batch, DictionaryProvider dictionaries, int fragment, int rows);
  }

  /** A writer for {@code dataset} in {@code storageVersion}, without stable row ids. */
  static JudgeWriter at(Path dataset, String storageVersion) {
    return new JudgeWriter(dataset, storageVersion, false);
  }

  JudgeWriter withStableRowIds() {
    return new JudgeWriter(dataset, storageVersion, true);
  }

  /** Creates the dataset with fragments of these sizes; the newest version is their number. */
  void create(Schema schema, List<Integer> rowsPerFragment, Filler filler) {
    write(WriteMode.CREATE, schema, rowsPerFragment, withoutDictionaries(filler));
  }

  /** The same, with dictionaries. */
  void create(Schema schema, List<Integer> rowsPerFragment, DictionaryFiller filler) {
    write(WriteMode.CREATE, schema, rowsPerFragment, filler);
  }

  /** Appends fragments of these sizes, with a version for each. */
  void append(Schema schema, List<Integer> rowsPerFragment, Filler filler) {
    write(WriteMode.APPEND, schema, rowsPerFragment, withoutDictionaries(filler));
  }

  /** Replaces all rows, the first fragment, and appends the others. */
  void overwrite(Schema schema, List<Integer> rowsPerFragment, Filler filler) {
    write(WriteMode.OVERWRITE, schema, rowsPerFragment, withoutDictionaries(filler));
  }

  private static DictionaryFiller withoutDictionaries(Filler filler) {
    return (batch, dictionaries, fragment, rows) -> filler.fill(batch, fragment, rows);
  }

  private void write(WriteMode first, Schema schema, List<Integer> sizes, DictionaryFiller filler) {
    for (int i = 0; i < sizes.size(); i++) {
      int fragment = i;
      int rows = sizes.get(i);
      try (BufferAllocator allocator = new RootAllocator();
          ArrowReader reader =
              new OneBatch(
                  allocator,
                  schema,
                  (batch, dictionaries) -> filler.fill(batch, dictionaries, fragment, rows))) {
        WriteDatasetBuilder builder =
            Dataset.write()
                .allocator(allocator)
                .reader(reader)
                .uri(dataset.toString())
                .mode(i == 0 ? first : WriteMode.APPEND)
                .maxRowsPerFile(Math.max(rows, 1))
                .enableStableRowIds(stableRowIds)
                .dataStorageVersion(storageVersion);
        builder.execute().close();
      } catch (IOException e) {
        throw new IllegalStateException("a reader that reads nothing did not close", e);
      }
    }
  }

  /** Fills a batch. */
  @FunctionalInterface
  private interface BatchFiller {
    void fill(VectorSchemaRoot batch, DictionaryProvider dictionaries);
  }

  /** A stream of one batch that is built when it is asked for. */
  private static final class OneBatch extends ArrowReader {
    private final Schema schema;
    private final BatchFiller filler;
    private boolean read;

    OneBatch(BufferAllocator allocator, Schema schema, BatchFiller filler) {
      super(allocator);
      this.schema = schema;
      this.filler = filler;
    }

    @Override
    public boolean loadNextBatch() throws IOException {
      if (read) {
        return false;
      }
      prepareLoadNextBatch();
      VectorSchemaRoot batch = getVectorSchemaRoot();
      batch.getFieldVectors().forEach(FieldVector::clear);
      filler.fill(batch, this);
      read = true;
      return true;
    }

    @Override
    public long bytesRead() {
      return 0;
    }

    @Override
    protected void closeReadSource() {}

    @Override
    protected Schema readSchema() {
      return schema;
    }
  }
}
