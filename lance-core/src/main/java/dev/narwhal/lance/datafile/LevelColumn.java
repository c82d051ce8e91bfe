package dev.narwhal.lance.datafile;

import dev.narwhal.lance.datafile.layout.LeafBuilder;
import dev.narwhal.lance.datafile.layout.LeafPath;
import dev.narwhal.lance.datafile.page.RowRanges;
import dev.narwhal.lance.datafile.page.Scratch;
import dev.narwhal.lance.datafile.page.ValueShape;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.io.IOException;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** The column of a leaf in a tree, from 2.1 on: its pages, one after the other. Immutable. */
final class LevelColumn {
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
            read(pages.get(page), here, out, scratch);
          }
        }
      }
      return out;
    } catch (IOException | RuntimeException e) {
      out.close();
      throw e;
    }
  }

  private LeafBuilder builder(int rows, BufferAllocator allocator) {
    try {
      return new LeafBuilder(path, shape, rows, allocator);
    } catch (UnsupportedFeatureException e) {
      throw e.in(place);
    }
  }

  private void read(LevelSlot page, RowRanges rows, LeafBuilder out, Scratch scratch)
      throws IOException {
    try {
      page.page().read(rows, out, scratch);
    } catch (LanceFormatException e) {
      throw e.in(place + ", page " + page.number());
    } catch (UnsupportedFeatureException e) {
      throw e.in(place + ", page " + page.number());
    } catch (IndexOutOfBoundsException | ArithmeticException e) {
      // Decoders check what they use; should one miss a lie in the file, it still is the file's.
      throw new LanceFormatException(
          place + ", page " + page.number() + ": inconsistent page: " + e, e);
    }
  }
}
