package dev.narwhal.lance.schema;

import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Arrow types to logical types: the reverse of {@link ArrowTypes}. Metadata, extension keys
 * included, is kept, but that JSON is called {@code lance.json}. Source: table format sheet 2.10,
 * file format sheet 7.
 *
 * <p>A type that Lance has no column for is an {@link UnsupportedFeatureException} that names the
 * field.
 */
public final class LogicalTypes {
  private static final String EXTENSION = ArrowType.ExtensionType.EXTENSION_METADATA_KEY_NAME;
  private static final String BFLOAT16 = "lance.bfloat16";
  private static final String LANCE_JSON = "lance.json";
  private static final List<String> JSON = List.of("arrow.json", LANCE_JSON);

  private final DictionaryProvider dictionaries;
  private final List<LanceField> fields = new ArrayList<>();

  private LogicalTypes(DictionaryProvider dictionaries) {
    this.dictionaries = dictionaries;
  }

  /** A new table's schema: ids from 0 on, depth first. Without dictionaries. */
  public static LanceSchema of(Schema schema) {
    return of(schema, new DictionaryProvider.MapDictionaryProvider());
  }

  /**
   * A new table's schema: ids from 0 on, depth first.
   *
   * @param dictionaries of the fields that have one; they tell what the values are
   */
  public static LanceSchema of(Schema schema, DictionaryProvider dictionaries) {
    LogicalTypes types = new LogicalTypes(dictionaries);
    schema.getFields().forEach(field -> types.add(field, -1));
    Map<String, String> metadata = schema.getCustomMetadata();
    return new LanceSchema(types.fields, metadata == null ? Map.of() : metadata);
  }

  private void add(Field field, int parent) {
    int id = fields.size();
    fields.add(
        SchemaCodec.field(
            id, parent, field.getName(), type(field), field.isNullable(), metadata(field)));
    for (Field child : children(field)) {
      add(child, id);
    }
  }

  /** As real Lance keeps it, which has its own name for JSON. */
  private static Map<String, String> metadata(Field field) {
    if (!isJson(field)) {
      return field.getMetadata();
    }
    Map<String, String> metadata = new HashMap<>(field.getMetadata());
    metadata.put(EXTENSION, LANCE_JSON);
    return metadata;
  }

  /** Those that are fields of their own. */
  private static List<Field> children(Field field) {
    return switch (field.getType().getTypeID()) {
      case Struct, List, LargeList, Map -> field.getChildren();
      case FixedSizeList ->
          onlyChild(field).getType() instanceof ArrowType.Struct ? field.getChildren() : List.of();
      default -> List.of();
    };
  }

  private static Field onlyChild(Field field) {
    if (field.getChildren().size() != 1) {
      throw unsupported(field, "with " + field.getChildren().size() + " children, expected 1");
    }
    return field.getChildren().get(0);
  }

  private String type(Field field) {
    if (field.getDictionary() != null) {
      return dictionary(field);
    }
    ArrowType type = field.getType();
    return switch (type.getTypeID()) {
      case Struct -> "struct";
      case List -> list("list", field);
      case LargeList -> list("large_list", field);
      case Map -> "map";
      case FixedSizeList -> fixedSizeList(field);
      default -> isJson(field) ? "json" : leaf(field);
    };
  }

  private static boolean isJson(Field field) {
    return (field.getType() instanceof ArrowType.Utf8
            || field.getType() instanceof ArrowType.LargeUtf8)
        && JSON.contains(field.getMetadata().getOrDefault(EXTENSION, ""));
  }

  private String dictionary(Field field) {
    Dictionary dictionary = dictionaries.lookup(field.getDictionary().getId());
    if (dictionary == null) {
      throw unsupported(field, "whose dictionary was not given");
    }
    return "dict:" + leaf(dictionary.getVector().getField()) + ':' + leaf(index(field)) + ":false";
  }

  private static Field index(Field field) {
    ArrowType index =
        field.getType() instanceof ArrowType.Int
            ? field.getType()
            : field.getDictionary().getIndexType();
    return Field.nullable(field.getName(), index);
  }

  private static String list(String word, Field field) {
    return onlyChild(field).getType() instanceof ArrowType.Struct ? word + ".struct" : word;
  }

  private static String fixedSizeList(Field field) {
    Field item = onlyChild(field);
    int size = ((ArrowType.FixedSizeList) field.getType()).getListSize();
    return "fixed_size_list:" + item(item) + ':' + size;
  }

  private static String item(Field item) {
    return switch (item.getType().getTypeID()) {
      case Struct -> "struct";
      case FixedSizeList -> fixedSizeList(item);
      case FixedSizeBinary ->
          BFLOAT16.equals(item.getMetadata().get(EXTENSION)) ? BFLOAT16 : leaf(item);
      case Bool, Int, FloatingPoint, Decimal, Date, Time, Timestamp, Duration -> leaf(item);
      default -> throw unsupported(item, "in a fixed-size list");
    };
  }

  private static String leaf(Field field) {
    ArrowType type = field.getType();
    return switch (type.getTypeID()) {
      case Null -> "null";
      case Bool -> "bool";
      case Int -> {
        ArrowType.Int integer = (ArrowType.Int) type;
        yield (integer.getIsSigned() ? "int" : "uint") + integer.getBitWidth();
      }
      case FloatingPoint ->
          switch (((ArrowType.FloatingPoint) type).getPrecision()) {
            case HALF -> "halffloat";
            case SINGLE -> "float";
            case DOUBLE -> "double";
          };
      case Decimal -> {
        ArrowType.Decimal decimal = (ArrowType.Decimal) type;
        if (decimal.getBitWidth() < 128) {
          throw unsupported(field, "");
        }
        yield "decimal:%d:%d:%d"
            .formatted(decimal.getBitWidth(), decimal.getPrecision(), decimal.getScale());
      }
      case Utf8 -> "string";
      case LargeUtf8 -> "large_string";
      case Binary -> "binary";
      case LargeBinary -> "large_binary";
      case FixedSizeBinary ->
          "fixed_size_binary:" + ((ArrowType.FixedSizeBinary) type).getByteWidth();
      case Date ->
          switch (((ArrowType.Date) type).getUnit()) {
            case DAY -> "date32:day";
            case MILLISECOND -> "date64:ms";
          };
      case Time -> {
        ArrowType.Time time = (ArrowType.Time) type;
        yield "time" + time.getBitWidth() + ':' + unit(time.getUnit());
      }
      case Timestamp -> "timestamp:" + timestamp(field, (ArrowType.Timestamp) type);
      case Duration -> "duration:" + unit(((ArrowType.Duration) type).getUnit());
      default -> throw unsupported(field, "");
    };
  }

  private static String timestamp(Field field, ArrowType.Timestamp type) {
    String zone = type.getTimezone() == null ? "-" : type.getTimezone();
    if (zone.indexOf(':') >= 0) {
      // real Lance 7.0.0 ends the process on it
      throw unsupported(field, "with a colon in its zone; name the zone, such as Etc/GMT-5");
    }
    return unit(type.getUnit()) + ':' + zone;
  }

  private static String unit(TimeUnit unit) {
    return switch (unit) {
      case SECOND -> "s";
      case MILLISECOND -> "ms";
      case MICROSECOND -> "us";
      case NANOSECOND -> "ns";
    };
  }

  private static UnsupportedFeatureException unsupported(Field field, String detail) {
    return new UnsupportedFeatureException(
        "field '%s': Lance has no columns of type %s %s"
            .formatted(field.getName(), field.getType().toString(), detail)
            .stripTrailing());
  }
}
