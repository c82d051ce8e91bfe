package dev.narwhal.iceberg.mapping;

import org.apache.arrow.vector.FieldVector;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/**
 * The values of one column, or of a field below one, after the type mapping, read from the Arrow
 * vector of the batch in hand without boxing. One variant for each shape in which Iceberg holds
 * values.
 *
 * <p>Not safe for use by several threads. Values are asked for by row of the bound vector, only
 * where {@link #isNull} is false and nothing above is null.
 */
public sealed interface ColumnValues
    permits BooleanValues,
        BytesValues,
        DecimalValues,
        DoubleValues,
        FloatValues,
        IntValues,
        ListValues,
        LongValues,
        MapValues,
        NullValues,
        StructValues {
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
    R nulls(NullValues values);

    R booleans(BooleanValues values);

    R ints(IntValues values);

    R longs(LongValues values);

    R floats(FloatValues values);

    R doubles(DoubleValues values);

    R decimals(DecimalValues values);

    R bytes(BytesValues values);

    R struct(StructValues values);

    R list(ListValues values);

    R map(MapValues values);
  }

  /** The values of a mapped column. */
  static ColumnValues of(MappedField mapped) {
    return of(mapped, new Column(mapped.target().name()));
  }

  private static ColumnValues of(MappedField mapped, Column column) {
    Type type = mapped.target().type();
    return switch (type.typeId()) {
      case UNKNOWN -> NullValues.INSTANCE;
      case BOOLEAN -> new BooleanValues(column);
      case INTEGER, DATE -> new IntValues(column);
      case LONG, TIME, TIMESTAMP, TIMESTAMP_NANO -> new LongValues(column, type.typeId());
      case FLOAT -> new FloatValues(column);
      case DOUBLE -> new DoubleValues(column);
      case DECIMAL -> new DecimalValues(column, (Types.DecimalType) type);
      case STRING ->
          mapped.rendered()
              ? BytesValues.rendered(column)
              : new BytesValues(column, BytesValues.Content.TEXT);
      case BINARY, FIXED, UUID -> new BytesValues(column, BytesValues.Content.BINARY);
      case STRUCT ->
          new StructValues(
              column,
              mapped.children().stream().mapToInt(MappedField::position).toArray(),
              mapped.children().stream()
                  .map(child -> of(child, column.field(child.target().name())))
                  .toList());
      case LIST -> new ListValues(column, part(mapped, 0, column));
      case MAP -> new MapValues(column, part(mapped, 0, column), part(mapped, 1, column));
      default -> throw new IllegalArgumentException("nothing maps to " + type);
    };
  }

  private static ColumnValues part(MappedField mapped, int index, Column column) {
    MappedField part = mapped.children().get(index);
    return of(part, column.part(part.target().name()));
  }
}
