package dev.narwhal.lance.storage;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Positional reads of one file, by many threads over one channel.
 *
 * <p>The JDK closes a channel when a thread is interrupted in it. That thread gets {@link
 * ClosedByInterruptException}; the others must not suffer, so whoever finds the channel closed
 * opens the file again.
 */
final class LocalObjectReader implements ObjectReader {
  /** The JDK copies a heap read through a direct buffer of its size and keeps that per thread. */
  private static final int MAX_HEAP_READ_BYTES = 1 << 20;

  private final Path file;
  private final long sizeBytes;
  private volatile FileChannel channel;
  private boolean closed;

  LocalObjectReader(Path file) throws IOException {
    this.file = file;
    FileChannel opened = FileChannel.open(file, StandardOpenOption.READ);
    try {
      this.sizeBytes = opened.size();
    } catch (IOException e) {
      opened.close();
      throw e;
    }
    this.channel = opened;
  }

  @Override
  public String path() {
    return file.toString();
  }

  @Override
  public long sizeBytes() {
    return sizeBytes;
  }

  @Override
  public void readFully(long position, ByteBuffer target) throws IOException {
    if (position < 0) {
      throw new IllegalArgumentException("position must not be negative: " + position);
    }
    int limit = target.limit();
    try {
      long at = position;
      while (target.position() < limit) {
        if (!target.isDirect()) {
          target.limit(Math.min(limit, target.position() + MAX_HEAP_READ_BYTES));
        }
        int read = read(target, at);
        if (read < 0) {
          throw new EOFException(
              file
                  + ": ends at byte "
                  + at
                  + ", "
                  + (limit - target.position())
                  + " bytes before the end of a read at "
                  + position);
        }
        at += read;
        target.limit(limit);
      }
    } finally {
      target.limit(limit);
    }
  }

  @Override
  public void close() throws IOException {
    synchronized (this) {
      closed = true;
    }
    channel.close();
  }

  private int read(ByteBuffer target, long position) throws IOException {
    while (true) {
      FileChannel current = channel;
      try {
        return current.read(target, position);
      } catch (ClosedByInterruptException e) {
        throw e;
      } catch (ClosedChannelException e) {
        reopen(current, e);
      }
    }
  }

  private synchronized void reopen(FileChannel dead, ClosedChannelException cause)
      throws IOException {
    if (closed) {
      throw cause;
    }
    if (channel != dead) {
      return;
    }
    FileChannel opened = FileChannel.open(file, StandardOpenOption.READ);
    if (opened.size() != sizeBytes) {
      opened.close();
      throw new FileSystemException(file.toString(), null, "was replaced while it was being read");
    }
    channel = opened;
  }
}
