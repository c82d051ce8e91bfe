package dev.narwhal.iceberg.parquet;

import dev.narwhal.iceberg.mapping.BooleanValues;
import dev.narwhal.iceberg.mapping.BytesValues;
import dev.narwhal.iceberg.mapping.ColumnValues;
import dev.narwhal.iceberg.mapping.DecimalValues;
import dev.narwhal.iceberg.mapping.DoubleValues;
import dev.narwhal.iceberg.mapping.FloatValues;
import dev.narwhal.iceberg.mapping.IntValues;
import dev.narwhal.iceberg.mapping.ListValues;
import dev.narwhal.iceberg.mapping.LongValues;
import dev.narwhal.iceberg.mapping.MapValues;
import dev.narwhal.iceberg.mapping.NullValues;
import dev.narwhal.iceberg.mapping.StructValues;
import java.nio.ByteBuffer;
import java.util.stream.Stream;
import org.apache.iceberg.DoubleFieldMetrics;
import org.apache.iceberg.FieldMetrics;
import org.apache.iceberg.FloatFieldMetrics;
import org.apache.iceberg.parquet.ColumnWriter;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.PrimitiveType;

/** Which Parquet value each shape of {@link ColumnValues} is written as. */
final class ValueWriters implements ColumnValues.Visitor<ValueWriter> {
  private final ColumnWriter<?> column;
  private final PrimitiveType type;

  ValueWriters(ColumnWriter<?> column, PrimitiveType type) {
    this.column = column;
    this.type = type;
  }

  @Override
  public ValueWriter booleans(BooleanValues values) {
    return (level, row) -> column.writeBoolean(level, values.get(row));
  }

  @Override
  public ValueWriter ints(IntValues values) {
    return (level, row) -> column.writeInteger(level, values.get(row));
  }

  @Override
  public ValueWriter longs(LongValues values) {
    return (level, row) -> column.writeLong(level, values.get(row));
  }

  @Override
  public ValueWriter floats(FloatValues values) {
    FloatFieldMetrics.Builder metrics = new FloatFieldMetrics.Builder(fieldId());
    return new ValueWriter() {
      @Override
      public void write(int level, int row) {
        float value = values.get(row);
        metrics.addValue(value);
        column.writeFloat(level, value);
      }

      @Override
      public Stream<FieldMetrics<?>> metrics() {
        return Stream.of(metrics.build());
      }
    };
  }

  @Override
  public ValueWriter doubles(DoubleValues values) {
    DoubleFieldMetrics.Builder metrics = new DoubleFieldMetrics.Builder(fieldId());
    return new ValueWriter() {
      @Override
      public void write(int level, int row) {
        double value = values.get(row);
        metrics.addValue(value);
        column.writeDouble(level, value);
      }

      @Override
      public Stream<FieldMetrics<?>> metrics() {
        return Stream.of(metrics.build());
      }
    };
  }

  /** Iceberg spec, appendix A: up to 9 digits an int32, up to 18 an int64, else fixed bytes. */
  @Override
  public ValueWriter decimals(DecimalValues values) {
    return switch (type.getPrimitiveTypeName()) {
      case INT32 ->
          (level, row) -> {
            values.load(row);
            column.writeInteger(level, (int) values.low());
          };
      case INT64 ->
          (level, row) -> {
            values.load(row);
            column.writeLong(level, values.low());
          };
      default -> fixedDecimals(values, type.getTypeLength());
    };
  }

  /** Big-endian two's complement of {@code width} bytes, 9 to 16. */
  private ValueWriter fixedDecimals(DecimalValues values, int width) {
    byte[] bytes = new byte[2 * Long.BYTES];
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    Binary binary = Binary.fromReusedByteArray(bytes, bytes.length - width, width);
    return (level, row) -> {
      values.load(row);
      buffer.putLong(0, values.high()).putLong(Long.BYTES, values.low());
      column.writeBinary(level, binary);
    };
  }

  /** A reused array: Parquet copies what it keeps. */
  @Override
  public ValueWriter bytes(BytesValues values) {
    return (level, row) -> {
      values.load(row);
      column.writeBinary(level, Binary.fromReusedByteArray(values.bytes(), 0, values.length()));
    };
  }

  @Override
  public ValueWriter nulls(NullValues values) {
    throw notOne();
  }

  @Override
  public ValueWriter struct(StructValues values) {
    throw notOne();
  }

  @Override
  public ValueWriter list(ListValues values) {
    throw notOne();
  }

  @Override
  public ValueWriter map(MapValues values) {
    throw notOne();
  }

  private IllegalArgumentException notOne() {
    return new IllegalArgumentException("not one value of Parquet's " + type);
  }

  private int fieldId() {
    return type.getId().intValue();
  }
}
