package dev.narwhal.lance.datafile.layout;

import dev.narwhal.lance.datafile.page.PageBuffers;
import dev.narwhal.lance.datafile.page.RowRanges;
import dev.narwhal.lance.datafile.page.Scratch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A page of zipped levels and values. Where its rows are follows from their number, if all have one
 * size, else from the repetition index. Immutable. Source: file format sheet 4.7.
 */
final class ZipLevelPage implements LevelPage {
  private static final int DATA_BUFFER = 0;

  /** Rows whose positions are read together. */
  private static final int MAX_PIECE_ROWS = 1 << 16;

  private final PageBuffers buffers;
  private final ZipFormat format;
  private final @Nullable RowPositions positions;
  private final double levelsPerRow;

  /**
   * @param positions of rows that do not all have one size
   * @param levelsPerRow on average
   */
  ZipLevelPage(
      PageBuffers buffers,
      ZipFormat format,
      @Nullable RowPositions positions,
      double levelsPerRow) {
    this.buffers = buffers;
    this.format = format;
    this.positions = positions;
    this.levelsPerRow = levelsPerRow;
  }

  @Override
  public void read(RowRanges rows, LeafBuilder out, Scratch scratch) throws IOException {
    Pieces pieces = new Pieces();
    for (int i = 0; i < rows.size(); i++) {
      for (long from = rows.start(i); from < rows.end(i); ) {
        int count = (int) Math.min(MAX_PIECE_ROWS, rows.end(i) - from);
        addPieces(from, count, pieces);
        from += count;
      }
    }
    for (int i = 0; i < pieces.count; ) {
      int end = Spans.end(pieces.starts, pieces.ends, i, pieces.count);
      long start = pieces.starts[i];
      ByteBuffer bytes = buffers.read(DATA_BUFFER, start, pieces.ends[end - 1] - start, scratch);
      Unzip unzip = new Unzip(format, bytes, pieces.rows(i, end), scratch);
      for (; i < end; i++) {
        unzip.add((int) (pieces.starts[i] - start), (int) (pieces.ends[i] - start), pieces.rows[i]);
      }
      unzip.appendTo(out);
    }
  }

  @Override
  public long levels(long firstRow, long endRow) {
    return (long) Math.ceil((endRow - firstRow) * levelsPerRow);
  }

  /** Cuts rows into pieces that one read can take: single ones where each has its position. */
  private void addPieces(long firstRow, int count, Pieces pieces) throws IOException {
    RowPositions index = positions;
    if (index == null) {
      long rowBytes = format.rowBytes();
      int most = (int) Math.max(1, Spans.MAX_READ_BYTES / Math.max(rowBytes, 1));
      for (int done = 0; done < count; ) {
        int n = Math.min(most, count - done);
        long start = (firstRow + done) * rowBytes;
        pieces.add(start, start + n * rowBytes, n);
        done += n;
      }
      return;
    }
    long[] bounds = index.read(firstRow, count);
    for (int row = 0; row < count; row++) {
      pieces.add(bounds[row], bounds[row + 1], 1);
    }
  }

  /** Neighbouring rows, as byte ranges. */
  private static final class Pieces {
    long[] starts = new long[16];
    long[] ends = new long[16];
    int[] rows = new int[16];
    int count;

    void add(long start, long end, int rowCount) {
      if (count == starts.length) {
        starts = Arrays.copyOf(starts, 2 * count);
        ends = Arrays.copyOf(ends, 2 * count);
        rows = Arrays.copyOf(rows, 2 * count);
      }
      starts[count] = start;
      ends[count] = end;
      rows[count] = rowCount;
      count++;
    }

    int rows(int from, int to) {
      int sum = 0;
      for (int i = from; i < to; i++) {
        sum += rows[i];
      }
      return sum;
    }
  }
}
