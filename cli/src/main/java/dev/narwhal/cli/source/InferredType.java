package dev.narwhal.cli.source;

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

  /** The first integer that no int64 holds, and the first that no double holds; where they are. */
  private @Nullable String beyondLong;

  private @Nullable String beyondDouble;

  /**
   * Looks at a value.
   *
   * @param value as {@link JsonReader} gives it
   * @param line where it is
   * @throws BadValueException when it does not go with those before
   */
  void add(@Nullable Object value, long line) {
    Kind found = kind(value);
    kind = together(found);
    if (value instanceof Map<?, ?> object) {
      for (Map.Entry<?, ?> entry : object.entrySet()) {
        String name = String.valueOf(entry.getKey());
        try {
          members.computeIfAbsent(name, n -> new InferredType()).add(entry.getValue(), line);
        } catch (BadValueException e) {
          throw e.in(name);
        }
      }
    } else if (value instanceof List<?> array) {
      InferredType below = items == null ? new InferredType() : items;
      items = below;
      for (Object item : array) {
        below.add(item, line);
      }
    } else if (found == Kind.INTEGER && value instanceof NumberText number) {
      noteIfLarge(number, line);
    }
  }

  private void noteIfLarge(NumberText number, long line) {
    if (beyondLong == null && !number.isLong()) {
      beyondLong = BadValueException.shown(number) + " on line " + line;
    }
    if (beyondDouble == null && !number.isExactDouble()) {
      beyondDouble = BadValueException.shown(number) + " on line " + line;
    }
  }

  /**
   * Looks at text that is true, false or a number, if it reads so; different things together are
   * text.
   */
  void addText(String text, long line) {
    Kind found = textKind(text);
    if (found == Kind.INTEGER) {
      noteIfLarge(new NumberText(text), line);
    }
    addText(found);
  }

  private static Kind textKind(String text) {
    if (text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false")) {
      return Kind.BOOLEAN;
    }
    return NumberText.of(text).map(InferredType::numberKind).orElse(Kind.TEXT);
  }

  /** What is larger than any double stays the text that it is. */
  private static Kind numberKind(NumberText number) {
    if (number.isWhole()) {
      return Kind.INTEGER;
    }
    return Double.isFinite(number.doubleValue()) ? Kind.REAL : Kind.TEXT;
  }

  private void addText(Kind found) {
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
   * @throws BadValueException when all values were null, or some are integers that the type would
   *     not hold
   */
  Field field(String name) {
    requireHeld();
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

  private void requireHeld() {
    if (kind == Kind.INTEGER && beyondLong != null) {
      throw new BadValueException(
          beyondLong + " is beyond int64, and a double would not tell it from others");
    }
    if (kind == Kind.REAL && beyondDouble != null) {
      throw new BadValueException(
          beyondDouble
              + " has more digits than a double keeps, which other numbers of the column ask for");
    }
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

  private static Kind kind(@Nullable Object value) {
    if (value == null) {
      return Kind.NOTHING;
    }
    if (value instanceof NumberText number) {
      return number.isWhole() ? Kind.INTEGER : Kind.REAL;
    }
    if (value instanceof Map<?, ?>) {
      return Kind.OBJECT;
    }
    if (value instanceof List<?>) {
      return Kind.ARRAY;
    }
    return value instanceof Boolean ? Kind.BOOLEAN : Kind.TEXT;
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
