package dev.narwhal.iceberg.mapping;

import java.util.function.IntToLongFunction;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.TimeMicroVector;
import org.apache.arrow.vector.TimeMilliVector;
import org.apache.arrow.vector.TimeNanoVector;
import org.apache.arrow.vector.TimeSecVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.ValueVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.iceberg.types.Type;

/**
 * Values of an Iceberg {@code long}; of a {@code time} as microseconds of the day; of a {@code
 * timestamp} as microseconds and of a {@code timestamp_ns} as nanoseconds since 1970-01-01T00:00:00
 * (UTC where zoned).
 */
public final class LongValues implements ColumnValues {
  private static final long MICROS_PER_DAY = 86_400_000_000L;

  private final Column column;
  private final Type.TypeID type;
  private ValueVector vector = Column.UNBOUND;
  private IntToLongFunction reader = row -> 0;

  LongValues(Column column, Type.TypeID type) {
    this.column = column;
    this.type = type;
  }

  @Override
  public void bind(FieldVector newVector, long firstRow) {
    column.at(firstRow);
    this.reader =
        switch (type) {
          case TIME -> times(newVector);
          case TIMESTAMP, TIMESTAMP_NANO -> timestamps(newVector);
          default -> integers(newVector);
        };
    this.vector = newVector;
  }

  private IntToLongFunction integers(FieldVector newVector) {
    if (newVector instanceof BigIntVector longs) {
      return longs::get;
    }
    if (newVector instanceof UInt4Vector ints) {
      return row -> Integer.toUnsignedLong(ints.get(row));
    }
    throw column.unexpected(newVector);
  }

  private IntToLongFunction times(FieldVector newVector) {
    if (newVector instanceof TimeMicroVector micros) {
      return row -> ofDay(row, micros.get(row));
    }
    if (newVector instanceof TimeMilliVector millis) {
      return row -> ofDay(row, millis.get(row) * 1_000L);
    }
    if (newVector instanceof TimeSecVector seconds) {
      return row -> ofDay(row, seconds.get(row) * 1_000_000L);
    }
    if (newVector instanceof TimeNanoVector nanos) {
      return row -> ofDay(row, wholeMicros(row, nanos.get(row)));
    }
    throw column.unexpected(newVector);
  }

  private IntToLongFunction timestamps(FieldVector newVector) {
    if (!(newVector instanceof TimeStampVector stamps
        && newVector.getField().getType() instanceof ArrowType.Timestamp arrow)) {
      throw column.unexpected(newVector);
    }
    return switch (arrow.getUnit()) {
      case SECOND -> row -> micros(row, stamps.get(row), 1_000_000L, "s");
      case MILLISECOND -> row -> micros(row, stamps.get(row), 1_000L, "ms");
      case MICROSECOND, NANOSECOND -> stamps::get;
    };
  }

  private long ofDay(int row, long micros) {
    if (micros < 0 || micros >= MICROS_PER_DAY) {
      throw column.fault(row, "time " + micros + " us is not within a day");
    }
    return micros;
  }

  private long wholeMicros(int row, long nanos) {
    if (nanos % 1_000 != 0) {
      throw column.fault(
          row,
          "time "
              + nanos
              + " ns is not whole microseconds, the unit of Iceberg times; a policy for unsupported"
              + " types drops the column or makes it text");
    }
    return nanos / 1_000;
  }

  private long micros(int row, long value, long factor, String unit) {
    long micros = value * factor;
    if (micros / factor != value) {
      throw column.fault(
          row, "timestamp " + value + " " + unit + " is out of the range of 64-bit microseconds");
    }
    return micros;
  }

  @Override
  public boolean isNull(int row) {
    return vector.isNull(row);
  }

  /**
   * The value.
   *
   * @throws UnmappableValueException if it does not fit the unit of the Iceberg type
   */
  public long get(int row) {
    return reader.applyAsLong(row);
  }

  @Override
  public <R> R accept(Visitor<R> visitor) {
    return visitor.longs(this);
  }
}
