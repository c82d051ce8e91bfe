package dev.narwhal.lance.write.merge;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Appends numbers and bytes, little-endian, to a temporary file of this process. One thread. */
final class SpillWriter implements Closeable {
  private static final int BUFFER_BYTES = 1 << 15;

  private final FileChannel file;
  private final ByteBuffer buffer =
      ByteBuffer.allocate(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN);

  SpillWriter(Path path) throws IOException {
    this.file = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  void putLong(long value) throws IOException {
    if (buffer.remaining() < Long.BYTES) {
      flush();
    }
    buffer.putLong(value);
  }

  void putInt(int value) throws IOException {
    if (buffer.remaining() < Integer.BYTES) {
      flush();
    }
    buffer.putInt(value);
  }

  void put(byte[] bytes, int start, int length) throws IOException {
    int done = 0;
    while (done < length) {
      if (!buffer.hasRemaining()) {
        flush();
      }
      int part = Math.min(length - done, buffer.remaining());
      buffer.put(bytes, start + done, part);
      done += part;
    }
  }

  /** Hands everything to the file. */
  void flush() throws IOException {
    buffer.flip();
    while (buffer.hasRemaining()) {
      file.write(buffer);
    }
    buffer.clear();
  }

  /** Closes the file; what was not flushed is lost. */
  @Override
  public void close() throws IOException {
    file.close();
  }
}
