package dev.narwhal.lance.write.update;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.datafile.FileVersion;
import dev.narwhal.lance.datafile.VectorConcat;
import dev.narwhal.lance.datafile.write.WriterOptions;
import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.scan.BatchReader;
import dev.narwhal.lance.scan.Scan;
import dev.narwhal.lance.scan.ScanOptions;
import dev.narwhal.lance.scan.VectorSelection;
import dev.narwhal.lance.schema.BlobMode;
import dev.narwhal.lance.write.FragmentLimits;
import dev.narwhal.lance.write.FragmentWriter;
import dev.narwhal.lance.write.WriteContext;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.util.TransferPair;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.RoaringBitmap;

/**
 * New values for columns of some rows of one fragment, written to a new file with the old values of
 * the others, deleted rows too. Rows come in the order of their offsets; a window of the old values
 * is held at a time. Source: table format sheet 6.3.
 *
 * <pre>{@code
 * try (ColumnPatch patch = ColumnPatch.begin(context, fragment, List.of("score"))) {
 *   patch.add(new long[] {3, 17}, values);
 *   PatchedFragment patched = patch.finish();
 *   // commit, then
 *   patch.keep();
 * }
 * }</pre>
 *
 * <p>Until {@link #keep} is called the file belongs to the patch, and {@link #close} removes it.
 * One thread.
 */
public final class ColumnPatch implements Closeable {
  private final WriteContext context;
  private final Fragment fragment;
  private final long physicalRows;
  private final RewrittenColumns columns;
  private final FragmentWriter writer;
  private final RoaringBitmap patched = new RoaringBitmap();

  /** The old values; none where all rows are to come. */
  private final @Nullable BatchReader old;

  /** The window's values, of the reader's batch or our own. */
  private List<FieldVector> window = List.of();

  private boolean windowIsOurs;
  private long windowStart;
  private int windowRows;
  private long next;

  private ColumnPatch(
      WriteContext context,
      Fragment fragment,
      long physicalRows,
      RewrittenColumns columns,
      FragmentWriter writer,
      @Nullable BatchReader old) {
    this.context = context;
    this.fragment = fragment;
    this.physicalRows = physicalRows;
    this.columns = columns;
    this.writer = writer;
    this.old = old;
  }

  /**
   * Begins a patch of some rows.
   *
   * @param fragment of the context's version
   * @param columns names of top-level columns
   * @throws UnsupportedFeatureException for columns that are not written here
   */
  public static ColumnPatch begin(WriteContext context, Fragment fragment, List<String> columns)
      throws IOException {
    return begin(context, fragment, columns, true);
  }

  /** Begins a patch of all rows: every offset will be added. Old values are not read. */
  public static ColumnPatch beginAll(WriteContext context, Fragment fragment, List<String> columns)
      throws IOException {
    return begin(context, fragment, columns, false);
  }

  private static ColumnPatch begin(
      WriteContext context, Fragment fragment, List<String> names, boolean readOld)
      throws IOException {
    RewrittenColumns columns = RewrittenColumns.of(context.manifest().schema(), names);
    if (columns.fields().size() != names.size()) {
      throw new IllegalArgumentException(
          "columns " + names + " are not all of the table, or one is named twice");
    }
    columns.requireWritable(context.store().uri());
    Scan scan =
        new Scan(
            context.manifest().schema(),
            List.of(fragment),
            context.files(),
            ScanOptions.of(columns.names()).withDeletedRows().withBlobs(BlobMode.BYTES));
    long rows = scan.physicalRows(fragment);
    if (rows > Integer.MAX_VALUE) {
      throw new UnsupportedFeatureException(
          "fragment "
              + fragment.id()
              + " has "
              + rows
              + " rows, files are written with up to 2^31");
    }
    FragmentWriter writer =
        FragmentWriter.create(
            context.store(),
            columns.schema(),
            new FragmentLimits(Integer.MAX_VALUE, Long.MAX_VALUE),
            WriterOptions.of(FileVersion.named(context.manifest().dataFormat().version())));
    return new ColumnPatch(
        context, fragment, rows, columns, writer, readOld ? scan.read(context.allocator()) : null);
  }

