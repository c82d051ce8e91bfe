package dev.narwhal.iceberg.mapping;

import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/**
 * Lance columns, as Arrow, to Iceberg types. A type is widened where Iceberg lacks it, never
 * narrowed; what has no place there is refused with an {@link UnsupportedFeatureException} that
 * names column, type and reason.
 *
 * <p>The table is {@code docs/type-mapping.md}; {@code TypeMappingTest} walks it.
 */
public final class TypeMapping {
  private static final int MAX_DECIMAL_PRECISION = 38;
  private static final int FIRST_VERSION_WITH_NANOSECONDS = 3;

  private final int formatVersion;
  private int lastId;

  private TypeMapping(int formatVersion) {
    this.formatVersion = formatVersion;
  }

  /**
   * The Iceberg schema of some columns, in their order. Its field ids are provisional: Iceberg
   * assigns the real ones when it creates the table.
   *
   * @param formatVersion format version of the table to be
   */
  public static Schema toIceberg(List<SourceColumn> columns, int formatVersion) {
    TypeMapping mapping = new TypeMapping(formatVersion);
    List<Types.NestedField> fields = new ArrayList<>(columns.size());
    for (SourceColumn column : columns) {
      fields.add(mapping.column(column.field()));
    }
    return new Schema(fields);
  }

  private Types.NestedField column(Field field) {
    if (MetadataColumns.isMetadataColumn(field.getName())) {
      throw refused(field.getName(), field, "the name is one of Iceberg's metadata columns");
    }
    int id = ++lastId;
    Type type =
        field.getType() instanceof ArrowType.FixedSizeList
            ? list(field)
            : primitive(field.getName(), field);
    return field.isNullable()
        ? Types.NestedField.optional(id, field.getName(), type)
        : Types.NestedField.required(id, field.getName(), type);
  }

  private Type list(Field field) {
    refuseDisguises(field.getName(), field);
    Field element = field.getChildren().get(0);
    if (element.getType().isComplex()) {
      throw refused(field.getName(), field, "only lists of primitive elements map so far");
    }
    int elementId = ++lastId;
    Type type = primitive(field.getName() + "." + element.getName(), element);
    return element.isNullable()
        ? Types.ListType.ofOptional(elementId, type)
        : Types.ListType.ofRequired(elementId, type);
  }

  private Type primitive(String path, Field field) {
    refuseDisguises(path, field);
    return field.getType().accept(new Primitives(path, field, formatVersion));
  }

  /** Columns whose Arrow type is only the storage of what they mean. */
  private static void refuseDisguises(String path, Field field) {
    if (field.getDictionary() != null) {
      throw refused(path, field, "dictionary-encoded columns do not map so far");
    }
    String extension = field.getMetadata().get(ArrowType.ExtensionType.EXTENSION_METADATA_KEY_NAME);
    if (extension != null) {
      throw refused(path, field, "extension type " + extension + " has no counterpart in Iceberg");
    }
    if ("true".equals(field.getMetadata().get("lance-encoding:blob"))) {
      throw refused(path, field, "blob columns do not map so far");
    }
  }

  private static UnsupportedFeatureException refused(String path, Field field, String reason) {
    return new UnsupportedFeatureException(
        "column " + path + " of type " + field.getType() + ": " + reason);
  }

  /** The rows of the table that are no lists. */
  private static final class Primitives extends ArrowType.PrimitiveTypeVisitor<Type> {
    private final String path;
    private final Field field;
    private final int formatVersion;

    private Primitives(String path, Field field, int formatVersion) {
      this.path = path;
      this.field = field;
      this.formatVersion = formatVersion;
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
        throw refused(path, field, "Iceberg decimals have at most 38 digits");
      }
      if (type.getScale() < 0 || type.getScale() > type.getPrecision()) {
        throw refused(path, field, "Iceberg decimals have a scale between 0 and the precision");
      }
      return Types.DecimalType.of(type.getPrecision(), type.getScale());
    }

    @Override
    public Type visit(ArrowType.Date type) {
      return Types.DateType.get();
    }

    @Override
    public Type visit(ArrowType.Time type) {
      return Types.TimeType.get();
    }

    @Override
    public Type visit(ArrowType.Timestamp type) {
      boolean zoned = type.getTimezone() != null && !type.getTimezone().isEmpty();
      if (type.getUnit() != TimeUnit.NANOSECOND) {
        return zoned ? Types.TimestampType.withZone() : Types.TimestampType.withoutZone();
      }
      if (formatVersion < FIRST_VERSION_WITH_NANOSECONDS) {
        throw refused(
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
        throw refused(path, field, "Parquet has no fixed-size values without bytes");
      }
      return Types.FixedType.ofLength(type.getByteWidth());
    }

    @Override
    public Type visit(ArrowType.Duration type) {
      throw refused(path, field, "Iceberg has no durations");
    }

    @Override
    public Type visit(ArrowType.Interval type) {
      throw refused(path, field, "Iceberg has no intervals");
    }

    @Override
    public Type visit(ArrowType.Null type) {
      throw refused(path, field, "a column without values does not map so far");
    }

    @Override
    public Type visit(ArrowType.Utf8View type) {
      throw refused(path, field, "views are no Lance type");
    }

    @Override
    public Type visit(ArrowType.BinaryView type) {
      throw refused(path, field, "views are no Lance type");
    }

    @Override
    public Type visit(ArrowType.ExtensionType type) {
      throw refused(
          path, field, "extension type " + type.extensionName() + " has no counterpart in Iceberg");
    }

    @Override
    public Type visit(ArrowType.ComplexType type) {
      throw refused(path, field, "nested columns other than fixed-size lists do not map so far");
    }
  }
}
