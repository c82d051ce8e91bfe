package dev.narwhal.iceberg.mapping;

import java.util.function.IntPredicate;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ValueVector;

/** Values of an Iceberg {@code boolean}. */
public final class BooleanValues implements ColumnValues {
  private final Column column;
  private ValueVector vector = Column.UNBOUND;
  private IntPredicate reader = row -> false;

  BooleanValues(Column column) {
    this.column = column;
  }

  @Override
  public void bind(FieldVector newVector, long firstRow) {
    if (!(newVector instanceof BitVector bits)) {
      throw column.unexpected(newVector);
    }
    column.at(firstRow);
    this.vector = bits;
    this.reader = row -> bits.get(row) != 0;
  }

  @Override
  public boolean isNull(int row) {
    return vector.isNull(row);
  }

  public boolean get(int row) {
    return reader.test(row);
  }

  @Override
  public <R> R accept(Visitor<R> visitor) {
    return visitor.booleans(this);
  }
}
