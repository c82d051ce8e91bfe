package dev.narwhal.lance.predicate;

import java.util.List;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/**
 * Type of an expression: an Arrow type, and the fields of a nested one.
 *
 * @param arrow the Arrow type; of a dictionary-encoded column the type of its indices
 * @param kind the family of types that behave alike in an expression
 * @param children members of a struct, the one item of a list; else empty
 */
public record ValueType(ArrowType arrow, Kind kind, List<Field> children) {

  /** Families of types. */
  public enum Kind {
    /** Of the literal {@code NULL}, and of an Arrow null column. */
    NULL,
    BOOLEAN,
    /** 8 to 64 bits, signed or unsigned. */
    INTEGER,
    /** 16, 32 or 64 bits. */
    FLOAT,
    /** 128 or 256 bits. */
    DECIMAL,
    STRING,
    /** Variable or fixed length. */
    BINARY,
    DATE,
    TIME,
    /** With or without zone: an instant either way, read in UTC. */
    TIMESTAMP,
    DURATION,
    LIST,
    STRUCT,
    /** Anything else (map, dictionary, union, interval): only {@code IS NULL} applies. */
    OTHER
  }

  static final ValueType NULL = of(ArrowType.Null.INSTANCE);
  static final ValueType BOOLEAN = of(ArrowType.Bool.INSTANCE);
  static final ValueType INT64 = of(new ArrowType.Int(64, true));
  static final ValueType UINT64 = of(new ArrowType.Int(64, false));
  static final ValueType FLOAT32 = of(new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE));
  static final ValueType FLOAT64 = of(new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE));
  static final ValueType STRING = of(ArrowType.Utf8.INSTANCE);
  static final ValueType BINARY = of(ArrowType.Binary.INSTANCE);
  static final ValueType DATE = of(new ArrowType.Date(DateUnit.DAY));
  static final ValueType EMPTY_LIST =
      listOf(new Field("item", new FieldType(true, ArrowType.Null.INSTANCE, null), null));

  public ValueType {
    children = List.copyOf(children);
  }

  /** Type of a column or of a struct's member. */
  static ValueType of(Field field) {
    if (field.getDictionary() != null) {
      return new ValueType(field.getType(), Kind.OTHER, List.of());
    }
    Kind kind = kindOf(field.getType());
    boolean nested = kind == Kind.LIST || kind == Kind.STRUCT;
    return new ValueType(field.getType(), kind, nested ? field.getChildren() : List.of());
  }

  static ValueType of(ArrowType type) {
    return new ValueType(type, kindOf(type), List.of());
  }

  static ValueType decimal(int precision, int scale) {
    return of(new ArrowType.Decimal(precision, scale, precision <= 38 ? 128 : 256));
  }

  static ValueType timestamp(TimeUnit unit) {
    return of(new ArrowType.Timestamp(unit, null));
  }

  static ValueType listOf(Field item) {
    return new ValueType(ArrowType.List.INSTANCE, Kind.LIST, List.of(item));
  }

  private static Kind kindOf(ArrowType type) {
    return switch (type.getTypeID()) {
      case Null -> Kind.NULL;
      case Bool -> Kind.BOOLEAN;
      case Int -> Kind.INTEGER;
      case FloatingPoint -> Kind.FLOAT;
      case Decimal -> Kind.DECIMAL;
      case Utf8, LargeUtf8 -> Kind.STRING;
      case Binary, LargeBinary, FixedSizeBinary -> Kind.BINARY;
      case Date -> Kind.DATE;
      case Time -> Kind.TIME;
      case Timestamp -> Kind.TIMESTAMP;
      case Duration -> Kind.DURATION;
      case List, LargeList, FixedSizeList -> Kind.LIST;
      case Struct -> Kind.STRUCT;
      case Map,
          Union,
          Interval,
          RunEndEncoded,
          Utf8View,
          BinaryView,
          ListView,
          LargeListView,
          NONE ->
          Kind.OTHER;
    };
  }

  boolean is(Kind other) {
    return kind == other;
  }

  /** Integer, float or decimal. */
  boolean isNumeric() {
    return kind == Kind.INTEGER || kind == Kind.FLOAT || kind == Kind.DECIMAL;
  }

  /** Values are held as a {@code long}. */
  boolean isLong() {
    return switch (kind) {
      case INTEGER, DATE, TIME, TIMESTAMP, DURATION -> true;
      case NULL, BOOLEAN, FLOAT, DECIMAL, STRING, BINARY, LIST, STRUCT, OTHER -> false;
    };
  }

  /** Integer of 64 bits without a sign: a {@code long} of it is compared unsigned. */
  boolean isUnsigned64() {
    return arrow instanceof ArrowType.Int i && !i.getIsSigned() && i.getBitWidth() == 64;
  }

  boolean isSigned() {
    return arrow instanceof ArrowType.Int i && i.getIsSigned();
  }

  /** Type of a list's items. */
  ValueType item() {
    return of(children.get(0));
  }

  /** Unit of a time, timestamp or duration; of a date, seconds or milliseconds as fits. */
  TimeUnit unit() {
    if (arrow instanceof ArrowType.Timestamp t) {
      return t.getUnit();
    }
    if (arrow instanceof ArrowType.Time t) {
      return t.getUnit();
    }
    if (arrow instanceof ArrowType.Duration d) {
      return d.getUnit();
    }
    return arrow instanceof ArrowType.Date d && d.getUnit() == DateUnit.MILLISECOND
        ? TimeUnit.MILLISECOND
        : TimeUnit.SECOND;
  }

  /** As in messages and in {@code CAST}: {@code int32}, {@code timestamp[us, UTC]}. */
  @Override
  public String toString() {
    return TypeNames.name(this);
  }
}
