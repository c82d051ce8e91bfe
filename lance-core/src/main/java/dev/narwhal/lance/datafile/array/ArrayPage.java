package dev.narwhal.lance.datafile.array;

import dev.narwhal.lance.datafile.page.PageDecoder;
import dev.narwhal.lance.datafile.page.Scratch;
import dev.narwhal.lance.datafile.page.VectorBuilder;
import java.io.IOException;

/** A 2.0 page: parts of the tree are decoded at a time, few enough values to stay in a cache. */
final class ArrayPage implements PageDecoder {
  /** Bits of values that are read at once. */
  private static final long READ_BITS = 8L << 20;

  /** Bits that are cheaper to read than to skip. */
  private static final long GAP_BITS = 8L << 14;

  private final ArrayDecoder root;
  private final int rowsPerRead;
  private final long maxGapRows;

  ArrayPage(ArrayDecoder root) {
    this.root = root;
    rowsPerRead = (int) Math.max(1, READ_BITS / root.bitsPerValue());
    maxGapRows = GAP_BITS / root.bitsPerValue();
  }

  @Override
  public void read(long firstRow, int count, VectorBuilder out, Scratch scratch)
      throws IOException {
    for (int done = 0; done < count; ) {
      int rows = Math.min(rowsPerRead, count - done);
      scratch.reset();
      root.decode(firstRow + done, rows, scratch).appendTo(out, rows);
      done += rows;
    }
  }

  @Override
  public void take(long base, int[] offsets, int from, int to, VectorBuilder out, Scratch scratch)
      throws IOException {
    int[] positions = new int[Math.min(to - from, rowsPerRead)];
    for (int i = from; i < to; ) {
      int start = offsets[i];
      int rows = 0;
      do {
        positions[rows++] = offsets[i++] - start;
      } while (i < to
          && offsets[i] - offsets[i - 1] - 1 <= maxGapRows
          && offsets[i] - start < rowsPerRead);
      scratch.reset();
      root.decode(base + start, positions[rows - 1] + 1, scratch).gatherTo(out, positions, rows);
    }
  }
}
