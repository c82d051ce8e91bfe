package dev.narwhal.lance.datafile.layout;

import dev.narwhal.lance.datafile.page.PageBuffers;
import dev.narwhal.lance.error.LanceFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The repetition index of a full-zip page: where each row starts in the data, then the size of the
 * data. Entries have 1, 2, 4 or 8 bytes, little-endian. Source: file format sheet 4.7.
 */
final class RowPositions {
  private static final int INDEX_BUFFER = 1;

  /** Entries that are cheaper to read than to skip. */
  private static final int MAX_GAP_ENTRIES = 1024;

  private static final int MAX_READ_ENTRIES = 1 << 20;

  private final PageBuffers buffers;
  private final int width;
  private final long dataBytes;

  private RowPositions(PageBuffers buffers, int width, long dataBytes) {
    this.buffers = buffers;
    this.width = width;
    this.dataBytes = dataBytes;
  }

  /** Checks the ends of the index; what is between is checked when it is read. */
  static RowPositions open(PageBuffers buffers, long rows) throws IOException {
    long sizeBytes = buffers.sizeBytes(INDEX_BUFFER);
    long dataBytes = buffers.sizeBytes(0);
    long width = sizeBytes / (rows + 1);
    if (sizeBytes % (rows + 1) != 0 || (width != 1 && width != 2 && width != 4 && width != 8)) {
      throw new LanceFormatException(
          "index of " + sizeBytes + " bytes for " + rows + " rows, expected 1, 2, 4 or 8 each");
    }
    RowPositions positions = new RowPositions(buffers, (int) width, dataBytes);
    long first = positions.entries(0, 1)[0];
    long last = positions.entries(rows, 1)[0];
    if (first != 0 || last != dataBytes) {
      throw new LanceFormatException(
          "index from "
              + Long.toUnsignedString(first)
              + " to "
              + Long.toUnsignedString(last)
              + ", expected 0 to "
              + dataBytes);
    }
    return positions;
  }

  /** The starts of {@code count} rows, then the end of the last. */
  long[] read(long firstRow, int count) throws IOException {
    long[] entries = entries(firstRow, count + 1);
    long previous = 0;
    for (long entry : entries) {
      if (entry < previous || entry > dataBytes) {
        throw new LanceFormatException(
            "row position "
                + Long.toUnsignedString(entry)
                + " after "
                + previous
                + " in "
                + dataBytes
                + " bytes");
      }
      previous = entry;
    }
    return entries;
  }

  /** The starts and ends of the rows {@code base + offsets[i]}. */
  void read(long base, int[] offsets, int from, int to, long[] starts, long[] ends)
      throws IOException {
    for (int i = from; i < to; ) {
      int end = i + 1;
      while (end < to
          && offsets[end] - offsets[end - 1] <= MAX_GAP_ENTRIES
          && offsets[end] - offsets[i] < MAX_READ_ENTRIES) {
        end++;
      }
      long[] bounds = read(base + offsets[i], offsets[end - 1] - offsets[i] + 1);
      for (int first = offsets[i]; i < end; i++) {
        starts[i - from] = bounds[offsets[i] - first];
        ends[i - from] = bounds[offsets[i] - first + 1];
      }
    }
  }

  private long[] entries(long first, int count) throws IOException {
    ByteBuffer bytes = buffers.read(INDEX_BUFFER, first * width, (long) count * width);
    long[] entries = new long[count];
    for (int i = 0; i < count; i++) {
      entries[i] =
          switch (width) {
            case 1 -> bytes.get() & 0xFFL;
            case 2 -> bytes.getShort() & 0xFFFFL;
            case 4 -> bytes.getInt() & 0xFFFF_FFFFL;
            default -> bytes.getLong();
          };
    }
    return entries;
  }
}
