package dev.narwhal.iceberg.mapping;

import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ValueVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;

/**
 * Values of an Iceberg {@code list}: a row's elements are rows {@code [start(row), start(row) +
 * size())} of {@link #elements}.
 */
public final class ListValues implements ColumnValues {
  private final Column column;
  private final ColumnValues elements;
  private ValueVector vector = Column.UNBOUND;
  private int size;

  ListValues(Column column, ColumnValues elements) {
    this.column = column;
    this.elements = elements;
  }

  /** The elements of all rows of the batch, one after the other. */
  public ColumnValues elements() {
    return elements;
  }

  @Override
  public void bind(FieldVector newVector, long firstRow) {
    if (!(newVector instanceof FixedSizeListVector lists)) {
      throw column.unexpected(newVector);
    }
    column.at(firstRow);
    this.vector = lists;
    this.size = lists.getListSize();
    elements.bind(lists.getDataVector(), firstRow * size);
  }

  @Override
  public boolean isNull(int row) {
    return vector.isNull(row);
  }

  public int start(int row) {
    return row * size;
  }

  /** Number of elements of every row, at least 0. */
  public int size() {
    return size;
  }

  @Override
  public <R> R accept(Visitor<R> visitor) {
    return visitor.list(this);
  }
}
