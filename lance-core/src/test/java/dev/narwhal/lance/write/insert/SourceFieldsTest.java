package dev.narwhal.lance.write.insert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.narwhal.lance.schema.LanceField;
import dev.narwhal.lance.schema.LanceSchema;
import dev.narwhal.lance.schema.LogicalTypes;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** That real Lance takes and refuses the same is shown beside the judge. */
class SourceFieldsTest {
  private static final ArrowType LONG = new ArrowType.Int(64, true);
  private static final ArrowType INT = new ArrowType.Int(32, true);
  private static final ArrowType TEXT = new ArrowType.Utf8();
  private static final Field ID = field(false, "id", LONG);
  private static final Field A = field(true, "a", INT);
  private static final Field X = field(true, "x", INT);
  private static final Field Y = field(false, "y", TEXT);
  private static final Field S = field(true, "s", new ArrowType.Struct(), X, Y);
  private static final Field L = list("l", field(true, "item", new ArrowType.Struct(), X, Y));

  /** Field ids: id 0, a 1, s 2, s.x 3, s.y 4, l 5, l.item 6, l.item.x 7, l.item.y 8. */
  private static final LanceSchema TABLE = LogicalTypes.of(schema(ID, A, S, L));

  static Stream<Arguments> fitting() {
    return Stream.of(
        arguments("all", schema(ID, A, S, L), List.of(0, 1, 2, 3, 4, 5, 6, 7, 8)),
        arguments("another order", schema(L, S, A, ID), List.of(5, 6, 7, 8, 2, 3, 4, 1, 0)),
        arguments("nullable ones missing", schema(ID), List.of(0)),
        arguments(
            "a nullable member missing",
            schema(ID, field(true, "s", new ArrowType.Struct(), Y)),
            List.of(0, 2, 4)),
        arguments(
            "members in another order",
            schema(field(true, "s", new ArrowType.Struct(), Y, X), ID),
            List.of(2, 4, 3, 0)),
        arguments("called nullable", schema(field(true, "id", LONG)), List.of(0)),
        arguments("called not nullable", schema(ID, field(false, "a", INT)), List.of(0, 1)),
        arguments(
            "another name inside a list",
            schema(ID, list("l", field(true, "element", new ArrowType.Struct(), X, Y))),
            List.of(0, 5, 6, 7, 8)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("fitting")
  void keepIdsOfTheTable(String name, Schema source, List<Integer> ids) {
    assertThat(SourceFields.of(TABLE, source).fields())
        .as(name)
        .extracting(LanceField::id)
        .isEqualTo(ids);
  }

  static Stream<Arguments> unfitting() {
    return Stream.of(
        arguments(schema(A), "column 'id' is missing, and cannot be null"),
        arguments(
            schema(ID, field(true, "z", INT)),
            "column 'z' is not in the table, which has [id, a, s, l]"),
        arguments(schema(ID, field(true, "A", INT)), "column 'A' is not in the table"),
        arguments(schema(ID, A, A), "column 'a' comes twice"),
        arguments(schema(), "there is no column; the table has [id, a, s, l]"),
        arguments(schema(ID, field(true, "a", LONG)), "column 'a': a vector of type Int(64, true)"),
        arguments(
            schema(ID, field(true, "s", new ArrowType.Struct(), X)),
            "column 's.y' is missing, and cannot be null"),
        arguments(
            schema(ID, field(true, "s", new ArrowType.Struct(), X, Y, A)),
            "column 's.a' is not in the table, which has [s.x, s.y]"),
        arguments(schema(ID, field(true, "s", new ArrowType.Struct())), "column 's' has no member"),
        arguments(
            schema(ID, field(true, "s", new ArrowType.Struct(), field(true, "x", TEXT), Y)),
            "column 's.x': a vector of type Utf8, the schema has Int(32, true)"),
        arguments(schema(ID, field(true, "s", TEXT)), "column 's': a vector of type Utf8"),
        arguments(
            schema(ID, list("l", field(true, "item", new ArrowType.Struct(), Y))),
            "column 'l.item': 1 children, the schema has 2"),
        arguments(
            schema(ID, list("l", field(true, "item", new ArrowType.Struct(), Y, X))),
            "column 'l.item': child 0 is 'y', the schema has 'x'"));
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource("unfitting")
  void tellWhichFieldDoesNotFit(Schema source, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SourceFields.of(TABLE, source))
        .withMessageContaining(message);
  }

  private static Schema schema(Field... fields) {
    return new Schema(Arrays.asList(fields));
  }

  private static Field field(boolean nullable, String name, ArrowType type, Field... children) {
    return new Field(name, new FieldType(nullable, type, null), Arrays.asList(children));
  }

  private static Field list(String name, Field item) {
    return field(true, name, new ArrowType.List(), item);
  }
}
