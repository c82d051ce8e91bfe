package dev.narwhal.lance.write;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.Iterator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.dictionary.DictionaryProvider.MapDictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/** The sources behind {@link RowSource}'s factories. */
final class RowSources {
  private static final DictionaryProvider NO_DICTIONARIES = new MapDictionaryProvider();

  private RowSources() {}

  private static IllegalStateException noBatch() {
    return new IllegalStateException("no batch: call next() first");
  }

  /** Of Arrow's own readers. */
  static final class OfReader implements RowSource {
    private final ArrowReader reader;
    private boolean loaded;

    OfReader(ArrowReader reader) {
      this.reader = requireNonNull(reader, "reader");
    }

    @Override
    public Schema schema() throws IOException {
      return reader.getVectorSchemaRoot().getSchema();
    }

    @Override
    public DictionaryProvider dictionaries() {
      return reader;
    }

    @Override
    public boolean next() throws IOException {
      loaded = reader.loadNextBatch();
      return loaded;
    }

    @Override
    public VectorSchemaRoot batch() throws IOException {
      if (!loaded) {
        throw noBatch();
      }
      return reader.getVectorSchemaRoot();
    }

    @Override
    public void close() throws IOException {
      reader.close();
    }
  }

  /** Of an iterator. */
  static final class OfBatches implements RowSource {
    private final Schema schema;
    private final Iterator<VectorSchemaRoot> batches;
    private @Nullable VectorSchemaRoot current;

    OfBatches(Schema schema, Iterator<VectorSchemaRoot> batches) {
      this.schema = requireNonNull(schema, "schema");
      this.batches = requireNonNull(batches, "batches");
    }

    @Override
    public Schema schema() {
      return schema;
    }

    @Override
    public DictionaryProvider dictionaries() {
      return NO_DICTIONARIES;
    }

    @Override
    public boolean next() {
      close();
      if (!batches.hasNext()) {
        return false;
      }
      current = requireNonNull(batches.next(), "batch");
      return true;
    }

    @Override
    public VectorSchemaRoot batch() {
      VectorSchemaRoot batch = current;
      if (batch == null) {
        throw noBatch();
      }
      return batch;
    }

    @Override
    public void close() {
      if (current != null) {
        current.close();
        current = null;
      }
    }
  }

  /** Of one batch of the caller's. */
  static final class OfBatch implements RowSource {
    private final VectorSchemaRoot batch;
    private int given;

    OfBatch(VectorSchemaRoot batch) {
      this.batch = requireNonNull(batch, "batch");
    }

    @Override
    public Schema schema() {
      return batch.getSchema();
    }

    @Override
    public DictionaryProvider dictionaries() {
      return NO_DICTIONARIES;
    }

    @Override
    public boolean next() {
      return given++ == 0;
    }

    @Override
    public VectorSchemaRoot batch() {
      if (given != 1) {
        throw noBatch();
      }
      return batch;
    }

    @Override
    public void close() {
      // the batch is the caller's
    }
  }
}
