package dev.narwhal.lance.write;

import java.io.Closeable;
import java.io.IOException;
import java.util.Iterator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Rows that come from outside, batch by batch, once. One thread. Whoever made it closes it.
 *
 * <p>A source that fails throws; the write that reads it then leaves nothing behind.
 */
public interface RowSource extends Closeable {
  /** What every batch looks like; a field with a dictionary has the type of its indices. */
  Schema schema() throws IOException;

  /** The dictionaries of the current batch. */
  DictionaryProvider dictionaries();

  /**
   * Moves to the next batch, which may be empty.
   *
   * @return whether there is one
   */
  boolean next() throws IOException;

  /** The batch that {@link #next} found; it stays the source's, and is valid until the next one. */
  VectorSchemaRoot batch() throws IOException;

  /** The batches of a reader, which is closed with the source. */
  static RowSource of(ArrowReader reader) {
    return new RowSources.OfReader(reader);
  }

  /**
   * Batches without dictionaries, one after the other; each is closed when the next is asked for.
   * What the iterator has not given when the source is closed stays the caller's.
   */
  static RowSource of(Schema schema, Iterator<VectorSchemaRoot> batches) {
    return new RowSources.OfBatches(schema, batches);
  }

  /** One batch without dictionaries, which stays the caller's. */
  static RowSource of(VectorSchemaRoot batch) {
    return new RowSources.OfBatch(batch);
  }
}
