package dev.narwhal.lance.storage;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** One immutable object, open for ranged reads. Safe for use by many threads. */
public interface ObjectReader extends Closeable {
  /** The path it was opened with, for messages. */
  String path();

  long sizeBytes();

  /**
   * Fills {@code target} from its position to its limit with the bytes at {@code position}. Short
   * of bytes it throws {@link java.io.EOFException}. {@code target} may be direct or on the heap.
   */
  void readFully(long position, ByteBuffer target) throws IOException;
}
