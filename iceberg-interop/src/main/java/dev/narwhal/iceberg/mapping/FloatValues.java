package dev.narwhal.iceberg.mapping;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.Float2Vector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.ValueVector;

/** Values of an Iceberg {@code float}; half floats and bfloat16 are widened. */
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
    FieldVector storage = Column.storage(newVector);
    if (storage instanceof Float4Vector floats) {
      this.reader = floats::get;
    } else if (storage instanceof Float2Vector halves) {
      this.reader = halves::getValueAsFloat;
    } else if (storage instanceof FixedSizeBinaryVector brains
        && brains.getByteWidth() == Short.BYTES) {
      ArrowBuf data = brains.getDataBuffer();
      this.reader =
          row -> Float.intBitsToFloat(data.getShort((long) row * Short.BYTES) << Short.SIZE);
    } else {
      throw column.unexpected(newVector);
    }
    this.vector = storage;
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
