package dev.narwhal.lance.write.merge;

import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.scan.Take;
import dev.narwhal.lance.scan.VectorSelection;
import dev.narwhal.lance.schema.BlobMode;
import dev.narwhal.lance.write.FragmentWriter;
import dev.narwhal.lance.write.RowIdRuns;
import dev.narwhal.lance.write.WriteContext;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The rows that a merge writes: first those of the table with other values, which keep their stable
 * row ids, then those that are new. Columns that the source lacks keep the table's values, or are
 * null in new rows. One thread.
 */
final class NewRows {
  private final WriteContext context;
  private final FragmentWriter writer;

  /** Columns that are written, in order. */
  private final List<Field> columns;

  private final List<String> kept;
  private final MovedRowIds movedIds;
  private final PairPace pace;
  private boolean inserting;

  /**
   * @param columns that the writer writes
   * @param source columns of the source
   * @param pace is told what the rows take that are read of the table
   */
  NewRows(
      WriteContext context,
      FragmentWriter writer,
      List<Field> columns,
      SourceColumns source,
      PairPace pace) {
    this.pace = pace;
    this.context = context;
    this.writer = writer;
    this.columns = List.copyOf(columns);
    List<String> missing = source.missing().stream().map(Field::getName).toList();
    this.kept = columns.stream().map(Field::getName).filter(missing::contains).toList();
    this.movedIds = new MovedRowIds(context);
  }

  /**
   * Writes rows of the table anew.
   *
   * @param source batch of the source
   * @param firstRow number of its first row, which does not matter here
   * @param positions rows of the batch
   * @param addresses where the rows are in the table, one for each
   */
  void update(VectorSchemaRoot source, long firstRow, int[] positions, long[] addresses)
      throws IOException {
    if (inserting) {
      throw new IllegalStateException("updated rows come before new ones");
    }
    if (positions.length == 0) {
      return;
    }
    movedIds.add(addresses);
    if (kept.isEmpty()) {
      write(source, positions, List.of());
    } else {
      Take take =
          new Take(
              context.manifest().schema(),
              context.rows(),
              kept,
              Runtime.getRuntime().availableProcessors(),
              BlobMode.BYTES);
      try (VectorSchemaRoot values = take.addresses(addresses, context.allocator())) {
        values.getFieldVectors().forEach(vector -> pace.read(vector.getBufferSize()));
        write(source, positions, values.getFieldVectors());
      }
    }
  }

  /**
   * Writes new rows.
   *
   * @param positions rows of the batch
   */
  private void insert(VectorSchemaRoot source, int[] positions) throws IOException {
    inserting = true;
    if (positions.length == 0) {
      return;
    }
    List<FieldVector> nulls = new ArrayList<>(kept.size());
    try {
      for (Field column : columns) {
        if (kept.contains(column.getName())) {
          FieldVector vector = column.createVector(context.allocator());
          nulls.add(vector);
          vector.setInitialCapacity(positions.length);
          vector.allocateNew();
          vector.setValueCount(positions.length);
        }
      }
      write(source, positions, nulls);
    } finally {
      nulls.forEach(FieldVector::close);
    }
  }

  /**
   * Writes new rows.
   *
   * @param keys takes their keys
   */
  RowActions.Inserts inserts(Optional<InsertedKeyFilter> keys) {
    return (batch, positions) -> {
      insert(batch, positions);
      keys.ifPresent(filter -> filter.add(batch, positions));
    };
  }

  /** Ends the writing; the fragments bring the row ids of the rows that moved. */
  List<Fragment> finish() throws IOException {
    return movedIds.into(writer.finish());
  }

  /**
   * Writes rows of the source with other columns beside them.
   *
   * @param others values of the columns that the source lacks
   */
  private void write(VectorSchemaRoot source, int[] positions, List<FieldVector> others)
      throws IOException {
    boolean all = isAll(source, positions);
    List<FieldVector> vectors = new ArrayList<>(columns.size());
    List<FieldVector> selected = new ArrayList<>(columns.size());
    try {
      for (Field column : columns) {
        int other = kept.indexOf(column.getName());
        if (other >= 0) {
          vectors.add(others.get(other));
        } else if (all) {
          vectors.add(source.getVector(column.getName()));
        } else {
          FieldVector rows =
              VectorSelection.select(
                  source.getVector(column.getName()), positions, context.allocator());
          selected.add(rows);
          vectors.add(rows);
        }
      }
      // not closed: the vectors are closed one by one, or are others'
      writer.write(new VectorSchemaRoot(new Schema(columns), vectors, positions.length));
    } finally {
      selected.forEach(FieldVector::close);
    }
  }

  private static boolean isAll(VectorSchemaRoot batch, int[] positions) {
    if (positions.length != batch.getRowCount()) {
      return false;
    }
    for (int i = 0; i < positions.length; i++) {
      if (positions[i] != i) {
        return false;
      }
    }
    return true;
  }

  /** The stable row ids of rows that move, in the order in which they are written. */
  private static final class MovedRowIds {
    private final RowIdsByAddress ids;
    private final boolean stable;
    private final RowIdRuns moved = new RowIdRuns();

    MovedRowIds(WriteContext context) {
      this.stable = context.manifest().stableRowIds();
      this.ids = new RowIdsByAddress(context);
    }

    void add(long[] addresses) throws IOException {
      if (stable) {
        long[] found = new long[addresses.length];
        ids.copyTo(addresses, found, 0);
        for (long id : found) {
          moved.add(id);
        }
      }
    }

    /** Deals them out to the fragments; the last may have more rows than there are ids. */
    List<Fragment> into(List<Fragment> fragments) {
      return moved.dealtTo(fragments);
    }
  }
}
