package dev.narwhal.iceberg.parquet;

import dev.narwhal.iceberg.mapping.ColumnValues;
import java.util.stream.Stream;
import org.apache.iceberg.FieldMetrics;
import org.apache.iceberg.parquet.ColumnWriter;
import org.apache.iceberg.parquet.ParquetValueWriters;
import org.apache.parquet.column.ColumnDescriptor;

/** One Parquet column: its values, and its nulls where it may have some. */
final class LeafWriter extends ParquetValueWriters.PrimitiveWriter<Object> implements FieldWriter {
  private final Nullability nullability;
  private final ColumnValues values;
  private final ValueWriter writer;

  /** Also those of structs above; Iceberg keeps no metrics of what is in lists and maps. */
  private long nulls;

  LeafWriter(Nullability nullability, ColumnValues values, ColumnDescriptor descriptor) {
    super(descriptor);
    this.nullability = nullability;
    this.values = values;
    this.writer = values.accept(new ValueWriters(column(), descriptor.getPrimitiveType()));
  }

  private ColumnWriter<Object> column() {
    return column;
  }

  @Override
  public void write(int repetitionLevel, int row) {
    if (!values.isNull(row)) {
      writer.write(repetitionLevel, row);
      return;
    }
    column.writeNull(repetitionLevel, nullability.nullLevel());
    nulls++;
  }

  @Override
  public void writeAbsent(int repetitionLevel, int definitionLevel) {
    column.writeNull(repetitionLevel, definitionLevel);
    nulls++;
  }

  @Override
  public Stream<FieldMetrics<?>> metrics() {
    return writer.metrics().map(this::withNulls);
  }

  private <T> FieldMetrics<T> withNulls(FieldMetrics<T> ofValues) {
    return new FieldMetrics<>(
        ofValues.id(),
        ofValues.valueCount() + nulls,
        nulls,
        ofValues.nanValueCount(),
        ofValues.lowerBound(),
        ofValues.upperBound(),
        ofValues.originalType());
  }
}
