package dev.narwhal.lance.write.merge;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Reads what a {@link SpillWriter} wrote, from the beginning. One thread. */
final class SpillReader implements Closeable {
  private static final int BUFFER_BYTES = 1 << 16;

  private final Path path;
  private final FileChannel file;
  private final ByteBuffer buffer =
      ByteBuffer.allocate(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN).limit(0);

  SpillReader(Path path) throws IOException {
    this.path = path;
    this.file = FileChannel.open(path, StandardOpenOption.READ);
  }

  /** Whether something follows. */
  boolean hasMore() throws IOException {
    return buffer.hasRemaining() || fill(1);
  }

  long getLong() throws IOException {
    require(Long.BYTES);
    return buffer.getLong();
  }

  int getInt() throws IOException {
    require(Integer.BYTES);
    return buffer.getInt();
  }

  void get(byte[] bytes, int start, int length) throws IOException {
    int done = 0;
    while (done < length) {
      require(1);
      int part = Math.min(length - done, buffer.remaining());
      buffer.get(bytes, start + done, part);
      done += part;
    }
  }

  private void require(int bytes) throws IOException {
    if (buffer.remaining() < bytes && !fill(bytes)) {
      throw new EOFException(path + ": a temporary file of this merge ends too early");
    }
  }

  private boolean fill(int bytes) throws IOException {
    buffer.compact();
    int read = 0;
    while (read >= 0 && buffer.position() < bytes) {
      read = file.read(buffer);
    }
    buffer.flip();
    return buffer.remaining() >= bytes;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
