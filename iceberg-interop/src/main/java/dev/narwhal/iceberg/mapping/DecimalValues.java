package dev.narwhal.iceberg.mapping;

import java.math.BigInteger;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.Decimal256Vector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.ValueVector;
import org.apache.iceberg.types.Types;

/**
 * Values of an Iceberg {@code decimal}, as two's complement of 128 bits in two halves. A value is
 * loaded, then its halves are asked for.
 */
public final class DecimalValues implements ColumnValues {
  private interface Loader {
    void load(int row);
  }

  private final Column column;
  private final int precision;
  private final int scale;

  /** 10^precision, the first magnitude that is too large. */
  private final long limitHigh;

  private final long limitLow;

  private ValueVector vector = Column.UNBOUND;
  private Loader loader = row -> {};
  private long high;
  private long low;

  DecimalValues(Column column, Types.DecimalType type) {
    this.column = column;
    this.precision = type.precision();
    this.scale = type.scale();
    BigInteger limit = BigInteger.TEN.pow(precision);
    this.limitHigh = limit.shiftRight(Long.SIZE).longValue();
    this.limitLow = limit.longValue();
  }

  public int precision() {
    return precision;
  }

  public int scale() {
    return scale;
  }

  @Override
  public void bind(FieldVector newVector, long firstRow) {
    column.at(firstRow);
    this.loader = loader(newVector);
    this.vector = newVector;
  }

  private Loader loader(FieldVector newVector) {
    ArrowBuf data = newVector.getDataBuffer();
    if (newVector instanceof DecimalVector) {
      return row -> {
        long at = (long) row * DecimalVector.TYPE_WIDTH;
        this.low = data.getLong(at);
        this.high = data.getLong(at + 8);
      };
    }
    if (newVector instanceof Decimal256Vector) {
      return row -> {
        long at = (long) row * Decimal256Vector.TYPE_WIDTH;
        this.low = data.getLong(at);
        this.high = data.getLong(at + 8);
        long sign = high >> 63;
        if (data.getLong(at + 16) != sign || data.getLong(at + 24) != sign) {
          throw tooLarge(row);
        }
      };
    }
    if (newVector instanceof UInt8Vector unsigned) {
      return row -> {
        this.low = unsigned.get(row);
        this.high = 0;
      };
    }
    throw column.unexpected(newVector);
  }

  @Override
  public boolean isNull(int row) {
    return vector.isNull(row);
  }

  /**
   * Turns to a value.
   *
   * @throws UnmappableValueException if it has more digits than its type declares
   */
  public void load(int row) {
    loader.load(row);
    long magnitudeLow = high < 0 ? -low : low;
    long magnitudeHigh = high < 0 ? ~high + (low == 0 ? 1 : 0) : high;
    int order = Long.compareUnsigned(magnitudeHigh, limitHigh);
    if (order > 0 || (order == 0 && Long.compareUnsigned(magnitudeLow, limitLow) >= 0)) {
      throw tooLarge(row);
    }
  }

  /** The lower 64 bits of the unscaled value; all of it where the precision is at most 18. */
  public long low() {
    return low;
  }

  /** The upper 64 bits of the unscaled value. */
  public long high() {
    return high;
  }

  private UnmappableValueException tooLarge(int row) {
    return column.fault(row, "a decimal of more than its type's " + precision + " digits");
  }

  @Override
  public <R> R accept(Visitor<R> visitor) {
    return visitor.decimals(this);
  }
}
