package dev.narwhal.iceberg.mapping;

import org.apache.arrow.vector.FieldVector;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/**
 * The values of one column after the type mapping, read from the Arrow vector of the batch in hand
 * without boxing. One variant for each shape in which Iceberg holds values.
 *
 * <p>Not safe for use by several threads. Values are asked for by row of the bound batch, and only
 * where {@link #isNull} is false.
 */
public sealed interface ColumnValues
    permits BooleanValues,
        BytesValues,
        DecimalValues,
        DoubleValues,
        FloatValues,
        IntValues,
        ListValues,
        LongValues {
  /**
   * Turns to another batch. The vector stays the caller's and must outlive the reads.
   *
   * @param firstRow number of the batch's first row, for messages
   * @throws IllegalArgumentException if the vector is of another type than the column was mapped
   *     from
   */
  void bind(FieldVector vector, long firstRow);

  boolean isNull(int row);

  <R> R accept(Visitor<R> visitor);

  /** One method for each shape. */
  interface Visitor<R> {
    R booleans(BooleanValues values);

    R ints(IntValues values);

    R longs(LongValues values);

    R floats(FloatValues values);

    R doubles(DoubleValues values);

    R decimals(DecimalValues values);

    R bytes(BytesValues values);

    R list(ListValues values);
  }

  /**
   * The values of a column that {@link TypeMapping} made of type {@code type}.
   *
   * @param name for messages
   */
  static ColumnValues of(String name, Type type) {
    Column column = new Column(name);
    return switch (type.typeId()) {
      case BOOLEAN -> new BooleanValues(column);
      case INTEGER, DATE -> new IntValues(column);
      case LONG, TIME, TIMESTAMP, TIMESTAMP_NANO -> new LongValues(column, type.typeId());
      case FLOAT -> new FloatValues(column);
      case DOUBLE -> new DoubleValues(column);
      case DECIMAL -> new DecimalValues(column, (Types.DecimalType) type);
      case STRING -> new BytesValues(column, BytesValues.Content.TEXT);
      case BINARY, FIXED -> new BytesValues(column, BytesValues.Content.BINARY);
      case LIST -> new ListValues(column, of(name + ".element", type.asListType().elementType()));
      default -> throw new IllegalArgumentException("column " + name + ": nothing maps to " + type);
    };
  }
}
