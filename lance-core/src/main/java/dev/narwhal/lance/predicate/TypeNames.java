package dev.narwhal.lance.predicate;

import dev.narwhal.lance.error.InvalidPredicateException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;

/**
 * Names of types: of those that {@code CAST} takes, and as shown in messages.
 *
 * <p>Real Lance 7.0.0 takes {@code [tiny|small|big]int [unsigned]}, {@code integer}, {@code float},
 * {@code double}, {@code string}, {@code binary}, {@code date}, {@code timestamp[(p)]}, {@code
 * datetime[(p)]}, {@code decimal(p, s)} and {@code boolean}; the further names here are Narwhal's.
 * A timestamp without precision is in nanoseconds, as there.
 */
final class TypeNames {
  static final String ACCEPTED =
      "tinyint, smallint, int, bigint (each also unsigned), float, double, decimal(precision,"
          + " scale), string, binary, date, time, timestamp[(0|3|6|9)], boolean";

  private static final Map<String, ValueType> SIMPLE =
      Map.ofEntries(
          Map.entry("boolean", ValueType.BOOLEAN),
          Map.entry("bool", ValueType.BOOLEAN),
          Map.entry("tinyint", integer(8, true)),
          Map.entry("smallint", integer(16, true)),
          Map.entry("int", integer(32, true)),
          Map.entry("integer", integer(32, true)),
          Map.entry("bigint", integer(64, true)),
          Map.entry("tinyint unsigned", integer(8, false)),
          Map.entry("smallint unsigned", integer(16, false)),
          Map.entry("int unsigned", integer(32, false)),
          Map.entry("integer unsigned", integer(32, false)),
          Map.entry("bigint unsigned", integer(64, false)),
          Map.entry("float", ValueType.FLOAT32),
          Map.entry("real", ValueType.FLOAT32),
          Map.entry("double", ValueType.FLOAT64),
          Map.entry("double precision", ValueType.FLOAT64),
          Map.entry("string", ValueType.STRING),
          Map.entry("varchar", ValueType.STRING),
          Map.entry("text", ValueType.STRING),
          Map.entry("binary", ValueType.BINARY),
          Map.entry("varbinary", ValueType.BINARY),
          Map.entry("date", ValueType.DATE),
          Map.entry("time", ValueType.of(new ArrowType.Time(TimeUnit.MICROSECOND, 64))),
          Map.entry("timestamp", ValueType.timestamp(TimeUnit.NANOSECOND)),
          Map.entry("datetime", ValueType.timestamp(TimeUnit.NANOSECOND)),
          Map.entry("decimal", ValueType.decimal(38, 10)),
          Map.entry("numeric", ValueType.decimal(38, 10)));

  private TypeNames() {}

  private static ValueType integer(int bits, boolean signed) {
    return ValueType.of(new ArrowType.Int(bits, signed));
  }

  /** Whether a type's name goes on with a second word: {@code int unsigned}. */
  static boolean continues(String first, String second) {
    return SIMPLE.containsKey((first + " " + second).toLowerCase(Locale.ROOT));
  }

  /**
   * The type that a name with arguments stands for.
   *
   * @param arguments numbers in parentheses after the name; empty when there are none
   */
  static ValueType parse(String name, List<Integer> arguments) {
    String key = name.toLowerCase(Locale.ROOT);
    Optional<ValueType> simple = Optional.ofNullable(SIMPLE.get(key));
    if (simple.isPresent() && arguments.isEmpty()) {
      return simple.get();
    }
    if (simple.isPresent() && simple.get().is(ValueType.Kind.DECIMAL) && arguments.size() <= 2) {
      int precision = arguments.get(0);
      int scale = arguments.size() == 2 ? arguments.get(1) : 0;
      if (precision < 1 || precision > 76 || scale < 0 || scale > precision) {
        throw new InvalidPredicateException(
            name + "(" + precision + ", " + scale + "): precision must be 1 to 76, scale 0 to it");
      }
      return ValueType.decimal(precision, scale);
    }
    if (simple.isPresent() && simple.get().is(ValueType.Kind.TIMESTAMP) && arguments.size() == 1) {
      return switch (arguments.get(0)) {
        case 0 -> ValueType.timestamp(TimeUnit.SECOND);
        case 3 -> ValueType.timestamp(TimeUnit.MILLISECOND);
        case 6 -> ValueType.timestamp(TimeUnit.MICROSECOND);
        case 9 -> ValueType.timestamp(TimeUnit.NANOSECOND);
        default ->
            throw new InvalidPredicateException(
                name + "(" + arguments.get(0) + "): precision must be 0, 3, 6 or 9");
      };
    }
    String shown =
        arguments.isEmpty()
            ? name
            : name + arguments.toString().replace('[', '(').replace(']', ')');
    throw new InvalidPredicateException("unknown type '" + shown + "': accepted are " + ACCEPTED);
  }

  /** A name for messages. */
  static String name(ValueType type) {
    ArrowType arrow = type.arrow();
    if (arrow instanceof ArrowType.Int i) {
      return (i.getIsSigned() ? "int" : "uint") + i.getBitWidth();
    }
    if (arrow instanceof ArrowType.FloatingPoint f) {
      return switch (f.getPrecision()) {
        case HALF -> "halffloat";
        case SINGLE -> "float";
        case DOUBLE -> "double";
      };
    }
    if (arrow instanceof ArrowType.Decimal d) {
      return "decimal(" + d.getPrecision() + ", " + d.getScale() + ")";
    }
    if (arrow instanceof ArrowType.Timestamp t) {
      String zone = t.getTimezone();
      return "timestamp[" + unit(t.getUnit()) + (zone == null ? "]" : ", " + zone + "]");
    }
    return switch (type.kind()) {
      case BOOLEAN -> "boolean";
      case STRING -> "string";
      case BINARY -> "binary";
      case DATE -> "date";
      case TIME -> "time[" + unit(type.unit()) + "]";
      case DURATION -> "duration[" + unit(type.unit()) + "]";
      case LIST -> "list of " + name(type.item());
      case STRUCT -> "struct";
      case NULL -> "null";
      case INTEGER, FLOAT, DECIMAL, TIMESTAMP, OTHER -> arrow.toString();
    };
  }

  private static String unit(TimeUnit unit) {
    return switch (unit) {
      case SECOND -> "s";
      case MILLISECOND -> "ms";
      case MICROSECOND -> "us";
      case NANOSECOND -> "ns";
    };
  }

  /** Text of a type within a {@code CAST}; of a type that has none there, its name. */
  static String sql(ValueType type) {
    ArrowType arrow = type.arrow();
    if (arrow instanceof ArrowType.Int i) {
      String base =
          switch (i.getBitWidth()) {
            case 8 -> "tinyint";
            case 16 -> "smallint";
            case 32 -> "int";
            default -> "bigint";
          };
      return i.getIsSigned() ? base : base + " unsigned";
    }
    if (arrow instanceof ArrowType.Timestamp t && t.getTimezone() == null) {
      return switch (t.getUnit()) {
        case SECOND -> "timestamp(0)";
        case MILLISECOND -> "timestamp(3)";
        case MICROSECOND -> "timestamp(6)";
        case NANOSECOND -> "timestamp";
      };
    }
    if (arrow instanceof ArrowType.Time) {
      return "time";
    }
    if (arrow instanceof ArrowType.Date d && d.getUnit() == DateUnit.DAY) {
      return "date";
    }
    if (arrow instanceof ArrowType.FloatingPoint f
        && f.getPrecision() == FloatingPointPrecision.SINGLE) {
      return "float";
    }
    return name(type);
  }
}
