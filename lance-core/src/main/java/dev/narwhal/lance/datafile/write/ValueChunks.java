package dev.narwhal.lance.datafile.write;

import dev.narwhal.lance.datafile.codec.GrowingBytes;
import dev.narwhal.lance.datafile.layout.Encoding;
import java.util.Arrays;

/**
 * The values of a page, encoded in chunks. Each chunk has a power of two of them, the last may have
 * any number. A chunk has as many buffers as the encoding says, which lie one behind the other with
 * those of the other chunks. One thread.
 */
final class ValueChunks {
  private final Encoding encoding;
  private final GrowingBytes[] buffers;
  private int[] counts = new int[16];
  private int[] ends;
  private int size;

  /**
   * @param bufferCount buffers of each chunk
   */
  ValueChunks(Encoding encoding, int bufferCount) {
    this.encoding = encoding;
    this.buffers = new GrowingBytes[bufferCount];
    for (int i = 0; i < bufferCount; i++) {
      buffers[i] = new GrowingBytes(1 << 12);
    }
    this.ends = new int[16 * bufferCount];
  }

  Encoding encoding() {
    return encoding;
  }

  int bufferCount() {
    return buffers.length;
  }

  /** Where the buffers number {@code index} of all chunks are. */
  GrowingBytes buffer(int index) {
    return buffers[index];
  }

  /** What was appended to the buffers since the chunk before is a chunk of so many values. */
  void endChunk(int values) {
    if (size == counts.length) {
      counts = Arrays.copyOf(counts, 2 * size);
      ends = Arrays.copyOf(ends, 2 * ends.length);
    }
    for (int i = 0; i < buffers.length; i++) {
      ends[size * buffers.length + i] = buffers[i].size();
    }
    counts[size++] = values;
  }

  int chunks() {
    return size;
  }

  /** Values of a chunk. */
  int count(int chunk) {
    return counts[chunk];
  }

  /** Where a chunk's buffer starts. */
  int start(int chunk, int index) {
    return chunk == 0 ? 0 : ends[(chunk - 1) * buffers.length + index];
  }

  /** Bytes of a chunk's buffer. */
  int size(int chunk, int index) {
    return ends[chunk * buffers.length + index] - start(chunk, index);
  }

  /** Bytes of all chunks. */
  long sizeBytes() {
    long bytes = 0;
    for (GrowingBytes buffer : buffers) {
      bytes += buffer.size();
    }
    return bytes;
  }
}
