package dev.narwhal.lance.schema;

import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Logical types to Arrow types, as a scan gives them: dictionary-encoded columns as their values,
 * JSON as text, blobs as a {@link BlobMode} says. Metadata, extension keys included, is kept as
 * Lance has it, JSON's apart; field ids are not put into it. Source: table format sheet 2.10, file
 * format sheet 7.
 *
 * <p>A type nobody here knows, or text that does not parse, is an {@link
 * UnsupportedFeatureException} that names field and type.
 */
public final class ArrowTypes {
  private static final String BFLOAT16 = "lance.bfloat16";

  private static final String ARROW_JSON = "arrow.json";

  private static final List<Field> DESCRIPTOR_V1 =
      List.of(
          Field.nullable("position", new ArrowType.Int(64, false)),
          Field.nullable("size", new ArrowType.Int(64, false)));

  private static final List<Field> DESCRIPTOR_V2 =
      List.of(
          descriptor("kind", 8),
          descriptor("position", 64),
          descriptor("size", 64),
          descriptor("blob_id", 32),
          new Field("blob_uri", FieldType.notNullable(new ArrowType.Utf8()), null));

  private ArrowTypes() {}

  private static Field descriptor(String name, int bits) {
    return new Field(name, FieldType.notNullable(new ArrowType.Int(bits, false)), null);
  }

  /** All top-level fields with their children; blobs as descriptors. */
  public static Schema toArrow(LanceSchema schema) {
    return toArrow(schema, BlobMode.DESCRIPTORS);
  }

  /** All top-level fields with their children. */
  public static Schema toArrow(LanceSchema schema, BlobMode blobs) {
    List<Field> fields = new ArrayList<>();
    for (FieldTree tree : FieldTree.topLevel(schema)) {
      fields.add(toArrow(tree, blobs));
    }
    return new Schema(fields, schema.metadata());
  }

  /**
   * One field with its children; blobs as descriptors.
   *
   * @param schema the schema the field is of
   */
  public static Field toArrow(LanceSchema schema, LanceField field) {
    return toArrow(FieldTree.of(schema, field));
  }

  /** A field with its children; blobs as descriptors. */
  public static Field toArrow(FieldTree tree) {
    return toArrow(tree, BlobMode.DESCRIPTORS);
  }

  /** A field with its children. */
  public static Field toArrow(FieldTree tree, BlobMode blobs) {
    return new Converter(tree.field(), tree.children(), blobs).convert();
  }

  private record Converter(LanceField field, List<FieldTree> below, BlobMode blobs) {
    Field convert() {
      if (field.isBlob()) {
        return blob();
      }
      String type = field.logicalType();
      return switch (head(type)) {
        case "struct" -> named(new ArrowType.Struct(), children());
        case "list" -> named(new ArrowType.List(), onlyChild());
        case "large_list" -> named(new ArrowType.LargeList(), onlyChild());
        case "map" -> named(new ArrowType.Map(false), onlyChild());
        case "dict" -> withoutChildren(named(dictionaryValue(type), List.of()));
        case "fixed_size_list" -> fixedSizeList(type);
        case "json" -> withoutChildren(json());
        default -> withoutChildren(named(leaf(type), List.of()));
      };
    }

    private Field named(ArrowType type, List<Field> children) {
      return named(type, children, field.metadata());
    }

    private Field named(ArrowType type, List<Field> children, Map<String, String> metadata) {
      return new Field(
          field.name(), new FieldType(field.nullable(), type, null, metadata), children);
    }

    /** The bytes, or where they are. */
    private Field blob() {
      return switch (blobs) {
        case BYTES -> named(new ArrowType.LargeBinary(), List.of());
        case DESCRIPTORS ->
            named(new ArrowType.Struct(), field.isBlobV2() ? DESCRIPTOR_V2 : DESCRIPTOR_V1);
      };
    }

    /** Stored as JSONB, named {@code lance.json}; what is read is the text that was written. */
    private Field json() {
      Map<String, String> metadata = new HashMap<>(field.metadata());
      metadata.put(ArrowType.ExtensionType.EXTENSION_METADATA_KEY_NAME, ARROW_JSON);
      return named(new ArrowType.Utf8(), List.of(), metadata);
    }

    private List<Field> children() {
      List<Field> children = new ArrayList<>();
      for (FieldTree child : below) {
        children.add(toArrow(child, blobs));
      }
      return children;
    }

    private List<Field> onlyChild() {
      List<Field> children = children();
      if (children.size() != 1) {
        throw unsupported(" with " + children.size() + " children, expected 1");
      }
      return children;
    }

    private Field withoutChildren(Field leaf) {
      if (!below.isEmpty()) {
        throw unsupported(" with " + below.size() + " children, expected none");
      }
      return leaf;
    }

    /** {@code dict:VALUE:INDEX:ORDERED}, where VALUE may hold colons: the type of the values. */
    private ArrowType dictionaryValue(String type) {
      int ordered = type.lastIndexOf(':');
      int index = type.lastIndexOf(':', ordered - 1);
      if (index <= "dict:".length()
          || !(leaf(type.substring(index + 1, ordered)) instanceof ArrowType.Int)) {
        throw unsupported("");
      }
      return leaf(type.substring("dict:".length(), index));
    }

