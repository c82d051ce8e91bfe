package dev.narwhal.lance.datafile.page;

import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.storage.ObjectReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * The buffers of one page: ranges of the file, each checked to lie inside it. An index or range
 * that a page does not have is a {@link LanceFormatException}, since it comes from the file. Safe
 * for use by many threads.
 */
public final class PageBuffers {
  private final ObjectReader reader;
  private final List<ByteRange> buffers;

  public PageBuffers(ObjectReader reader, List<ByteRange> buffers) {
    this.reader = reader;
    this.buffers = List.copyOf(buffers);
  }

  public int count() {
    return buffers.size();
  }

  public long sizeBytes(int buffer) {
    return range(buffer).sizeBytes();
  }

  /** Size of all buffers together. */
  public long totalBytes() {
    return buffers.stream().mapToLong(ByteRange::sizeBytes).sum();
  }

  /** A whole buffer, on the heap, little-endian. For small ones that a decoder keeps. */
  public ByteBuffer read(int buffer) throws IOException {
    return read(buffer, 0, sizeBytes(buffer));
  }

  /** Part of a buffer, on the heap, little-endian. */
  public ByteBuffer read(int buffer, long offset, long sizeBytes) throws IOException {
    checkRange(buffer, offset, sizeBytes);
    ByteBuffer target = ByteBuffer.allocate(length(buffer, sizeBytes));
    reader.readFully(buffers.get(buffer).position() + offset, target);
    return target.flip().order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Part of a buffer in the read memory of {@code scratch}: direct, little-endian, valid until the
   * next read into the same scratch.
   */
  public ByteBuffer read(int buffer, long offset, long sizeBytes, Scratch scratch)
      throws IOException {
    checkRange(buffer, offset, sizeBytes);
    ByteBuffer target = scratch.direct(length(buffer, sizeBytes));
    reader.readFully(buffers.get(buffer).position() + offset, target);
    return target.flip();
  }

  private ByteRange range(int buffer) {
    if (buffer < 0 || buffer >= buffers.size()) {
      throw new LanceFormatException(
          "page buffer " + buffer + " is missing: the page has " + buffers.size());
    }
    return buffers.get(buffer);
  }

  private void checkRange(int buffer, long offset, long sizeBytes) {
    long available = range(buffer).sizeBytes();
    if (offset < 0 || sizeBytes < 0 || offset > available - sizeBytes) {
      throw new LanceFormatException(
          "page buffer "
              + buffer
              + " has "
              + available
              + " bytes, expected "
              + sizeBytes
              + " at offset "
              + offset);
    }
  }

  private static int length(int buffer, long sizeBytes) {
    if (sizeBytes > Integer.MAX_VALUE - 8) {
      throw new UnsupportedFeatureException(
          "page buffer " + buffer + " needs " + sizeBytes + " bytes at once; 2 GiB is the limit");
    }
    return (int) sizeBytes;
  }
}
