package dev.narwhal.iceberg.mapping;

import java.util.function.IntUnaryOperator;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DateMilliVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.SmallIntVector;
import org.apache.arrow.vector.TinyIntVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.UInt2Vector;
import org.apache.arrow.vector.ValueVector;

/** Values of an Iceberg {@code int}, or of a {@code date} as days since 1970-01-01. */
public final class IntValues implements ColumnValues {
  private static final long MILLIS_PER_DAY = 86_400_000L;

  private final Column column;
  private ValueVector vector = Column.UNBOUND;
  private IntUnaryOperator reader = row -> 0;

  IntValues(Column column) {
    this.column = column;
  }

  @Override
  public void bind(FieldVector newVector, long firstRow) {
    column.at(firstRow);
    this.reader = reader(newVector);
    this.vector = newVector;
  }

  private IntUnaryOperator reader(FieldVector newVector) {
    if (newVector instanceof IntVector ints) {
      return ints::get;
    }
    if (newVector instanceof SmallIntVector shorts) {
      return shorts::get;
    }
    if (newVector instanceof TinyIntVector bytes) {
      return bytes::get;
    }
    if (newVector instanceof UInt1Vector bytes) {
      return row -> Byte.toUnsignedInt(bytes.get(row));
    }
    if (newVector instanceof UInt2Vector chars) {
      return chars::get;
    }
    if (newVector instanceof DateDayVector days) {
      return days::get;
    }
    if (newVector instanceof DateMilliVector millis) {
      return row -> days(row, millis.get(row));
    }
    throw column.unexpected(newVector);
  }

  private int days(int row, long millis) {
    long days = Math.floorDiv(millis, MILLIS_PER_DAY);
    if (days * MILLIS_PER_DAY != millis) {
      throw column.fault(row, "date64 " + millis + " ms is not on a day's boundary");
    }
    if (days != (int) days) {
      throw column.fault(row, "date64 " + millis + " ms is out of the range of Iceberg dates");
    }
    return (int) days;
  }

  @Override
  public boolean isNull(int row) {
    return vector.isNull(row);
  }

  /**
   * The value.
   *
   * @throws UnmappableValueException if it is a date64 that is no whole day
   */
  public int get(int row) {
    return reader.applyAsInt(row);
  }

  @Override
  public <R> R accept(Visitor<R> visitor) {
    return visitor.ints(this);
  }
}
