package dev.narwhal.iceberg.export;

import dev.narwhal.iceberg.mapping.TableMapping;
import dev.narwhal.iceberg.mapping.UnmappableValueException;
import dev.narwhal.iceberg.parquet.ArrowRows;
import dev.narwhal.iceberg.source.RowBatches;
import dev.narwhal.iceberg.source.SourceFragment;
import dev.narwhal.lance.deletion.DeletionVector;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.OutputFileFactory;

/** Turns a fragment into data files: all of its rows in place, or only the live ones. */
final class FragmentWriter {
  private final Table table;
  private final TableMapping mapping;
  private final SourceFragment fragment;
  private final DeletionVector left;
  private long[] mask = new long[0];

  private FragmentWriter(
      Table table, TableMapping mapping, SourceFragment fragment, DeletionVector left) {
    this.table = table;
    this.mapping = mapping;
    this.fragment = fragment;
    this.left = left;
  }

  /** Every physical row, so that position and row offset correspond. */
  static FragmentWriter ofAllRows(Table table, TableMapping mapping, SourceFragment fragment) {
    return new FragmentWriter(table, mapping, fragment, DeletionVector.empty());
  }

  /** The rows that are not in {@code deletions}. */
  static FragmentWriter ofLiveRows(
      Table table, TableMapping mapping, SourceFragment fragment, DeletionVector deletions) {
    return new FragmentWriter(table, mapping, fragment, deletions);
  }

  List<WrittenFile> write(OutputFileFactory files) throws IOException {
    ArrowRows rows = new ArrowRows(mapping);
    try (RowBatches batches = fragment.open(mapping.sources());
        RollingDataFiles out = new RollingDataFiles(table, files, rows)) {
      long offset = 0;
      Optional<VectorSchemaRoot> batch = batches.next();
      while (batch.isPresent()) {
        int count = batch.get().getRowCount();
        rows.bind(batch.get(), offset);
        writeBatch(rows, out, offset, count);
        offset += count;
        batch = batches.next();
      }
      if (offset != fragment.physicalRows()) {
        throw new IllegalStateException(
            place() + ": " + offset + " rows read, " + fragment.physicalRows() + " expected");
      }
      return out.finish(offset);
    } catch (UnmappableValueException e) {
      throw e.in(place());
    }
  }

  private void writeBatch(ArrowRows rows, RollingDataFiles out, long offset, int count)
      throws IOException {
    boolean all = left.isEmpty();
    if (!all) {
      copyMask(offset, count);
    }
    for (int row = 0; row < count; row++) {
      if (all || (mask[row >>> 6] & (1L << row)) == 0) {
        rows.moveTo(row);
        out.write(offset + row);
      }
    }
  }

  private void copyMask(long offset, int count) {
    int words = (count + Long.SIZE - 1) / Long.SIZE;
    if (mask.length < words) {
      mask = new long[words];
    }
    left.copyBits(offset, count, mask);
  }

  private String place() {
    return "fragment " + fragment.id();
  }
}
