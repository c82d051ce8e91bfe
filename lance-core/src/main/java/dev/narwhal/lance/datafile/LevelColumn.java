package dev.narwhal.lance.datafile;

import dev.narwhal.lance.datafile.layout.LeafBuilder;
import dev.narwhal.lance.datafile.layout.LeafPath;
import dev.narwhal.lance.datafile.layout.LevelPage;
import dev.narwhal.lance.datafile.page.PageSource;
import dev.narwhal.lance.datafile.page.RowRanges;
import dev.narwhal.lance.datafile.page.Scratch;
import dev.narwhal.lance.datafile.page.ValueShape;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.io.IOException;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** The column of a leaf in a tree, from 2.1 on: its pages, one after the other. Immutable. */
final class LevelColumn {
  /** A slot of a node above the leaf: an offset or less. */
  private static final int NODE_BYTES = 5;

  private final String place;
  private final ValueShape shape;
  private final LeafPath path;
  private final List<LevelSlot> pages;

  /** First row of each page, then the number of rows. */
  private final long[] starts;

  /**
   * @param place file and column, for messages
   * @param pages with at least one row each
   */
  LevelColumn(String place, ValueShape shape, LeafPath path, List<LevelSlot> pages) {
    this.place = place;
    this.shape = shape;
    this.path = path;
    this.pages = List.copyOf(pages);
    this.starts = RowChecks.starts(pages, LevelSlot::rows);
  }

  LeafPath path() {
    return path;
  }

  /** For messages: file and column. */
  String place() {
    return place;
  }

  /**
   * Reads rows of the tree. The caller closes the result.
   *
   * @param count their number, so many that room is made for
   */
  LeafBuilder read(RowRanges rows, int count, BufferAllocator allocator, Scratch scratch)
      throws IOException {
    LeafBuilder out = builder(rows.isEmpty() ? 0 : count, allocator);
    try {
      RowRanges pageRows = rows.scaled(path.rowsPerRow());
      for (int page = 0; page < pages.size() && !pageRows.isEmpty(); page++) {
        if (starts[page] < pageRows.end(pageRows.size() - 1)
            && starts[page + 1] > pageRows.start(0)) {
          RowRanges here = pageRows.within(starts[page], starts[page + 1]);
          if (!here.isEmpty()) {
            decode(pages.get(page), levels -> levels.read(here, out, scratch));
          }
        }
      }
      return out;
    } catch (IOException | RuntimeException e) {
      out.close();
      throw e;
    }
  }

  /** About how many bytes rows of the tree take in Arrow, with the nodes above the leaf. */
  double decodedBytes(long firstRow, long count, BufferAllocator allocator) throws IOException {
    double bytes = (double) count * NODE_BYTES * path.length();
    long end = Math.multiplyExact(firstRow + count, (long) path.rowsPerRow());
    for (long row = firstRow * path.rowsPerRow(); row < end; ) {
      int page = RowChecks.pageOf(starts, row);
      long next = Math.min(end, starts[page + 1]);
      bytes += decodedBytes(page, row - starts[page], next - starts[page], allocator);
      row = next;
    }
    return bytes;
  }

  private double decodedBytes(int number, long from, long to, BufferAllocator allocator)
      throws IOException {
    LevelSlot slot = pages.get(number);
    double[] bytes = new double[1];
    decode(
        slot,
        page -> {
          if (SlotSize.varies(shape) && slot.valueBytes() < 0) {
            slot.learn(sample(slot, page, allocator));
          }
          double each = SlotSize.varies(shape) ? slot.valueBytes() : SlotSize.bytes(shape);
          bytes[0] = page.levels(from, to) * each;
        });
    return bytes[0];
  }

  private double sample(LevelSlot slot, LevelPage page, BufferAllocator allocator)
      throws IOException {
    PageSource source = slot.source();
    double levels = page.levels(0, source.rows());
    int rows = ValueSample.rows(source, levels / source.rows());
    double stored = source.buffers().totalBytes() / Math.max(1, levels);
    try (LeafBuilder out = builder(rows, allocator);
        Scratch scratch = new Scratch(allocator)) {
      for (long start : ValueSample.starts(source, rows)) {
        page.read(RowRanges.of(start, start + rows), out, scratch);
      }
      double decoded = out.valueCount() == 0 ? 0 : (double) out.valueBytes() / out.valueCount();
      return Math.max(Math.max(stored, decoded), SlotSize.bytes(shape));
    }
  }

  private LeafBuilder builder(int rows, BufferAllocator allocator) {
    try {
      return new LeafBuilder(path, shape, rows, allocator);
    } catch (UnsupportedFeatureException e) {
      throw e.in(place);
    }
  }

  private interface Decoding {
    void run(LevelPage page) throws IOException;
  }

  private void decode(LevelSlot page, Decoding decoding) throws IOException {
    PlacedFailures.run(() -> place + ", page " + page.number(), () -> decoding.run(page.page()));
  }
}
