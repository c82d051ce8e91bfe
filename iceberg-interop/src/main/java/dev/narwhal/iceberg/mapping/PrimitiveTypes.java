package dev.narwhal.iceberg.mapping;

import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/** The rows of the table that are no structs, lists or maps. */
final class PrimitiveTypes extends ArrowType.PrimitiveTypeVisitor<Type> {
  private static final int MAX_DECIMAL_PRECISION = 38;
  private static final int FIRST_VERSION_WITH_NEW_TYPES = 3;

  private final String path;
  private final Field field;
  private final MappingRules rules;
  private final int formatVersion;

  PrimitiveTypes(String path, Field field, MappingRules rules) {
    this.path = path;
    this.field = field;
    this.rules = rules;
    this.formatVersion = rules.formatVersion();
  }

  @Override
  public Type visit(ArrowType.Bool type) {
    return Types.BooleanType.get();
  }

  @Override
  public Type visit(ArrowType.Int type) {
    if (type.getBitWidth() < 32 || (type.getBitWidth() == 32 && type.getIsSigned())) {
      return Types.IntegerType.get();
    }
    if (type.getBitWidth() == 32 || type.getIsSigned()) {
      return Types.LongType.get();
    }
    return Types.DecimalType.of(20, 0);
  }

  @Override
  public Type visit(ArrowType.FloatingPoint type) {
    return switch (type.getPrecision()) {
      case HALF, SINGLE -> Types.FloatType.get();
      case DOUBLE -> Types.DoubleType.get();
    };
  }

  @Override
  public Type visit(ArrowType.Decimal type) {
    if (type.getPrecision() > MAX_DECIMAL_PRECISION) {
      throw TypeMapping.refused(path, field, "Iceberg decimals have at most 38 digits");
    }
    if (type.getScale() < 0 || type.getScale() > type.getPrecision()) {
      throw TypeMapping.refused(
          path, field, "Iceberg decimals have a scale between 0 and the precision");
    }
    return Types.DecimalType.of(type.getPrecision(), type.getScale());
  }

  @Override
  public Type visit(ArrowType.Date type) {
    return Types.DateType.get();
  }

  /** Nanoseconds map value by value, unless there is a way that no value can fail. */
  @Override
  public Type visit(ArrowType.Time type) {
    if (type.getUnit() == TimeUnit.NANOSECOND && rules.unsupported() != Unsupported.FAIL) {
      throw TypeMapping.refused(path, field, "Iceberg times are in microseconds");
    }
    return Types.TimeType.get();
  }

  @Override
  public Type visit(ArrowType.Timestamp type) {
    boolean zoned = type.getTimezone() != null && !type.getTimezone().isEmpty();
    if (type.getUnit() != TimeUnit.NANOSECOND) {
      return zoned ? Types.TimestampType.withZone() : Types.TimestampType.withoutZone();
    }
    if (formatVersion < FIRST_VERSION_WITH_NEW_TYPES) {
      throw TypeMapping.refused(
          path,
          field,
          "nanosecond timestamps need format version 3, the table has version " + formatVersion);
    }
    return zoned ? Types.TimestampNanoType.withZone() : Types.TimestampNanoType.withoutZone();
  }

  @Override
  public Type visit(ArrowType.Utf8 type) {
    return Types.StringType.get();
  }

  @Override
  public Type visit(ArrowType.LargeUtf8 type) {
    return Types.StringType.get();
  }

  @Override
  public Type visit(ArrowType.Binary type) {
    return Types.BinaryType.get();
  }

  @Override
  public Type visit(ArrowType.LargeBinary type) {
    return Types.BinaryType.get();
  }

  @Override
  public Type visit(ArrowType.FixedSizeBinary type) {
    if (type.getByteWidth() < 1) {
      throw TypeMapping.refused(path, field, "Parquet has no fixed-size values without bytes");
    }
    return Types.FixedType.ofLength(type.getByteWidth());
  }

  @Override
  public Type visit(ArrowType.Duration type) {
    throw TypeMapping.refused(path, field, "Iceberg has no durations");
  }

  @Override
  public Type visit(ArrowType.Interval type) {
    throw TypeMapping.refused(path, field, "Iceberg has no intervals");
  }

  @Override
  public Type visit(ArrowType.Null type) {
    if (formatVersion < FIRST_VERSION_WITH_NEW_TYPES) {
      throw TypeMapping.refused(
          path,
          field,
          "columns that are always null need format version 3, the table has version "
              + formatVersion);
    }
    return Types.UnknownType.get();
  }

  @Override
  public Type visit(ArrowType.Utf8View type) {
    throw TypeMapping.refused(path, field, "views are no Lance type");
  }

  @Override
  public Type visit(ArrowType.BinaryView type) {
    throw TypeMapping.refused(path, field, "views are no Lance type");
  }

  @Override
  public Type visit(ArrowType.ExtensionType type) {
    throw TypeMapping.refused(
        path, field, "extension type " + type.extensionName() + " has no counterpart in Iceberg");
  }

  @Override
  public Type visit(ArrowType.ComplexType type) {
    throw TypeMapping.refused(path, field, "Lance has no such type");
  }
}
