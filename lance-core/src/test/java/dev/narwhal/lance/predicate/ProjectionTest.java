package dev.narwhal.lance.predicate;

import static dev.narwhal.lance.predicate.SampleRows.field;
import static dev.narwhal.lance.predicate.SampleRows.integer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.narwhal.lance.error.InvalidPredicateException;
import dev.narwhal.lance.error.PredicateEvaluationException;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProjectionTest {
  private static final Field INT = integer("to", 64, true);
  private static final Field TEXT = field("to", ArrowType.Utf8.INSTANCE);

  private static Field typed(String type) {
    return switch (type) {
      case "i8" -> integer("to", 8, true);
      case "i64" -> INT;
      case "u8" -> integer("to", 8, false);
      case "u64" -> integer("to", 64, false);
      case "f32" -> field("to", new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE));
      case "f64" -> field("to", new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE));
      case "dec" -> field("to", new ArrowType.Decimal(12, 3, 128));
      case "dec256" -> field("to", new ArrowType.Decimal(60, 1, 256));
      case "text" -> TEXT;
      case "large" -> field("to", ArrowType.LargeUtf8.INSTANCE);
      case "bool" -> field("to", ArrowType.Bool.INSTANCE);
      case "pair" -> field("to", new ArrowType.FixedSizeList(2), integer("item", 8, true));
      case "list" -> field("to", ArrowType.LargeList.INSTANCE, integer("item", 64, true));
      default -> throw new IllegalArgumentException(type);
    };
  }

  private static String values(String sql, Field target) {
    try (SampleRows rows = new SampleRows()) {
      return rows.values(sql, target).toString();
    }
  }

  @ParameterizedTest(name = "{0} as {1}")
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "i16 + 1 ; i64 ; [-32767, 0, 1, 2, 3, 4, 32768, null]",
        "-id ; i64 ; [0, -1, -2, -3, -4, -5, -6, -7]",
        "id * 2 - 1 ; i8 ; [-1, 1, 3, 5, 7, 9, 11, 13]",
        "u64 ; u64 ; [0, 1, 2, 3, 9223372036854775807, -9223372036854775808, -1, null]",
        "7 ; i8 ; [7, 7, 7, 7, 7, 7, 7, 7]",
        "'12' ; i8 ; [12, 12, 12, 12, 12, 12, 12, 12]",
        "id ; text ; [0, 1, 2, 3, 4, 5, 6, 7]",
        "upper(s) ; text ; [, A, A, ABC, A%C, IT'S, A_C, null]",
        "s || '-' || id ; text ; [-0, a-1, A-2, abc-3, a%c-4, it's-5, a_c-6, null]",
        "coalesce(s, 'none') ; large ; [, a, A, abc, a%c, it's, a_c, none]",
        "nvl(i8, id) ; i64 ; [-128, -1, 0, 1, 2, 3, 127, 7]",
        "nullif(id, 3) ; i64 ; [0, 1, 2, null, 4, 5, 6, 7]",
        "coalesce(b, true) ; bool ; [false, true, false, true, false, true, true, true]",
        "b IS NULL ; bool ; [false, false, false, false, false, false, true, true]",
        "id > 5 AND b IS NULL ; bool ; [false, false, false, false, false, false, true, true]",
        "dec * 2 ; dec ; [-2.000, 0.000, 0.020, 2.000, 3.000, 199999999.980, 4.500, null]",
        "coalesce(dec, 1.005) ; dec256 ; [-1.0, 0.0, 0.0, 1.0, 1.5, 100000000.0, 2.3, 1.0]",
        "id / 2.0 ; f64 ; [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5]",
        "id / 3.0 ; f32 ; [0.0, 0.33333334, 0.6666667, 1.0, 1.3333334, 1.6666666, 2.0, 2.3333333]",
        "id * -0.6 ; i8 ; [0, 0, -1, -1, -2, -3, -3, -4]",
        "st.x ; i64 ; [0, 1, 2, null, 4, 5, 6, null]",
        "li[1] ; i64 ; [null, 0, 0, 0, null, 0, 0, null]",
        "[id, 1] ; list ; [[0,1], [1,1], [2,1], [3,1], [4,1], [5,1], [6,1], [7,1]]",
        "[1.9, NULL] ; pair ; [[1,null], [1,null], [1,null], [1,null], [1,null], [1,null],"
            + " [1,null], [1,null]]",
        "li ; list ; [[], [0], [0,1], [0,1,2], [], [0], [0,1], null]",
        "TRY_CAST(s AS int) ; i64 ; [null, null, null, null, null, null, null, null]",
        "TRY_CAST(id * 40 AS tinyint) ; i64 ; [0, 40, 80, 120, null, null, null, null]",
        "NULL ; pair ; [null, null, null, null, null, null, null, null]",
      })
  void computesValuesInTheColumnsType(String sql, String type, String expected) {
    assertThat(values(sql, typed(type))).isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0} as {1}")
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "CASE WHEN id < 2 THEN 'low' WHEN id < 6 THEN s END ; text"
            + " ; [low, low, A, abc, a%c, it's, null, null]",
        "CASE id WHEN 1 THEN 10 WHEN 2 THEN 20 ELSE id END ; i64 ; [0, 10, 20, 3, 4, 5, 6, 7]",
        "CASE WHEN b THEN 1 ELSE 0 END ; i8 ; [0, 1, 0, 1, 0, 1, 0, 0]",
        "CASE WHEN b THEN 1.5 ELSE id END ; f64 ; [0.0, 1.5, 2.0, 1.5, 4.0, 1.5, 6.0, 7.0]",
        "CASE WHEN i32 <> 0 THEN 6 / i32 ELSE -1 END ; i64 ; [0, -6, -1, 6, 3, 2, 0, -1]",
        "CASE WHEN id = 3 THEN CASE WHEN b THEN 'x' ELSE 'y' END END ; text"
            + " ; [null, null, null, x, null, null, null, null]",
        "CASE WHEN id = 1 THEN b WHEN id > 4 THEN id = 6 END ; bool"
            + " ; [null, true, null, null, null, false, true, false]",
        "CASE WHEN b THEN li ELSE NULL END ; list"
            + " ; [null, [0], null, [0,1,2], null, [0], null, null]",
        "1 + CASE WHEN id > 3 THEN dec ELSE 0 END ; dec"
            + " ; [1.000, 1.000, 1.000, 1.000, 2.500, 100000000.990, 3.250, null]",
      })
  void takesTheFirstBranchWhoseConditionIsTrue(String sql, String type, String expected) {
    assertThat(values(sql, typed(type))).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"id", "s", "dec", "st", "li", "lst", "b", "fsb", "tz", "f16", "dur"})
  void takesOverAColumnOfAnyType(String column) {
    Field field = SampleRows.SCHEMA.findField(column);
    try (SampleRows rows = new SampleRows()) {
      assertThat(rows.values("`" + column + "`", field))
          .hasSize(8)
          .satisfies(values -> assertThat(values.subList(0, 6)).doesNotContainNull());
    }
  }

  @ParameterizedTest(name = "{0} as {1}")
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "i16 ; i8 ; 0 ; -32768 is out of the range of int8",
        "i8 + i8 ; i8 ; 0 ; -256 is out of the range of int8",
        "id * 100 ; i8 ; 2 ; 200 is out of the range of int8",
        "-id ; u8 ; 1 ; -1 is out of the range of uint8",
        "id / 0 ; i64 ; 0 ; division by zero",
        "i64 + id ; i64 ; 6 ; overflow of 9223372036854775807 + 6 as int64",
        "f64 ; i64 ; 0 ; -inf is out of the range of int64",
        "f32 * 100 ; i8 ; 0 ; -inf is out of the range of int8",
        "s ; i64 ; 0 ; '' is not an integer",
        "CASE WHEN id = 4 THEN 1 / (id - 4) ELSE 1 END ; i64 ; 4 ; division by zero",
        "[id, 1, 2] ; pair ; 0 ; a list of 3 items, not of 2",
        "'12345678901' ; dec ; - ; cannot cast",
        "300 ; i8 ; - ; cannot cast 300 to int8",
        "'x' ; i64 ; - ; cannot cast 'x' to int64",
        "d ; i8 ; 3 ; 19723 is out of the range of int8",
        "st ; text ; - ; 'st' is struct, which has no cast to string",
        "CASE WHEN b THEN st END ; text ; - ; 'st' is struct, which cannot be combined",
        "CASE WHEN id THEN 1 END ; i64 ; - ; 'id' is int64, not a condition",
        "CASE WHEN b THEN 1 ; i64 ; - ; ends where WHEN, ELSE or END is expected",
        "CASE b END ; i64 ; - ; where WHEN is expected",
        "CASE WHEN b 1 END ; i64 ; - ; where THEN is expected",
        "`` ; i64 ; - ; write a value",
        "s s ; text ; - ; found 's'",
        "nope ; i64 ; - ; no column is named 'nope'",
        "(SELECT 1) ; i64 ; - ; subqueries are not supported",
        "sum(id) ; i64 ; - ; aggregates and window functions are not supported",
      })
  void failsNamingTheRow(String sql, String type, String row, String message) {
    Field target = typed(type);
    String text = sql == null ? "" : sql;
    if (row.equals("-")) {
      assertThatThrownBy(() -> values(text, target))
          .isInstanceOf(InvalidPredicateException.class)
          .hasMessageContaining(message);
    } else {
      assertThatThrownBy(() -> values(text, target))
          .isInstanceOfSatisfying(
              PredicateEvaluationException.class,
              e -> assertThat(e.row()).isEqualTo(Integer.parseInt(row)))
          .hasMessageContaining(message);
    }
  }

  @Test
  void refusesNullForAColumnThatIsNotNullable() {
    Field target = new Field("to", FieldType.notNullable(new ArrowType.Int(64, true)), null);
    assertThatThrownBy(() -> values("i8", target))
        .isInstanceOf(PredicateEvaluationException.class)
        .hasMessageContaining("null for column 'to', which is not nullable")
        .hasMessageContaining("row 7");
    assertThat(values("coalesce(i8, 0)", target)).endsWith("0]");
  }

  @Test
  void readsOnlyTheColumnsOfTheText() {
    Projection projection = Projection.parse("st.x + i8 * i8", SampleRows.SCHEMA, INT);
    assertThat(projection.columns()).containsExactly("i8", "st");
    assertThat(projection.text()).isEqualTo("st.x + i8 * i8");
    assertThat(Projection.parse("1", SampleRows.SCHEMA, INT).columns()).isEmpty();
  }

  @Test
  void isTheSameAgainAsItsOwnText() {
    String sql = "CASE WHEN id = 1 THEN TRY_CAST(s AS BIGINT) ELSE i8 + 1 END";
    Expression once = Parser.parseValue(sql, Scope.of(SampleRows.SCHEMA));
    assertThat(Parser.parseValue(once.toString(), Scope.of(SampleRows.SCHEMA))).isEqualTo(once);
  }

  @Test
  void holdsAnEmptyBatch() {
    try (BufferAllocator allocator = new RootAllocator();
        BigIntVector id = new BigIntVector("id", allocator)) {
      id.setValueCount(0);
      for (String sql : List.of("id", "id + 1", "CASE WHEN id = 1 THEN 1 END", "NULL")) {
        try (FieldVector result =
            Projection.parse(sql, SampleRows.SCHEMA, INT)
                .evaluate(Map.of("id", id), 0, allocator)) {
          assertThat(result.getValueCount()).isZero();
        }
      }
    }
  }

  @Test
  void sharesNothingThatItsSourceFrees() {
    try (BufferAllocator allocator = new RootAllocator()) {
      BigIntVector id = new BigIntVector("id", allocator);
      id.setSafe(0, 42);
      id.setValueCount(1);
      try (FieldVector result =
          Projection.parse("id", SampleRows.SCHEMA, INT).evaluate(Map.of("id", id), 1, allocator)) {
        id.close();
        assertThat(result.getObject(0)).isEqualTo(42L);
        assertThat(result.getName()).isEqualTo("to");
      }
    }
  }

  @Test
  void readsQualifiedColumnsByTheirQualifiedNames() {
    Schema source = new Schema(List.of(integer("x", 64, true), integer("only", 64, true)));
    Schema target =
        new Schema(List.of(integer("x", 64, true), field("s.t", ArrowType.Utf8.INSTANCE)));
    Scope scope = Scope.qualified(Map.of("source", source, "target", target));
    Projection sum = Projection.parse("Source.x + target.X * 10 + only", scope, INT);
    assertThat(sum.columns()).containsExactlyInAnyOrder("source.x", "source.only", "target.x");
    try (BufferAllocator allocator = new RootAllocator();
        BigIntVector one = number("source.x", 1, allocator);
        BigIntVector two = number("target.x", 2, allocator);
        BigIntVector three = number("source.only", 300, allocator);
        FieldVector result =
            sum.evaluate(
                Map.of("source.x", one, "target.x", two, "source.only", three), 1, allocator)) {
      assertThat(result.getObject(0)).isEqualTo(321L);
    }
    assertThat(Predicate.parse("target.`s.t` = 'a' AND source.x > 1", scope).columns())
        .containsExactlyInAnyOrder("source.x", "target.s.t");
    assertThatThrownBy(() -> Projection.parse("x", scope, INT))
        .isInstanceOf(InvalidPredicateException.class)
        .hasMessageContaining("'x' is ambiguous: write ")
        .hasMessageContaining("source.x");
    assertThatThrownBy(() -> Projection.parse("source.y", scope, INT))
        .isInstanceOf(InvalidPredicateException.class)
        .hasMessageContaining("no column is named 'y'");
    assertThatThrownBy(() -> Projection.parse("y", scope, INT))
        .isInstanceOf(InvalidPredicateException.class)
        .hasMessageContaining("columns are named as in");
  }

  private static BigIntVector number(String name, long value, BufferAllocator allocator) {
    BigIntVector vector = new BigIntVector(name, allocator);
    vector.setSafe(0, value);
    vector.setValueCount(1);
    return vector;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "i8 + 1 | Int(8, true)",
        "i8 + i16 | Int(16, true)",
        "u8 + i8 | Int(16, true)",
        "id + u8 | Int(64, true)",
        "u64 + 1 | Int(64, false)",
        "i8 + 1000 | Int(64, true)",
        "abs(i32) | Int(32, true)",
        "length(s) | Int(32, true)",
        "array_length(li) | Int(64, false)",
        "lower(ls) | LargeUtf8",
        "round(f32) | FloatingPoint(SINGLE)",
        "dec + 1 | Decimal(11, 2, 128)",
        "st | Struct",
        "b AND true | Bool",
      })
  void givesNewColumnsRealLancesType(String sql, String type) {
    Projection projection = Projection.parseNew(sql, SampleRows.SCHEMA, "new");
    assertThat(projection.target().getType().toString()).isEqualTo(type);
    assertThat(projection.target().getName()).isEqualTo("new");
  }

  @Test
  void asksForTheTypeOfNull() {
    assertThatThrownBy(() -> Projection.parseNew("NULL", SampleRows.SCHEMA, "new"))
        .isInstanceOf(InvalidPredicateException.class)
        .hasMessageContaining("has no type: cast it");
  }
}
