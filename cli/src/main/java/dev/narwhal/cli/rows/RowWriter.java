package dev.narwhal.cli.rows;

import java.io.Closeable;
import java.io.IOException;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Writes rows, a batch at a time, to a stream that stays the caller's: closing ends the format (a
 * trailer, what is buffered) and neither flushes nor closes the stream.
 */
public interface RowWriter extends Closeable {
  /** Writes all rows of a batch. Every batch has the schema the writer was made for. */
  void write(VectorSchemaRoot batch) throws IOException;
}
