package dev.narwhal.iceberg.mapping;

import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/** Iceberg schemas as Arrow: how columns of an Iceberg table look to a predicate. */
public final class ArrowSchemas {
  private static final String UTC = "UTC";
  private static final int UUID_BYTES = 16;

  private ArrowSchemas() {}

  /**
   * The Arrow schema of a table, column by column.
   *
   * @throws UnsupportedFeatureException if a column is of a type that Arrow has no form for
   */
  public static Schema of(org.apache.iceberg.Schema schema) {
    return new Schema(schema.columns().stream().map(ArrowSchemas::of).toList());
  }

  /** The same without columns of types that Arrow has no form for: they cannot be named. */
  public static Schema ofRepresentable(org.apache.iceberg.Schema schema) {
    List<Field> fields = new ArrayList<>();
    for (Types.NestedField column : schema.columns()) {
      try {
        fields.add(of(column));
      } catch (UnsupportedFeatureException e) {
        // a condition that names it will say that there is no such column
      }
    }
    return new Schema(fields);
  }

  private static Field of(Types.NestedField field) {
    Type type = field.type();
    FieldType fieldType = new FieldType(field.isOptional(), arrowType(field.name(), type), null);
    List<Field> children =
        switch (type.typeId()) {
          case STRUCT -> type.asStructType().fields().stream().map(ArrowSchemas::of).toList();
          case LIST -> List.of(of(type.asListType().fields().get(0)));
          case MAP ->
              List.of(
                  new Field(
                      "entries",
                      FieldType.notNullable(new ArrowType.Struct()),
                      type.asMapType().fields().stream().map(ArrowSchemas::of).toList()));
          default -> List.of();
        };
    return new Field(field.name(), fieldType, children);
  }

  private static ArrowType arrowType(String column, Type type) {
    return switch (type.typeId()) {
      case UNKNOWN -> new ArrowType.Null();
      case BOOLEAN -> new ArrowType.Bool();
      case INTEGER -> new ArrowType.Int(32, true);
      case LONG -> new ArrowType.Int(64, true);
      case FLOAT -> new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
      case DOUBLE -> new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
      case DATE -> new ArrowType.Date(DateUnit.DAY);
      case TIME -> new ArrowType.Time(TimeUnit.MICROSECOND, 64);
      case TIMESTAMP ->
          new ArrowType.Timestamp(
              TimeUnit.MICROSECOND, ((Types.TimestampType) type).shouldAdjustToUTC() ? UTC : null);
      case TIMESTAMP_NANO ->
          new ArrowType.Timestamp(
              TimeUnit.NANOSECOND,
              ((Types.TimestampNanoType) type).shouldAdjustToUTC() ? UTC : null);
      case STRING -> new ArrowType.Utf8();
      case UUID -> new ArrowType.FixedSizeBinary(UUID_BYTES);
      case FIXED -> new ArrowType.FixedSizeBinary(((Types.FixedType) type).length());
      case BINARY -> new ArrowType.Binary();
      case DECIMAL -> {
        Types.DecimalType decimal = (Types.DecimalType) type;
        yield new ArrowType.Decimal(decimal.precision(), decimal.scale(), 128);
      }
      case STRUCT -> new ArrowType.Struct();
      case LIST -> new ArrowType.List();
      case MAP -> new ArrowType.Map(false);
      default ->
          throw new UnsupportedFeatureException(
              "column " + column + " of type " + type + ": Arrow has no form for it");
    };
  }
}
