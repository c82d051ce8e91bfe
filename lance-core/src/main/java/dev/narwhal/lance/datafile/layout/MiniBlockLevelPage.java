package dev.narwhal.lance.datafile.layout;

import dev.narwhal.lance.datafile.page.FixedValues;
import dev.narwhal.lance.datafile.page.PageBuffers;
import dev.narwhal.lance.datafile.page.RowRanges;
import dev.narwhal.lance.datafile.page.Scratch;
import dev.narwhal.lance.datafile.page.Values;
import dev.narwhal.lance.error.LanceFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A page of chunks with levels. A read gets runs of chunks in one go and decodes each chunk once,
 * whole, then the wanted rows are copied. A row may span chunks. Immutable. Source: file format
 * sheet 4.1 to 4.6.
 */
final class MiniBlockLevelPage implements LevelPage {
  private static final int CHUNKS_BUFFER = 1;

  private final PageBuffers buffers;
  private final LevelMeaning meaning;
  private final ChunkTable chunks;
  private final ChunkRows rows;
  private final Decoders decoders;

  MiniBlockLevelPage(
      PageBuffers buffers,
      LevelMeaning meaning,
      ChunkTable chunks,
      ChunkRows rows,
      Decoders decoders) {
    this.buffers = buffers;
    this.meaning = meaning;
    this.chunks = chunks;
    this.rows = rows;
    this.decoders = decoders;
  }

  /**
   * How the parts of a chunk are decoded.
   *
   * @param repetition decoder of repetition levels, if the page has them
   * @param definition decoder of definition levels, if the page has them
   * @param dictionary what decoded values are indices of, if the page has one
   */
  record Decoders(
      Chunk.Format format,
      @Nullable LevelDecoder repetition,
      @Nullable LevelDecoder definition,
      ChunkDecoder values,
      @Nullable Values dictionary) {}

  @Override
  public void read(RowRanges ranges, LeafBuilder out, Scratch scratch) throws IOException {
    int[] touched = touched(ranges);
    long[] starts = new long[touched.length];
    long[] ends = new long[touched.length];
    for (int i = 0; i < touched.length; i++) {
      starts[i] = chunks.byteStart(touched[i]);
      ends[i] = chunks.byteEnd(touched[i]);
    }
    int range = 0;
    for (int i = 0; i < touched.length; ) {
      int end = Spans.end(starts, ends, i, touched.length);
      long start = starts[i];
      ByteBuffer bytes = buffers.read(CHUNKS_BUFFER, start, ends[end - 1] - start, scratch);
      for (; i < end; i++) {
        ByteBuffer body = bytes.slice((int) (starts[i] - start), (int) (ends[i] - starts[i]));
        range = append(touched[i], body, ranges, range, out, scratch);
      }
    }
  }

  @Override
  public long levels(long firstRow, long endRow) {
    if (meaning.maxRepetition() == 0 || firstRow == endRow) {
      return endRow - firstRow;
    }
    return chunks.endValue(rows.lastChunk(endRow - 1))
        - chunks.firstValue(rows.firstChunk(firstRow));
  }

  /** The chunks that hold the rows, ascending. */
  private int[] touched(RowRanges ranges) {
    int[] touched = new int[16];
    int count = 0;
    int next = 0;
    for (int i = 0; i < ranges.size(); i++) {
      int last = rows.lastChunk(ranges.end(i) - 1);
      for (int chunk = Math.max(next, rows.firstChunk(ranges.start(i))); chunk <= last; chunk++) {
        if (count == touched.length) {
          touched = Arrays.copyOf(touched, 2 * count);
        }
        touched[count++] = chunk;
      }
      next = Math.max(next, last + 1);
    }
    return Arrays.copyOf(touched, count);
  }

  /**
   * Appends what a chunk has of the ranges.
   *
   * @param range the first that may have rows here
   * @return the first that may have rows in the next chunk
   */
  private int append(
      int chunk, ByteBuffer body, RowRanges ranges, int range, LeafBuilder out, Scratch scratch) {
    scratch.reset();
    Chunk parts = Chunk.parse(body, decoders.format());
    DecodedLevels levels = levels(chunk, parts, scratch);
    int count = chunks.values(chunk);
    Values decoded = decoders.values().decode(parts.values(), 0, count, scratch);
    Values dictionary = decoders.dictionary();
    int[] indices = null;
    if (dictionary != null) {
      indices =
          DictionaryIndices.of(
              (FixedValues) decoded, levels.validity(), dictionary.count(), scratch);
      decoded = dictionary;
    }
    long first = rows.firstRow(chunk);
    long end = rows.endRow(chunk);
    int next = range;
    for (int i = range; i < ranges.size() && ranges.start(i) < end; i++) {
      long from = Math.max(ranges.start(i), first);
      long to = Math.min(ranges.end(i), end);
      if (from < to) {
        levels.append((int) (from - first), (int) (to - first), decoded, indices, out);
      }
      // the last row may go on in the next chunk
      next = ranges.end(i) < end ? i + 1 : i;
    }
    return next;
  }

  private DecodedLevels levels(int chunk, Chunk parts, Scratch scratch) {
    int values = chunks.values(chunk);
    boolean stored = decoders.repetition() != null || decoders.definition() != null;
    int count = stored ? parts.levels() : values;
    DecodedLevels levels =
        new DecodedLevels(
            meaning,
            decode(decoders.repetition(), parts.repetition().orElse(null), count, scratch),
            decode(decoders.definition(), parts.definition().orElse(null), count, scratch),
            count,
            scratch);
    if (levels.values() != values) {
      throw new LanceFormatException(
          "chunk " + chunk + " has levels of " + levels.values() + " values, expected " + values);
    }
    if (levels.rows() != rows.endRow(chunk) - rows.firstRow(chunk)
        || levels.startsInside() != rows.startsInside(chunk)) {
      throw new LanceFormatException(
          "chunk "
              + chunk
              + " has levels of "
              + levels.rows()
              + " rows"
              + (levels.startsInside() ? ", the first begun before" : "")
              + ", the repetition index says rows "
              + rows.firstRow(chunk)
              + " to "
              + rows.endRow(chunk)
              + (rows.startsInside(chunk) ? ", the first begun before" : ""));
    }
    return levels;
  }

  private static short[] decode(
      @Nullable LevelDecoder decoder, @Nullable ByteBuffer bytes, int count, Scratch scratch) {
    return decoder == null || bytes == null
        ? DecodedLevels.zeros(count, scratch)
        : decoder.decode(bytes, count, scratch);
  }
}
