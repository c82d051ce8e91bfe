package dev.narwhal.iceberg.mapping;

import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ValueVector;
import org.apache.arrow.vector.complex.MapVector;

/**
 * Values of an Iceberg {@code list}. A list is taken in hand; its elements are rows {@code
 * [start(), end())} of {@link #elements}.
 */
public final class ListValues implements ColumnValues {
  private final Column column;
  private final ColumnValues elements;
  private ValueVector vector = Column.UNBOUND;
  private Spans spans = Spans.NONE;
  private int start;
  private int end;

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
    if (newVector instanceof MapVector) {
      throw column.unexpected(newVector);
    }
    column.at(firstRow);
    this.spans = Spans.of(newVector, column);
    this.vector = newVector;
    elements.bind(newVector.getChildrenFromFields().get(0), firstRow);
  }

  @Override
  public boolean isNull(int row) {
    return vector.isNull(row);
  }

  /** Takes the list of a row in hand, before its elements are asked for. */
  public void take(int row) {
    column.take(row);
    this.start = spans.start(row);
    this.end = spans.end(row);
  }

  /** The first element of the list in hand. */
  public int start() {
    return start;
  }

  /** After its last element. */
  public int end() {
    return end;
  }

  @Override
  public <R> R accept(Visitor<R> visitor) {
    return visitor.list(this);
  }
}
