package dev.narwhal.iceberg.parquet;

import dev.narwhal.iceberg.mapping.ColumnValues;
import java.util.stream.Stream;
import org.apache.iceberg.FieldMetrics;
import org.apache.iceberg.parquet.ColumnWriter;
import org.apache.iceberg.parquet.ParquetValueWriters;
import org.apache.parquet.column.ColumnDescriptor;

/** One Parquet column: its values, and its nulls where it may have some. */
final class LeafWriter extends ParquetValueWriters.PrimitiveWriter<Object>
    implements ColumnRowWriter {
  private final ArrowRows rows;
  private final String name;
  private final boolean optional;
  private final ColumnValues values;
  private final ValueWriter writer;
  private final int nullLevel;
  private long nulls;

  LeafWriter(
      ArrowRows rows,
      String name,
      boolean optional,
      ColumnValues values,
      ColumnDescriptor descriptor) {
    super(descriptor);
    this.rows = rows;
    this.name = name;
    this.optional = optional;
    this.values = values;
    this.nullLevel = descriptor.getMaxDefinitionLevel() - 1;
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
    if (!optional) {
      throw rows.unexpectedNull(name);
    }
    nulls++;
    column.writeNull(repetitionLevel, nullLevel);
  }

  /** Writes that there is no value because what would hold it is null or empty. */
  void writeAbsent(int repetitionLevel, int definitionLevel) {
    column.writeNull(repetitionLevel, definitionLevel);
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
