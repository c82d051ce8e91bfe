package dev.narwhal.lance.storage;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * An object in the making. Bytes are appended; the object appears, whole, when {@link #finish} is
 * called, and not at all when the writer is closed before. One thread.
 */
public interface ObjectWriter extends Closeable {
  /** The path it will have, for messages. */
  String path();

  /** Bytes appended so far. */
  long sizeBytes();

  /** Appends the bytes from position to limit; position and limit stay. */
  void write(ByteBuffer bytes) throws IOException;

  /**
   * Makes the object appear, in place of one that may be there. Nothing can be written after it,
   * also when it failed.
   */
  void finish() throws IOException;

  /** Drops what was written unless {@link #finish} was called. Closing twice does nothing. */
  @Override
  void close() throws IOException;
}
