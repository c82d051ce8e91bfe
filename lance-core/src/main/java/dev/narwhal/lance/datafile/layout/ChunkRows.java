package dev.narwhal.lance.datafile.layout;

import dev.narwhal.lance.error.LanceFormatException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Which rows the chunks of a mini-block page hold. With lists it comes from the repetition index,
 * two numbers a chunk:
 *
 * <pre>
 * u64   rows whose last level is in the chunk
 * u64   levels after the last of these rows: of a row that goes on in the next chunk
 * </pre>
 *
 * <p>Immutable. Source: file format sheet 4.5.
 */
final class ChunkRows {
  private static final int ENTRY_BYTES = 2 * Long.BYTES;

  /** Rows before those that begin in each chunk, then the number of all. */
  private final long[] starts;

  /** Whether the last row of each chunk goes on in the next. */
  private final boolean[] trailers;

  private ChunkRows(long[] starts, boolean[] trailers) {
    this.starts = starts;
    this.trailers = trailers;
  }

  /** The rows of a page without lists, which are its values. */
  static ChunkRows ofValues(ChunkTable chunks) {
    long[] starts = new long[chunks.count() + 1];
    for (int chunk = 0; chunk < chunks.count(); chunk++) {
      starts[chunk + 1] = chunks.endValue(chunk);
    }
    return new ChunkRows(starts, new boolean[chunks.count()]);
  }

  /**
   * @param index the whole buffer
   * @param rows of the page
   */
  static ChunkRows decode(ByteBuffer index, int chunks, long rows) {
    if (index.remaining() != (long) chunks * ENTRY_BYTES) {
      throw new LanceFormatException(
          "repetition index of " + index.remaining() + " bytes for " + chunks + " chunks");
    }
    long[] starts = new long[chunks + 1];
    boolean[] trailers = new boolean[chunks];
    boolean preamble = false;
    for (int chunk = 0; chunk < chunks; chunk++) {
      long ends = index.getLong(chunk * ENTRY_BYTES);
      long partial = index.getLong(chunk * ENTRY_BYTES + Long.BYTES);
      boolean trailer = partial != 0;
      long begun = ends + (trailer ? 1 : 0) - (preamble ? 1 : 0);
      boolean last = chunk == chunks - 1;
      if (ends < 0
          || ends > rows
          || begun < 0
          || begun > rows - starts[chunk]
          || partial < 0
          || partial > 0xFFFF
          || (last && trailer)
          || (preamble && ends == 0 && !trailer)) {
        throw new LanceFormatException(
            "repetition index: chunk "
                + chunk
                + " ends "
                + Long.toUnsignedString(ends)
                + " rows and has "
                + Long.toUnsignedString(partial)
                + " levels of another, after "
                + starts[chunk]
                + " of "
                + rows
                + " rows");
      }
      starts[chunk + 1] = starts[chunk] + begun;
      trailers[chunk] = trailer;
      preamble = trailer;
    }
    if (starts[chunks] != rows) {
      throw new LanceFormatException(
          "repetition index of " + starts[chunks] + " rows for a page of " + rows);
    }
    return new ChunkRows(starts, trailers);
  }

  /** The chunk in which a row begins. */
  int firstChunk(long row) {
    int found = Arrays.binarySearch(starts, row);
    int chunk = found >= 0 ? found : -found - 2;
    // of chunks with one start, only the last begins a row: the others are all of one row
    while (starts[chunk + 1] == row) {
      chunk++;
    }
    return chunk;
  }

  /** The chunk in which a row ends. */
  int lastChunk(long row) {
    int chunk = firstChunk(row);
    if (row + 1 < starts[chunk + 1]) {
      return chunk;
    }
    while (trailers[chunk]) {
      chunk++;
      if (starts[chunk + 1] > starts[chunk]) {
        break;
      }
    }
    return chunk;
  }

  /** The first row that has levels in the chunk; it may have begun before. */
  long firstRow(int chunk) {
    return startsInside(chunk) ? starts[chunk] - 1 : starts[chunk];
  }

  /** One past the last row that has levels in the chunk. */
  long endRow(int chunk) {
    return starts[chunk + 1];
  }

  /** Whether the chunk starts with levels of a row that began before. */
  boolean startsInside(int chunk) {
    return chunk > 0 && trailers[chunk - 1];
  }
}
