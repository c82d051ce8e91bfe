package dev.narwhal.lance.datafile.layout;

import dev.narwhal.lance.datafile.page.PageBuffers;
import dev.narwhal.lance.datafile.page.PageDecoder;
import dev.narwhal.lance.datafile.page.Scratch;
import dev.narwhal.lance.datafile.page.VectorBuilder;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A page of chunks without repetition: every row is one item. A read gets runs of chunks in one go
 * and decodes each chunk once, whole, then the wanted rows are copied; a take decodes of chunks no
 * more than it must. Source: file format sheet 4.1 to 4.6.
 */
final class MiniBlockPage implements PageDecoder {
  private static final int CHUNKS_BUFFER = 1;

  private final PageBuffers buffers;
  private final ChunkTable chunks;
  private final MiniBlockRows rows;

  MiniBlockPage(PageBuffers buffers, ChunkTable chunks, MiniBlockRows rows) {
    this.buffers = buffers;
    this.chunks = chunks;
    this.rows = rows;
  }

  @Override
  public void read(long firstRow, int count, VectorBuilder out, Scratch scratch)
      throws IOException {
    long end = firstRow + count;
    int last = chunks.chunkOf(end - 1);
    for (int chunk = chunks.chunkOf(firstRow); chunk <= last; ) {
      int next = runEnd(chunk, last + 1);
      ByteBuffer bytes = readChunks(chunk, next, scratch);
      int start = 0;
      for (; chunk < next; chunk++) {
        int size = (int) (chunks.byteEnd(chunk) - chunks.byteStart(chunk));
        int from = (int) Math.max(firstRow - chunks.firstValue(chunk), 0);
        int to = (int) (Math.min(end, chunks.endValue(chunk)) - chunks.firstValue(chunk));
        rows.decode(bytes.slice(start, size), chunks.values(chunk), scratch)
            .append(from, to - from, out);
        start += size;
      }
    }
  }

  @Override
  public void take(long base, int[] offsets, int from, int to, VectorBuilder out, Scratch scratch)
      throws IOException {
    Touched touched = touched(base, offsets, from, to);
    int[] positions = new int[to - from];
    for (int i = 0; i < touched.count; ) {
      int end = Spans.end(touched.starts, touched.ends, i, touched.count);
      long start = touched.starts[i];
      ByteBuffer bytes = buffers.read(CHUNKS_BUFFER, start, touched.ends[end - 1] - start, scratch);
      for (; i < end; i++) {
        int chunk = touched.chunks[i];
        int size = (int) (touched.ends[i] - touched.starts[i]);
        ByteBuffer body = bytes.slice((int) (touched.starts[i] - start), size);
        int picks = touched.firstPicks[i + 1] - touched.firstPicks[i];
        for (int pick = 0; pick < picks; pick++) {
          positions[pick] =
              (int) (base + offsets[touched.firstPicks[i] + pick] - chunks.firstValue(chunk));
        }
        rows.take(body, chunks.values(chunk), positions, picks, out, scratch);
      }
    }
  }

  private int runEnd(int from, int to) {
    int end = from + 1;
    while (end < to && chunks.byteEnd(end) - chunks.byteStart(from) <= Spans.MAX_READ_BYTES) {
      end++;
    }
    return end;
  }

  private ByteBuffer readChunks(int from, int to, Scratch scratch) throws IOException {
    long start = chunks.byteStart(from);
    return buffers.read(CHUNKS_BUFFER, start, chunks.byteEnd(to - 1) - start, scratch);
  }

  /** The chunks that picked rows lie in: their byte ranges and the first pick of each. */
  private Touched touched(long base, int[] offsets, int from, int to) {
    Touched touched = new Touched(to - from);
    for (int i = from; i < to; ) {
      int chunk = chunks.chunkOf(base + offsets[i]);
      touched.add(chunk, i, chunks.byteStart(chunk), chunks.byteEnd(chunk));
      long end = chunks.endValue(chunk) - base;
      while (i < to && offsets[i] < end) {
        i++;
      }
    }
    touched.firstPicks[touched.count] = to;
    return touched;
  }

  private static final class Touched {
    final int[] chunks;
    final int[] firstPicks;
    final long[] starts;
    final long[] ends;
    int count;

    Touched(int most) {
      chunks = new int[most];
      firstPicks = new int[most + 1];
      starts = new long[most];
      ends = new long[most];
    }

    void add(int chunk, int firstPick, long start, long end) {
      chunks[count] = chunk;
      firstPicks[count] = firstPick;
      starts[count] = start;
      ends[count] = end;
      count++;
    }
  }
}