    private Field fixedSizeList(String type) {
      int size = size(type);
      String inner = inner(type);
      if (!inner.equals("struct")) {
        return withoutChildren(named(new ArrowType.FixedSizeList(size), List.of(item(inner))));
      }
      return named(new ArrowType.FixedSizeList(size), onlyChild());
    }

    /** The item of a list whose items are no fields of their own. */
    private Field item(String type) {
      if (type.equals(BFLOAT16)) {
        return new Field(
            "item",
            new FieldType(
                true,
                new ArrowType.FixedSizeBinary(2),
                null,
                Map.of(ArrowType.ExtensionType.EXTENSION_METADATA_KEY_NAME, BFLOAT16)),
            List.of());
      }
      if (head(type).equals("fixed_size_list")) {
        return new Field(
            "item",
            FieldType.nullable(new ArrowType.FixedSizeList(size(type))),
            List.of(item(inner(type))));
      }
      return new Field("item", FieldType.nullable(leaf(type)), List.of());
    }

    /** The text between the first and the last colon. */
    private String inner(String type) {
      int first = type.indexOf(':');
      int last = type.lastIndexOf(':');
      if (first == last) {
        throw unsupported("");
      }
      return type.substring(first + 1, last);
    }

    private int size(String type) {
      return number(type.substring(type.lastIndexOf(':') + 1), 1);
    }

    private ArrowType leaf(String type) {
      return switch (type) {
        case "null" -> new ArrowType.Null();
        case "bool" -> new ArrowType.Bool();
        case "int8" -> new ArrowType.Int(8, true);
        case "int16" -> new ArrowType.Int(16, true);
        case "int32" -> new ArrowType.Int(32, true);
        case "int64" -> new ArrowType.Int(64, true);
        case "uint8" -> new ArrowType.Int(8, false);
        case "uint16" -> new ArrowType.Int(16, false);
        case "uint32" -> new ArrowType.Int(32, false);
        case "uint64" -> new ArrowType.Int(64, false);
        case "halffloat" -> new ArrowType.FloatingPoint(FloatingPointPrecision.HALF);
        case "float" -> new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
        case "double" -> new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
        case "string" -> new ArrowType.Utf8();
        case "large_string" -> new ArrowType.LargeUtf8();
        case "binary" -> new ArrowType.Binary();
        case "large_binary" -> new ArrowType.LargeBinary();
        case "date32:day" -> new ArrowType.Date(DateUnit.DAY);
        case "date64:ms" -> new ArrowType.Date(DateUnit.MILLISECOND);
        case "time32:s" -> new ArrowType.Time(TimeUnit.SECOND, 32);
        case "time32:ms" -> new ArrowType.Time(TimeUnit.MILLISECOND, 32);
        case "time64:us" -> new ArrowType.Time(TimeUnit.MICROSECOND, 64);
        case "time64:ns" -> new ArrowType.Time(TimeUnit.NANOSECOND, 64);
        default -> parameterised(type);
      };
    }

    private ArrowType parameterised(String type) {
      String head = head(type);
      String[] parts = type.split(":", -1);
      if (head.equals("timestamp") && parts.length >= 3) {
        // zones such as +05:30 hold a colon themselves
        String zone = type.split(":", 3)[2];
        return new ArrowType.Timestamp(unit(parts[1]), zone.equals("-") ? null : zone);
      }
      if (head.equals("duration") && parts.length == 2) {
        return new ArrowType.Duration(unit(parts[1]));
      }
      if (head.equals("fixed_size_binary") && parts.length == 2) {
        return new ArrowType.FixedSizeBinary(number(parts[1], 1));
      }
      if (head.equals("decimal") && parts.length == 4) {
        return decimal(number(parts[1], 1), number(parts[2], 1), number(parts[3], -128));
      }
      throw unsupported("");
    }

    private ArrowType decimal(int bits, int precision, int scale) {
      boolean known = (bits == 128 && precision <= 38) || (bits == 256 && precision <= 76);
      if (!known || scale > 127) {
        throw unsupported("");
      }
      return new ArrowType.Decimal(precision, scale, bits);
    }

    private TimeUnit unit(String text) {
      return switch (text) {
        case "s" -> TimeUnit.SECOND;
        case "ms" -> TimeUnit.MILLISECOND;
        case "us" -> TimeUnit.MICROSECOND;
        case "ns" -> TimeUnit.NANOSECOND;
        default -> throw unsupported("");
      };
    }

    private int number(String text, int lowest) {
      try {
        int number = Integer.parseInt(text);
        if (number >= lowest) {
          return number;
        }
      } catch (NumberFormatException e) {
        // said below, with the whole type
      }
      throw unsupported("");
    }

    /** The word that decides: {@code list.struct} is a list, {@code decimal:128:9:2} a decimal. */
    private static String head(String type) {
      int colon = type.indexOf(':');
      String word = colon < 0 ? type : type.substring(0, colon);
      return word.endsWith("list.struct")
          ? word.substring(0, word.length() - ".struct".length())
          : word;
    }

    private UnsupportedFeatureException unsupported(String detail) {
      return new UnsupportedFeatureException(
          "field '"
              + field.name()
              + "': logical type '"
              + field.logicalType()
              + "'"
              + detail
              + " is not supported");
    }
  }
}
