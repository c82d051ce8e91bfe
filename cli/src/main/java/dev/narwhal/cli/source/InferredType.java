package dev.narwhal.cli.source;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.jspecify.annotations.Nullable;

/** What the values that were seen of a column have in common. */
final class InferredType {
  /** What a value is. */
  enum Kind {
    NOTHING("null"),
    BOOLEAN("true or false"),
    INTEGER("an integer"),
    REAL("a number"),
    TEXT("text"),
    ARRAY("an array"),
    OBJECT("an object");

    private final String words;

    Kind(String words) {
      this.words = words;
    }
  }

  private final Map<String, InferredType> members = new LinkedHashMap<>();
  private Kind kind = Kind.NOTHING;
  private @Nullable InferredType items;

  /**
   * Looks at a value.
   *
   * @throws BadValueException when it does not go with those before
   */
  void add(JsonNode node) {
    Kind found = kind(node);
    kind = together(found);
    if (found == Kind.OBJECT) {
      for (Map.Entry<String, JsonNode> entry : node.properties()) {
        try {
          members.computeIfAbsent(entry.getKey(), name -> new InferredType()).add(entry.getValue());
        } catch (BadValueException e) {
          throw e.in(entry.getKey());
        }
      }
    } else if (found == Kind.ARRAY) {
      InferredType below = items == null ? new InferredType() : items;
      items = below;
      node.forEach(below::add);
    }
  }

  /** Looks at text of which it is told what it could be; different things together are text. */
  void addText(Kind found) {
    boolean numbers = found == Kind.REAL || found == Kind.INTEGER;
    if (kind == Kind.NOTHING || kind == found) {
      kind = found;
    } else if (numbers && (kind == Kind.REAL || kind == Kind.INTEGER)) {
      kind = Kind.REAL;
    } else {
      kind = Kind.TEXT;
    }
  }

  List<Map.Entry<String, InferredType>> members() {
    return List.copyOf(members.entrySet());
  }

  /**
   * The Arrow field.
   *
   * @throws BadValueException when all values were null
   */
  Field field(String name) {
    return switch (kind) {
      case NOTHING -> throw new BadValueException("null in all rows, which tells no type");
      case BOOLEAN -> Field.nullable(name, new ArrowType.Bool());
      case INTEGER -> Field.nullable(name, new ArrowType.Int(64, true));
      case REAL -> Field.nullable(name, new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE));
      case TEXT -> Field.nullable(name, new ArrowType.Utf8());
      case ARRAY -> nested(name, new ArrowType.List(), List.of(item()));
      case OBJECT -> {
        List<Field> children = new ArrayList<>();
        for (Map.Entry<String, InferredType> member : members.entrySet()) {
          try {
            children.add(member.getValue().field(member.getKey()));
          } catch (BadValueException e) {
            throw e.in(member.getKey());
          }
        }
        if (children.isEmpty()) {
          throw new BadValueException("objects without members, which tell no type");
        }
        yield nested(name, new ArrowType.Struct(), children);
      }
    };
  }

  private Field item() {
    if (items == null || items.kind == Kind.NOTHING) {
      throw new BadValueException("no array has an item, which tells no type");
    }
    return items.field("item");
  }

  private static Field nested(String name, ArrowType type, List<Field> children) {
    return new Field(name, FieldType.nullable(type), children);
  }

  private static Kind kind(JsonNode node) {
    return switch (node.getNodeType()) {
      case BOOLEAN -> Kind.BOOLEAN;
      case NUMBER -> node.isIntegralNumber() && node.canConvertToLong() ? Kind.INTEGER : Kind.REAL;
      case STRING -> Kind.TEXT;
      case ARRAY -> Kind.ARRAY;
      case OBJECT -> Kind.OBJECT;
      default -> Kind.NOTHING;
    };
  }

  private Kind together(Kind found) {
    if (kind == found || found == Kind.NOTHING) {
      return kind;
    }
    if (kind == Kind.NOTHING) {
      return found;
    }
    boolean numbers =
        (kind == Kind.INTEGER || kind == Kind.REAL)
            && (found == Kind.INTEGER || found == Kind.REAL);
    if (!numbers) {
      throw new BadValueException(found.words + ", where there was " + kind.words + " before");
    }
    return Kind.REAL;
  }
}
