package dev.narwhal.iceberg.rowdelete.plan;

import dev.narwhal.iceberg.rowdelete.rows.VectorValues;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionField;
import org.apache.iceberg.PartitionKey;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.PartitionSet;
import org.jspecify.annotations.Nullable;

/**
 * The rows that lie in some partitions of a spec. Files of that spec are in one of them or not;
 * those of another spec may have rows in several, and are read by the spec's columns.
 */
public final class PartitionMatcher implements RowMatcher, FileScreen {
  private final Schema schema;
  private final PartitionSpec spec;
  private final PartitionSet partitions;
  private final Schema sources;

  /**
   * @param partitions of the spec, at least one
   * @throws UnsupportedFeatureException if a column of the spec is in a struct
   */
  public PartitionMatcher(Schema schema, PartitionSpec spec, PartitionSet partitions) {
    this.schema = schema;
    this.spec = spec;
    this.partitions = partitions;
    Set<Integer> ids = new LinkedHashSet<>();
    for (PartitionField field : spec.fields()) {
      if (field.transform().isVoid()) {
        continue;
      }
      if (schema.asStruct().field(field.sourceId()) == null) {
        throw new UnsupportedFeatureException(
            "the partition field " + field.name() + " of a column within a struct");
      }
      ids.add(field.sourceId());
    }
    this.sources =
        new Schema(
            schema.columns().stream().filter(column -> ids.contains(column.fieldId())).toList());
  }

  @Override
  public String text() {
    return "the partitions of the new rows";
  }

  @Override
  public Set<String> columns() {
    Set<String> names = new LinkedHashSet<>();
    sources.columns().forEach(column -> names.add(column.name()));
    return names;
  }

  @Override
  public Matching matching(FileScanTask task) {
    if (spec.isUnpartitioned()) {
      return Matching.ALL;
    }
    if (task.file().specId() != spec.specId()) {
      return Matching.SOME;
    }
    return isInside(task.file()) ? Matching.ALL : Matching.NONE;
  }

  private boolean isInside(ContentFile<?> file) {
    return partitions.contains(file.specId(), file.partition());
  }

  /** Whether rows of a data file may lie in the partitions. */
  public boolean mayHoldRows(ContentFile<?> file) {
    return spec.isUnpartitioned() || file.specId() != spec.specId() || isInside(file);
  }

  @Override
  public void match(VectorSchemaRoot batch, long[] matches) {
    PartitionKey key = new PartitionKey(spec, schema);
    BatchRow row = new BatchRow(batch, sources.columns());
    StructLike all = new AllColumns(schema, row);
    for (int i = 0; i < batch.getRowCount(); i++) {
      row.row = i;
      key.partition(all);
      if (partitions.contains(spec.specId(), key)) {
        matches[i >>> 6] |= 1L << i;
      }
    }
  }

  /** A row of a batch: the source columns by their place. */
  private static final class BatchRow {
    private final VectorSchemaRoot batch;
    private final List<Types.NestedField> columns;
    private int row;

    private BatchRow(VectorSchemaRoot batch, List<Types.NestedField> columns) {
      this.batch = batch;
      this.columns = columns;
    }

    private @Nullable Object value(int fieldId) {
      for (Types.NestedField column : columns) {
        if (column.fieldId() == fieldId) {
          return VectorValues.get(batch.getVector(column.name()), column.type(), row);
        }
      }
      return null;
    }
  }

  /** The row with the places of the table's schema, which partition keys go by. */
  private record AllColumns(Schema schema, BatchRow row) implements StructLike {
    @Override
    public int size() {
      return schema.columns().size();
    }

    @Override
    public <T> @Nullable T get(int position, Class<T> type) {
      return type.cast(row.value(schema.columns().get(position).fieldId()));
    }

    @Override
    public <T> void set(int position, T value) {
      throw new UnsupportedOperationException("a row of a batch is read only");
    }
  }
}
