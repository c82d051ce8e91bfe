package dev.narwhal.lance.datafile.layout;

import dev.narwhal.lance.datafile.page.Bits;
import dev.narwhal.lance.datafile.page.PageDecoder;
import dev.narwhal.lance.datafile.page.PageSource;
import dev.narwhal.lance.datafile.page.RowRanges;
import dev.narwhal.lance.datafile.page.Scratch;
import dev.narwhal.lance.datafile.page.Values;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Positions and sizes of blobs in structs, with the levels that are among them.
 *
 * @param descriptors the page without regard to levels
 */
record BlobLevelPage(PageDecoder descriptors, LevelMeaning meaning) implements LevelPage {
  static BlobLevelPage open(PageSource page, Layout.Blob layout, LevelMeaning meaning)
      throws IOException {
    if (meaning.maxRepetition() > 0) {
      throw new UnsupportedFeatureException("lists of blobs are not supported");
    }
    return new BlobLevelPage(LayoutPages.descriptors(page, layout), meaning);
  }

  @Override
  public void read(RowRanges rows, LeafBuilder out, Scratch scratch) throws IOException {
    DescriptorSink sink = new DescriptorSink(meaning.maxDefinition(), new Slots(meaning, out));
    for (int i = 0; i < rows.size(); ) {
      long base = rows.start(i);
      int end = i + 1;
      while (end < rows.size() && rows.end(end) - base <= Integer.MAX_VALUE) {
        end++;
      }
      if (end == i + 1) {
        descriptors.read(base, (int) (rows.end(i) - base), sink, scratch);
      } else {
        int[] offsets = offsets(rows, i, end);
        descriptors.take(base, offsets, 0, offsets.length, sink, scratch);
      }
      i = end;
    }
  }

  @Override
  public long levels(long firstRow, long endRow) {
    return endRow - firstRow;
  }

  /** Rows of some ranges, counted from the first. */
  private static int[] offsets(RowRanges rows, int from, int to) {
    int count = 0;
    for (int i = from; i < to; i++) {
      count += (int) (rows.end(i) - rows.start(i));
    }
    int[] offsets = new int[count];
    int at = 0;
    for (int i = from; i < to; i++) {
      for (long row = rows.start(i); row < rows.end(i); row++) {
        offsets[at++] = (int) (row - rows.start(from));
      }
    }
    return offsets;
  }

  private record Slots(LevelMeaning meaning, LeafBuilder out) implements DescriptorSink.Target {
    @Override
    public int rows() {
      return out.valueCount();
    }

    @Override
    public void accept(Values values, int[] indices, short[] definition, int count) {
      ByteBuffer validity = ByteBuffer.allocate(Bits.bytes(count)).order(ByteOrder.LITTLE_ENDIAN);
      for (int i = 0; i < count; i++) {
        if (definition[i] == 0) {
          Bits.fill(validity, i, 1, true);
        }
      }
      out.levels(meaning, new short[count], definition, 0, count);
      out.values(values, validity, indices, 0, count);
    }
  }
}