  /**
   * Adds rows.
   *
   * @param offsets ascending, above all that were added before, below the physical rows
   * @param values a row for each offset; the columns of the patch, found by name
   * @throws IllegalArgumentException for an offset out of order or out of range
   */
  public void add(long[] offsets, VectorSchemaRoot values) throws IOException {
    if (values.getRowCount() != offsets.length) {
      throw new IllegalArgumentException(
          offsets.length + " offsets for " + values.getRowCount() + " rows of values");
    }
    for (long offset : offsets) {
      require(offset);
      patched.add((int) offset);
    }
    if (old == null) {
      writer.write(values);
      return;
    }
    int at = 0;
    while (at < offsets.length) {
      while (offsets[at] >= windowStart + windowRows) {
        advance(old);
      }
      int to = at;
      while (to < offsets.length && offsets[to] < windowStart + windowRows) {
        to++;
      }
      patchWindow(offsets, at, to, values);
      at = to;
    }
  }

  private void require(long offset) {
    if (offset < next || offset >= physicalRows || (old == null && offset != next)) {
      throw new IllegalArgumentException(
          "fragment "
              + fragment.id()
              + ": row offset "
              + offset
              + " is not in ["
              + next
              + ", "
              + (old == null ? next + 1 : physicalRows)
              + ")");
    }
    next = offset + 1;
  }

  /** Writes the window, and takes the next one. */
  private void advance(BatchReader reader) throws IOException {
    flush();
    if (!reader.next()) {
      throw new LanceFormatException(
          "fragment " + fragment.id() + " has fewer rows than the " + physicalRows + " it says");
    }
    VectorSchemaRoot batch = reader.batch();
    window = columns.names().stream().map(batch::getVector).toList();
    windowRows = batch.getRowCount();
  }

  private void flush() throws IOException {
    if (windowRows > 0) {
      try {
        writer.write(new VectorSchemaRoot(columns.fields(), window, windowRows));
      } finally {
        release();
      }
      windowStart += windowRows;
      windowRows = 0;
    }
  }

  private void release() {
    if (windowIsOurs) {
      window.forEach(FieldVector::close);
    }
    window = List.of();
    windowIsOurs = false;
  }

  /** Rows {@code [from, to)} of the values take the places of the window's that they are for. */
  private void patchWindow(long[] offsets, int from, int to, VectorSchemaRoot values) {
    int[] positions = new int[windowRows];
    for (int i = 0; i < windowRows; i++) {
      positions[i] = i;
    }
    for (int i = from; i < to; i++) {
      positions[(int) (offsets[i] - windowStart)] = windowRows + (i - from);
    }
    List<FieldVector> result = new ArrayList<>();
    try {
      for (FieldVector before : window) {
        FieldVector added = requireNonNull(values.getVector(before.getName()), before.getName());
        result.add(patched(before, added, from, to - from, positions));
      }
    } catch (RuntimeException e) {
      result.forEach(FieldVector::close);
      throw e;
    }
    release();
    window = result;
    windowIsOurs = true;
  }

  private FieldVector patched(
      FieldVector before, FieldVector added, int from, int count, int[] positions) {
    TransferPair slice = added.getTransferPair(before.getField(), context.allocator());
    slice.splitAndTransfer(from, count);
    try (FieldVector rows = (FieldVector) slice.getTo()) {
      if (count == windowRows) {
        return VectorSelection.copy(rows, context.allocator());
      }
      try (FieldVector both = VectorConcat.concat(List.of(before, rows), context.allocator())) {
        return VectorSelection.select(both, positions, context.allocator());
      }
    }
  }

  /**
   * Writes the rest of the old values, and finishes the file.
   *
   * @throws IllegalStateException when all rows were to be added and were not
   */
  public PatchedFragment finish() throws IOException {
    if (old == null && next != physicalRows) {
      throw new IllegalStateException(
          "fragment " + fragment.id() + ": " + next + " rows of " + physicalRows + " were added");
    }
    while (old != null && windowStart + windowRows < physicalRows) {
      advance(old);
    }
    flush();
    List<Fragment> written = writer.finish();
    return new PatchedFragment(
        columns.replacedIn(fragment, written.get(0).files().get(0)),
        DeletionVector.of(patched),
        columns.fieldIds());
  }

  /** Bytes of the finished file. */
  public long sizeBytes() {
    return writer.sizeBytes();
  }

  /** Leaves the finished file to the version that names it. */
  public void keep() {
    writer.keep();
  }

  @Override
  public void close() throws IOException {
    release();
    try {
      if (old != null) {
        old.close();
      }
    } finally {
      writer.close();
    }
  }
}
