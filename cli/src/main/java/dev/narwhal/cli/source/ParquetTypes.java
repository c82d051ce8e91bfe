package dev.narwhal.cli.source;

import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DateLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.EnumLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.Float16LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.JsonLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.ListLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.MapKeyValueTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.MapLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.StringLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

/**
 * Parquet types as Arrow types. Source: Parquet's LogicalTypes document, with its rules for lists
 * of older writers.
 */
final class ParquetTypes {
  private ParquetTypes() {}

  /** A column or member, with all below. */
  static Field field(Type type) {
    if (type.isRepetition(Type.Repetition.REPEATED)) {
      return new Field(
          type.getName(),
          FieldType.notNullable(new ArrowType.List()),
          List.of(once("item", false, type)));
    }
    return once(type.getName(), type.isRepetition(Type.Repetition.OPTIONAL), type);
  }

  private static Field once(String name, boolean nullable, Type type) {
    if (type.isPrimitive()) {
      PrimitiveType primitive = type.asPrimitiveType();
      Map<String, String> metadata =
          type.getLogicalTypeAnnotation() instanceof JsonLogicalTypeAnnotation
              ? Map.of(ArrowType.ExtensionType.EXTENSION_METADATA_KEY_NAME, "arrow.json")
              : Map.of();
      return new Field(name, new FieldType(nullable, leaf(primitive), null, metadata), List.of());
    }
    GroupType group = type.asGroupType();
    if (isList(group)) {
      Type element = element(group);
      Field item =
          element.isRepetition(Type.Repetition.REPEATED)
              ? once("item", false, element)
              : once("item", element.isRepetition(Type.Repetition.OPTIONAL), element);
      return new Field(name, new FieldType(nullable, new ArrowType.List(), null), List.of(item));
    }
    if (isMap(group)) {
      return map(name, nullable, group);
    }
    List<Field> members = new ArrayList<>();
    group.getFields().forEach(member -> members.add(field(member)));
    return new Field(name, new FieldType(nullable, new ArrowType.Struct(), null), members);
  }

  static boolean isList(GroupType group) {
    return group.getLogicalTypeAnnotation() instanceof ListLogicalTypeAnnotation
        && group.getFieldCount() == 1
        && group.getType(0).isRepetition(Type.Repetition.REPEATED);
  }

  static boolean isMap(GroupType group) {
    LogicalTypeAnnotation annotation = group.getLogicalTypeAnnotation();
    boolean named =
        annotation instanceof MapLogicalTypeAnnotation
            || annotation instanceof MapKeyValueTypeAnnotation;
    return named
        && group.getFieldCount() == 1
        && !group.getType(0).isPrimitive()
        && group.getType(0).asGroupType().getFieldCount() == 2;
  }

  /** The element of a list: what the repeated group holds, or the repeated type itself. */
  static Type element(GroupType list) {
    Type repeated = list.getType(0);
    return wraps(list, repeated) ? repeated.asGroupType().getType(0) : repeated;
  }

  /** Whether the repeated type of a list only wraps the element. */
  static boolean wraps(GroupType list, Type repeated) {
    return !repeated.isPrimitive()
        && repeated.asGroupType().getFieldCount() == 1
        && !repeated.getName().equals("array")
        && !repeated.getName().equals(list.getName() + "_tuple")
        && !repeated.asGroupType().getType(0).isRepetition(Type.Repetition.REPEATED);
  }

  private static Field map(String name, boolean nullable, GroupType group) {
    GroupType entry = group.getType(0).asGroupType();
    Type value = entry.getType(1);
    Field entries =
        new Field(
            "entries",
            FieldType.notNullable(new ArrowType.Struct()),
            List.of(
                once("key", false, entry.getType(0)),
                once("value", value.isRepetition(Type.Repetition.OPTIONAL), value)));
    return new Field(
        name, new FieldType(nullable, new ArrowType.Map(false), null), List.of(entries));
  }

  private static ArrowType leaf(PrimitiveType type) {
    LogicalTypeAnnotation annotation = type.getLogicalTypeAnnotation();
    if (annotation instanceof DecimalLogicalTypeAnnotation decimal) {
      int bits = decimal.getPrecision() <= 38 ? 128 : 256;
      return new ArrowType.Decimal(decimal.getPrecision(), decimal.getScale(), bits);
    }
    return switch (type.getPrimitiveTypeName()) {
      case BOOLEAN -> new ArrowType.Bool();
      case FLOAT -> new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
      case DOUBLE -> new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
      case INT32 -> number(annotation, 32);
      case INT64 -> number(annotation, 64);
      case INT96 -> new ArrowType.Timestamp(TimeUnit.NANOSECOND, "UTC");
      case BINARY -> isText(annotation) ? new ArrowType.Utf8() : new ArrowType.Binary();
      case FIXED_LEN_BYTE_ARRAY ->
          annotation instanceof Float16LogicalTypeAnnotation
              ? new ArrowType.FloatingPoint(FloatingPointPrecision.HALF)
              : new ArrowType.FixedSizeBinary(type.getTypeLength());
    };
  }

  private static ArrowType number(@Nullable LogicalTypeAnnotation annotation, int bits) {
    if (annotation instanceof IntLogicalTypeAnnotation integer) {
      return new ArrowType.Int(integer.getBitWidth(), integer.isSigned());
    }
    if (annotation instanceof DateLogicalTypeAnnotation) {
      return new ArrowType.Date(DateUnit.DAY);
    }
    if (annotation instanceof TimeLogicalTypeAnnotation time) {
      return new ArrowType.Time(unit(time.getUnit()), bits);
    }
    if (annotation instanceof TimestampLogicalTypeAnnotation timestamp) {
      return new ArrowType.Timestamp(
          unit(timestamp.getUnit()), timestamp.isAdjustedToUTC() ? "UTC" : null);
    }
    if (annotation != null) {
      throw new UnsupportedFeatureException("Parquet columns of type " + annotation);
    }
    return new ArrowType.Int(bits, true);
  }

  static boolean isText(@Nullable LogicalTypeAnnotation annotation) {
    return annotation instanceof StringLogicalTypeAnnotation
        || annotation instanceof EnumLogicalTypeAnnotation
        || annotation instanceof JsonLogicalTypeAnnotation;
  }

  private static TimeUnit unit(LogicalTypeAnnotation.TimeUnit unit) {
    return switch (unit) {
      case MILLIS -> TimeUnit.MILLISECOND;
      case MICROS -> TimeUnit.MICROSECOND;
      case NANOS -> TimeUnit.NANOSECOND;
    };
  }
}
