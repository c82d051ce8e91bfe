package dev.narwhal.iceberg.mapping;

import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float2Vector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.ValueVector;

/** Values of an Iceberg {@code float}; half floats are widened. */
public final class FloatValues implements ColumnValues {
  private interface Reader {
    float get(int row);
  }

  private final Column column;
  private ValueVector vector = Column.UNBOUND;
  private Reader reader = row -> 0;

  FloatValues(Column column) {
    this.column = column;
  }

  @Override
  public void bind(FieldVector newVector, long firstRow) {
    column.at(firstRow);
    if (newVector instanceof Float4Vector floats) {
      this.reader = floats::get;
    } else if (newVector instanceof Float2Vector halves) {
      this.reader = halves::getValueAsFloat;
    } else {
      throw column.unexpected(newVector);
    }
    this.vector = newVector;
  }

  @Override
  public boolean isNull(int row) {
    return vector.isNull(row);
  }

  public float get(int row) {
    return reader.get(row);
  }

  @Override
  public <R> R accept(Visitor<R> visitor) {
    return visitor.floats(this);
  }
}
