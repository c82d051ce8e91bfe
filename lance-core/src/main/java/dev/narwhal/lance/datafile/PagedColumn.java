package dev.narwhal.lance.datafile;

import dev.narwhal.lance.datafile.page.PageDecoder;
import dev.narwhal.lance.datafile.page.PageSource;
import dev.narwhal.lance.datafile.page.Scratch;
import dev.narwhal.lance.datafile.page.ValueShape;
import dev.narwhal.lance.datafile.page.VectorBuilder;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.io.IOException;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;

/** A leaf column: its pages, one after the other. */
final class PagedColumn implements ColumnReader {
  private final String place;
  private final Field arrowField;
  private final ValueShape shape;
  private final List<PageSlot> pages;

  /** First row of each page, then the number of rows. */
  private final long[] starts;

  /**
   * @param place file and column, for messages
   * @param pages with at least one row each
   */
  PagedColumn(String place, Field arrowField, ValueShape shape, List<PageSlot> pages) {
    this.place = place;
    this.arrowField = arrowField;
    this.shape = shape;
    this.pages = List.copyOf(pages);
    this.starts = RowChecks.starts(pages, PageSlot::rows);
  }

  @Override
  public Field arrowField() {
    return arrowField;
  }

  @Override
  public FieldVector read(long firstRow, int count, BufferAllocator allocator) throws IOException {
    RowChecks.checkRange(firstRow, count, rows());
    if (count == 0) {
      return empty(allocator);
    }
    long end = firstRow + count;
    int first = pageOf(firstRow);
    int last = pageOf(end - 1);
    open(first, last);
    try (VectorBuilder out = builder(count, allocator);
        Scratch scratch = new Scratch(allocator)) {
      for (int page = first; page <= last; page++) {
        long from = Math.max(firstRow, starts[page]);
        int rows = (int) (Math.min(end, starts[page + 1]) - from);
        long start = starts[page];
        decode(page, decoder -> decoder.read(from - start, rows, out, scratch));
      }
      return finish(out, count, allocator);
    }
  }

  @Override
  public FieldVector take(long firstRow, int[] offsets, BufferAllocator allocator)
      throws IOException {
    RowChecks.checkOffsets(firstRow, offsets, rows());
    if (offsets.length == 0) {
      return empty(allocator);
    }
    try (VectorBuilder out = builder(offsets.length, allocator);
        Scratch scratch = new Scratch(allocator)) {
      for (int from = 0; from < offsets.length; ) {
        int page = pageOf(firstRow + offsets[from]);
        int start = from;
        int end = RowChecks.lowerBound(offsets, from, starts[page + 1] - firstRow);
        long base = firstRow - starts[page];
        decode(page, decoder -> decoder.take(base, offsets, start, end, out, scratch));
        from = end;
      }
      return finish(out, offsets.length, allocator);
    }
  }

  @Override
  public long decodedBytes(long firstRow, long count, BufferAllocator allocator)
      throws IOException {
    RowChecks.checkRange(firstRow, count, rows());
    double bytes = 0;
    long end = firstRow + count;
    for (long row = firstRow; row < end; ) {
      int page = pageOf(row);
      long next = Math.min(end, starts[page + 1]);
      bytes += (next - row) * rowBytes(page, allocator);
      row = next;
    }
    return (long) bytes;
  }

  private double rowBytes(int page, BufferAllocator allocator) throws IOException {
    if (!SlotSize.varies(shape)) {
      return SlotSize.bytes(shape);
    }
    PageSlot slot = pages.get(page);
    if (slot.rowBytes() < 0) {
      slot.learn(sample(page, allocator));
    }
    return slot.rowBytes();
  }

  private double sample(int page, BufferAllocator allocator) throws IOException {
    PageSource source = pages.get(page).source();
    int rows = ValueSample.rows(source, 1);
    long[] stretches = ValueSample.starts(source, rows);
    try (VectorBuilder out = builder(rows * stretches.length, allocator);
        Scratch scratch = new Scratch(allocator)) {
      for (long start : stretches) {
        decode(page, decoder -> decoder.read(start, rows, out, scratch));
      }
      double stored = (double) source.buffers().totalBytes() / source.rows();
      return Math.max(stored, (double) out.sizeBytes() / out.rows());
    }
  }

  /** Makes the decoders, which checks pages against the type before anything is allocated. */
  private void open(int first, int last) throws IOException {
    for (int page = first; page <= last; page++) {
      decode(page, decoder -> {});
    }
  }

  private VectorBuilder builder(int rows, BufferAllocator allocator) {
    try {
      return VectorBuilder.of(shape, rows, allocator);
    } catch (UnsupportedFeatureException e) {
      throw e.in(place);
    }
  }

  private FieldVector empty(BufferAllocator allocator) {
    try (VectorBuilder out = builder(0, allocator)) {
      return out.build(arrowField, allocator);
    }
  }

  private FieldVector finish(VectorBuilder out, int rows, BufferAllocator allocator) {
    if (out.rows() != rows) {
      throw new IllegalStateException(
          place + ": decoders gave " + out.rows() + " rows, expected " + rows);
    }
    return out.build(arrowField, allocator);
  }

  private interface Decoding {
    void run(PageDecoder decoder) throws IOException;
  }

  private void decode(int page, Decoding decoding) throws IOException {
    PageSlot slot = pages.get(page);
    PlacedFailures.run(() -> place + ", page " + slot.number(), () -> decoding.run(slot.decoder()));
  }

  private long rows() {
    return starts[pages.size()];
  }

  private int pageOf(long row) {
    return RowChecks.pageOf(starts, row);
  }
}
