package dev.narwhal.lance.write.merge;

import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.fragment.RowAddress;
import dev.narwhal.lance.rowid.UnsignedOrder;
import dev.narwhal.lance.storage.Closing;
import dev.narwhal.lance.write.WriteContext;
import dev.narwhal.lance.write.update.ColumnPatch;
import dev.narwhal.lance.write.update.PatchedFragment;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Updates that stay in place: the source's columns of the matched rows are written to new files of
 * their fragments, in the order of the rows there. Until {@link #keep} the files are removed when
 * it is closed. One thread. Source: table format sheet 6.3.
 */
final class ColumnUpdates implements RowActions.Updates, Closeable {
  /** Rows that are put together at once. */
  private static final int CHUNK_ROWS = 1 << 15;

  private final WriteContext context;
  private final SourceSpool source;
  private final List<String> columns;
  private final List<ColumnPatch> patches = new ArrayList<>();
  private long[] addresses = new long[1024];
  private long[] rows = new long[1024];
  private int count;

  /**
   * @param source all of it in memory
   * @param columns of the source that are written, at least one
   */
  ColumnUpdates(WriteContext context, SourceSpool source, List<String> columns) {
    this.context = context;
    this.source = source;
    this.columns = List.copyOf(columns);
  }

  @Override
  public void accept(VectorSchemaRoot batch, long firstRow, int[] positions, long[] places) {
    if (count + places.length > rows.length) {
      int capacity = Math.max(Math.multiplyExact(2, count), count + places.length);
      addresses = Arrays.copyOf(addresses, capacity);
      rows = Arrays.copyOf(rows, capacity);
    }
    for (int i = 0; i < places.length; i++) {
      addresses[count] = places[i];
      rows[count] = firstRow + positions[i];
      count++;
    }
  }

  /** Writes the files; a fragment for each that has a row. */
  List<PatchedFragment> finish() throws IOException {
    int[] order = UnsignedOrder.of(Arrays.copyOf(addresses, count));
    List<PatchedFragment> patched = new ArrayList<>();
    for (int from = 0; from < count; ) {
      long id = RowAddress.fragmentId(addresses[order[from]]);
      int to = from;
      while (to < count && RowAddress.fragmentId(addresses[order[to]]) == id) {
        to++;
      }
      patched.add(patch(context.manifest().fragment(id).orElseThrow(), order, from, to));
      from = to;
    }
    return patched;
  }

  private PatchedFragment patch(Fragment fragment, int[] order, int from, int to)
      throws IOException {
    ColumnPatch patch = ColumnPatch.begin(context, fragment, columns);
    patches.add(patch);
    for (int at = from; at < to; at += CHUNK_ROWS) {
      int size = Math.min(CHUNK_ROWS, to - at);
      long[] offsets = new long[size];
      long[] sourceRows = new long[size];
      for (int i = 0; i < size; i++) {
        offsets[i] = RowAddress.offset(addresses[order[at + i]]);
        sourceRows[i] = rows[order[at + i]];
      }
      try (VectorSchemaRoot values = source.take(sourceRows, columns)) {
        patch.add(offsets, values);
      }
    }
    return patch.finish();
  }

  /** Bytes of the finished files. */
  long sizeBytes() {
    return patches.stream().mapToLong(ColumnPatch::sizeBytes).sum();
  }

  /** Leaves the files to the version that names them. */
  void keep() {
    patches.forEach(ColumnPatch::keep);
  }

  @Override
  public void close() throws IOException {
    Closing.all(patches);
  }
}
