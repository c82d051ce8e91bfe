package dev.narwhal.iceberg.mapping;

import java.util.function.IntToDoubleFunction;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.ValueVector;

/** Values of an Iceberg {@code double}. */
public final class DoubleValues implements ColumnValues {
  private final Column column;
  private ValueVector vector = Column.UNBOUND;
  private IntToDoubleFunction reader = row -> 0;

  DoubleValues(Column column) {
    this.column = column;
  }

  @Override
  public void bind(FieldVector newVector, long firstRow) {
    if (!(newVector instanceof Float8Vector doubles)) {
      throw column.unexpected(newVector);
    }
    column.at(firstRow);
    this.vector = doubles;
    this.reader = doubles::get;
  }

  @Override
  public boolean isNull(int row) {
    return vector.isNull(row);
  }

  public double get(int row) {
    return reader.applyAsDouble(row);
  }

  @Override
  public <R> R accept(Visitor<R> visitor) {
    return visitor.doubles(this);
  }
}
