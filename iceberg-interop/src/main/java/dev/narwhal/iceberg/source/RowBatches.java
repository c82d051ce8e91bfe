package dev.narwhal.iceberg.source;

import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import org.apache.arrow.vector.VectorSchemaRoot;

/** Rows, batch after batch. For one thread. */
public interface RowBatches extends Closeable {
  /**
   * The next batch, or empty after the last. It stays owned by this object and is there until the
   * next call, or until {@link #close}.
   */
  Optional<VectorSchemaRoot> next() throws IOException;
}
