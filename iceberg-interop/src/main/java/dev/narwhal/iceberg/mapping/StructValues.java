package dev.narwhal.iceberg.mapping;

import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ValueVector;
import org.apache.arrow.vector.complex.StructVector;

/** Values of an Iceberg {@code struct}: its fields have their values in the same rows. */
public final class StructValues implements ColumnValues {
  private final Column column;
  private final int[] positions;
  private final List<ColumnValues> fields;
  private ValueVector vector = Column.UNBOUND;

  /**
   * @param positions of the fields among the children of the vector
   */
  StructValues(Column column, int[] positions, List<ColumnValues> fields) {
    this.column = column;
    this.positions = positions;
    this.fields = List.copyOf(fields);
  }

  /** The fields, in the order of the Iceberg struct. */
  public List<ColumnValues> fields() {
    return fields;
  }

  @Override
  public void bind(FieldVector newVector, long firstRow) {
    if (!(newVector instanceof StructVector structs)) {
      throw column.unexpected(newVector);
    }
    column.at(firstRow);
    List<FieldVector> children = structs.getChildrenFromFields();
    for (int i = 0; i < positions.length; i++) {
      fields.get(i).bind(children.get(positions[i]), firstRow);
    }
    this.vector = structs;
  }

  @Override
  public boolean isNull(int row) {
    return vector.isNull(row);
  }

  @Override
  public <R> R accept(Visitor<R> visitor) {
    return visitor.struct(this);
  }
}
