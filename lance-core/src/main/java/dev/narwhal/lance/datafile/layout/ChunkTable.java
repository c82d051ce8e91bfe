package dev.narwhal.lance.datafile.layout;

import dev.narwhal.lance.error.LanceFormatException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Where the chunks of a mini-block page are, and which values they hold. One word a chunk:
 *
 * <pre>
 * u16   low 4 bits: log2 of the values   high 12 bits: bytes / 8 - 1
 * u32   low 4 bits: log2 of the values   high 28 bits: bytes / 8 - 1
 * </pre>
 *
 * <p>The last chunk has what is left of the values, whatever its low bits say. Immutable. Source:
 * file format sheet 4.2.
 */
final class ChunkTable {
  /** Sane cap on the values of the last chunk; writers stay far below. */
  private static final long MAX_VALUES = 1 << 16;

  /** First byte of each chunk, then the size of all. */
  private final long[] byteStarts;

  /** First value of each chunk, then the number of all. */
  private final long[] valueStarts;

  private ChunkTable(long[] byteStarts, long[] valueStarts) {
    this.byteStarts = byteStarts;
    this.valueStarts = valueStarts;
  }

  /**
   * @param words the whole metadata buffer
   * @param large whether words have 32 bits
   * @param values visible items of the page, {@code >= 1}
   * @param dataBytes size of the buffer of chunks, which they must fill
   */
  static ChunkTable decode(ByteBuffer words, boolean large, long values, long dataBytes) {
    ByteBuffer in = words.slice().order(ByteOrder.LITTLE_ENDIAN);
    int wordBytes = large ? Integer.BYTES : Short.BYTES;
    int chunks = in.remaining() / wordBytes;
    if (chunks == 0 || in.remaining() % wordBytes != 0) {
      throw new LanceFormatException(
          "chunk words of " + wordBytes + " bytes in " + in.remaining() + " bytes");
    }
    long[] byteStarts = new long[chunks + 1];
    long[] valueStarts = new long[chunks + 1];
    for (int chunk = 0; chunk < chunks; chunk++) {
      long word = large ? Integer.toUnsignedLong(in.getInt()) : Short.toUnsignedInt(in.getShort());
      byteStarts[chunk + 1] = byteStarts[chunk] + ((word >>> 4) + 1) * 8;
      valueStarts[chunk + 1] = valueStarts[chunk] + (1L << (word & 15));
    }
    long before = valueStarts[chunks - 1];
    valueStarts[chunks] = values;
    if (values <= before || values - before > MAX_VALUES) {
      throw new LanceFormatException(
          before + " values before the last of " + chunks + " chunks, " + values + " in all");
    }
    if (byteStarts[chunks] != dataBytes) {
      throw new LanceFormatException(
          "chunks of " + byteStarts[chunks] + " bytes in a buffer of " + dataBytes);
    }
    return new ChunkTable(byteStarts, valueStarts);
  }

  /** Number of chunks. */
  int count() {
    return byteStarts.length - 1;
  }

  /** The chunk that holds a value of the page. */
  int chunkOf(long value) {
    int found = Arrays.binarySearch(valueStarts, value);
    return found >= 0 ? found : -found - 2;
  }

  long byteStart(int chunk) {
    return byteStarts[chunk];
  }

  long byteEnd(int chunk) {
    return byteStarts[chunk + 1];
  }

  long firstValue(int chunk) {
    return valueStarts[chunk];
  }

  /** One past the chunk's last value. */
  long endValue(int chunk) {
    return valueStarts[chunk + 1];
  }

  /** 1 to 2^16. */
  int values(int chunk) {
    return (int) (valueStarts[chunk + 1] - valueStarts[chunk]);
  }
}
