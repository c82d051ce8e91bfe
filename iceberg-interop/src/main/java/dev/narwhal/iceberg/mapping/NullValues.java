package dev.narwhal.iceberg.mapping;

import org.apache.arrow.vector.FieldVector;

/** Values of an Iceberg {@code unknown}: there are none, whatever the vector. */
public final class NullValues implements ColumnValues {
  static final NullValues INSTANCE = new NullValues();

  private NullValues() {}

  @Override
  public void bind(FieldVector vector, long firstRow) {}

  @Override
  public boolean isNull(int row) {
    return true;
  }

  @Override
  public <R> R accept(Visitor<R> visitor) {
    return visitor.nulls(this);
  }
}
