package dev.narwhal.lance.write.columns;

import dev.narwhal.lance.datafile.write.WriterOptions;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.fragment.DataFile;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.scan.VectorSelection;
import dev.narwhal.lance.schema.ArrowTypes;
import dev.narwhal.lance.schema.BlobMode;
import dev.narwhal.lance.schema.LanceSchema;
import dev.narwhal.lance.storage.ObjectStore;
import dev.narwhal.lance.write.FragmentLimits;
import dev.narwhal.lance.write.FragmentWriter;
import dev.narwhal.lance.write.WriteContext;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.jspecify.annotations.Nullable;

/**
 * The new columns of one fragment, in a file of their own. Values come in the order of their rows'
 * offsets; rows that get none, deleted ones among them, are null. Closed before {@link #keep}, the
 * file is removed. One thread.
 */
final class ColumnFile implements Closeable {
  private static final int NULL_ROWS = 64 << 10;

  private final WriteContext context;
  private final Fragment fragment;
  private final LanceSchema columns;
  private final long physicalRows;
  private final FragmentWriter writer;
  private long next;
  private @Nullable Fragment finished;

  /**
   * @param store that the file is written to
   * @param columns all nullable, with their ids in the table
   */
  ColumnFile(
      WriteContext context,
      ObjectStore store,
      Fragment fragment,
      long physicalRows,
      LanceSchema columns,
      WriterOptions options) {
    if (physicalRows > Integer.MAX_VALUE) {
      throw new UnsupportedFeatureException(
          context.store().uri()
              + ": fragment "
              + fragment.id()
              + " has "
              + physicalRows
              + " rows, columns are added to at most 2^31 - 1; compact the table first");
    }
    this.context = context;
    this.fragment = fragment;
    this.columns = columns;
    this.physicalRows = physicalRows;
    // one file, whatever its size
    FragmentLimits limits = new FragmentLimits(physicalRows, Long.MAX_VALUE);
    this.writer = FragmentWriter.create(store, columns, limits, options);
  }

  Fragment fragment() {
    return fragment;
  }

  /**
   * Adds values.
   *
   * @param offsets ascending, all behind those before
   * @param values one row for each offset; they may get another row count here, and stay the
   *     caller's
   */
  void add(long[] offsets, VectorSchemaRoot values) throws IOException {
    int rows = offsets.length;
    if (rows == 0) {
      return;
    }
    addNulls(offsets[0] - next);
    long end = offsets[rows - 1] + 1;
    if (end - next == rows) {
      writer.write(values);
      next = end;
      return;
    }
    int at = 0;
    while (at < rows) {
      // sparse rows would need as many nulls at once as lie between them
      int to = at + 1;
      while (to < rows && offsets[to] - offsets[at] < NULL_ROWS) {
        to++;
      }
      addNulls(offsets[at] - next);
      spread(Arrays.copyOfRange(offsets, at, to), at, values);
      at = to;
    }
  }

  /** Writes rows with nulls between them where offsets are left out. */
  private void spread(long[] offsets, int first, VectorSchemaRoot values) throws IOException {
    int count = (int) (offsets[offsets.length - 1] + 1 - next);
    int[] positions = new int[count];
    int nothing = values.getRowCount();
    Arrays.fill(positions, nothing);
    for (int i = 0; i < offsets.length; i++) {
      positions[(int) (offsets[i] - next)] = first + i;
    }
    List<FieldVector> spread = new ArrayList<>();
    try {
      for (FieldVector vector : values.getFieldVectors()) {
        vector.setNull(nothing);
        vector.setValueCount(nothing + 1);
        spread.add(VectorSelection.select(vector, positions, context.allocator()));
      }
      try (VectorSchemaRoot batch = new VectorSchemaRoot(spread)) {
        batch.setRowCount(count);
        writer.write(batch);
      }
    } finally {
      values.getFieldVectors().forEach(vector -> vector.setValueCount(nothing));
      spread.forEach(FieldVector::close);
    }
    next += count;
  }

  private void addNulls(long count) throws IOException {
    long left = count;
    while (left > 0) {
      int rows = (int) Math.min(left, NULL_ROWS);
      try (VectorSchemaRoot batch =
          VectorSchemaRoot.create(
              ArrowTypes.toArrow(columns, BlobMode.BYTES), context.allocator())) {
        for (FieldVector vector : batch.getFieldVectors()) {
          vector.setNull(rows - 1);
        }
        batch.setRowCount(rows);
        writer.write(batch);
      }
      left -= rows;
      next += rows;
    }
  }

  /** Finishes the file, and gives the fragment with it; the second time only that. */
  Fragment finish() throws IOException {
    Fragment done = finished;
    if (done != null) {
      return done;
    }
    addNulls(physicalRows - next);
    List<Fragment> written = writer.finish();
    List<DataFile> files = new ArrayList<>(fragment.files());
    files.addAll(written.get(0).files());
    done = fragment.withFiles(files);
    finished = done;
    return done;
  }

  long sizeBytes() {
    return writer.sizeBytes();
  }

  /** Leaves the file to the version that names it. */
  void keep() {
    writer.keep();
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }
}
