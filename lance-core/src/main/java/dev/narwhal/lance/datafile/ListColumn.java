package dev.narwhal.lance.datafile;

import dev.narwhal.lance.datafile.array.ListExtents;
import dev.narwhal.lance.datafile.array.OffsetsPage;
import dev.narwhal.lance.datafile.page.Scratch;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Lists as 2.0 has them: a column of offsets before the columns of the items. Each page of offsets
 * has its own items; those of all pages follow on each other. Source: file format sheet 2.3.
 *
 * <p>Wanted rows become runs of items, which the item column reads or takes, so that a take touches
 * only the items of its rows.
 */
final class ListColumn implements ColumnReader {
  private static final int OFFSET_BYTES = 9;

  private final String place;
  private final Field arrowField;
  private final List<OffsetsPage> pages;
  private final ColumnReader items;
  private final ItemBudget budget;

  /** First row of each page, then the number of rows. */
  private final long[] starts;

  /** Items of the pages before each page. */
  private final long[] itemBases;

  /**
   * @param place file and column, for messages
   * @param pages all of the column
   * @param items as many as all pages say
   */
  ListColumn(
      String place,
      Field arrowField,
      List<OffsetsPage> pages,
      ColumnReader items,
      ItemBudget budget) {
    this.place = place;
    this.arrowField = arrowField;
    this.pages = pages.stream().filter(page -> page.rows() > 0).toList();
    this.items = items;
    this.budget = budget;
    this.starts = RowChecks.starts(this.pages, OffsetsPage::rows);
    this.itemBases = new long[this.pages.size()];
    long base = 0;
    int at = 0;
    for (OffsetsPage page : pages) {
      if (page.rows() > 0) {
        itemBases[at++] = base;
      }
      base += page.itemCount();
    }
  }

  @Override
  public Field arrowField() {
    return arrowField;
  }

  @Override
  public FieldVector read(long firstRow, int count, BufferAllocator allocator) throws IOException {
    RowChecks.checkRange(firstRow, count, rows());
    ListExtents extents = new ListExtents(count);
    try (Scratch scratch = new Scratch(allocator)) {
      for (long row = firstRow; extents.rows() < count; row = firstRow + extents.rows()) {
        int page = RowChecks.pageOf(starts, row);
        long from = row - starts[page];
        int part = (int) Math.min(pages.get(page).rows() - from, count - extents.rows());
        decode(page, offsets -> offsets.read(from, part, itemBases[page], extents, scratch));
      }
    }
    return build(extents, allocator);
  }

  @Override
  public FieldVector take(long firstRow, int[] offsets, BufferAllocator allocator)
      throws IOException {
    RowChecks.checkOffsets(firstRow, offsets, rows());
    ListExtents extents = new ListExtents(offsets.length);
    try (Scratch scratch = new Scratch(allocator)) {
      for (int from = 0; from < offsets.length; ) {
        int page = RowChecks.pageOf(starts, firstRow + offsets[from]);
        int start = from;
        int end = RowChecks.lowerBound(offsets, from, starts[page + 1] - firstRow);
        long base = firstRow - starts[page];
        decode(page, p -> p.take(base, offsets, start, end, itemBases[page], extents, scratch));
        from = end;
      }
    }
    return build(extents, allocator);
  }

  @Override
  public long decodedBytes(long firstRow, long count, BufferAllocator allocator)
      throws IOException {
    RowChecks.checkRange(firstRow, count, rows());
    if (count == 0) {
      return 0;
    }
    try (Scratch scratch = new Scratch(allocator)) {
      long from = firstItem(firstRow, scratch);
      long to = firstItem(firstRow + count, scratch);
      // offsets that descend are refused by whoever reads them
      long itemBytes = items.decodedBytes(from, Math.max(0, to - from), allocator);
      double bytes = (double) count * OFFSET_BYTES + itemBytes;
      return (long) bytes;
    }
  }

  /** The first item of a row, or behind the last row the number of items. */
  private long firstItem(long row, Scratch scratch) throws IOException {
    int page = RowChecks.pageOf(starts, row == rows() ? row - 1 : row);
    long[] item = new long[1];
    decode(page, offsets -> item[0] = offsets.firstItem(row - starts[page], scratch));
    return itemBases[page] + item[0];
  }

  private FieldVector build(ListExtents extents, BufferAllocator allocator) throws IOException {
    try {
      budget.check(items.arrowField(), extents.items());
    } catch (UnsupportedFeatureException e) {
      throw e.in(place);
    }
    try (FieldVector values = items(extents, allocator)) {
      return ListVectors.build(arrowField, extents, values, allocator);
    }
  }

  /** The items of all rows. The caller closes the vector. */
  private FieldVector items(ListExtents extents, BufferAllocator allocator) throws IOException {
    if (extents.spans() == 0) {
      return items.read(0, 0, allocator);
    }
    if (extents.spans() == 1) {
      return items.read(extents.spanStart(0), (int) extents.items(), allocator);
    }
    if (reach(extents, 0) == extents.spans()) {
      return take(extents, 0, extents.spans(), allocator);
    }
    List<FieldVector> parts = new ArrayList<>();
    try {
      for (int from = 0; from < extents.spans(); ) {
        int to = reach(extents, from);
        parts.add(take(extents, from, to, allocator));
        from = to;
      }
      return VectorConcat.concat(parts, allocator);
    } finally {
      parts.forEach(FieldVector::close);
    }
  }

  /** Takes the items of runs {@code [from, to)}. */
  private FieldVector take(ListExtents extents, int from, int to, BufferAllocator allocator)
      throws IOException {
    long first = extents.spanStart(from);
    long count = 0;
    for (int span = from; span < to; span++) {
      count += extents.spanEnd(span) - extents.spanStart(span);
    }
    int[] offsets = new int[(int) count];
    int at = 0;
    for (int span = from; span < to; span++) {
      int end = (int) (extents.spanEnd(span) - first);
      for (int offset = (int) (extents.spanStart(span) - first); offset < end; offset++) {
        offsets[at++] = offset;
      }
    }
    return items.take(first, offsets, allocator);
  }

  /** The first run that is out of an int's reach of run {@code from}. */
  private static int reach(ListExtents extents, int from) {
    int to = from + 1;
    while (to < extents.spans()
        && extents.spanEnd(to) - extents.spanStart(from) <= Integer.MAX_VALUE) {
      to++;
    }
    return to;
  }

  private interface Decoding {
    void run(OffsetsPage page) throws IOException;
  }

  private void decode(int page, Decoding decoding) throws IOException {
    PlacedFailures.run(
        () -> place + ", page of rows from " + starts[page], () -> decoding.run(pages.get(page)));
  }

  private long rows() {
    return starts[pages.size()];
  }
}
