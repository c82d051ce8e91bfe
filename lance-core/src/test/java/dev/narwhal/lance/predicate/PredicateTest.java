package dev.narwhal.lance.predicate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.narwhal.lance.error.InvalidPredicateException;
import dev.narwhal.lance.error.PredicateEvaluationException;
import dev.narwhal.lance.predicate.Expression.And;
import dev.narwhal.lance.predicate.Expression.Cast;
import dev.narwhal.lance.predicate.Expression.ColumnRef;
import dev.narwhal.lance.predicate.Expression.Comparison;
import dev.narwhal.lance.predicate.Expression.Literal;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PredicateTest {
  private static Predicate parse(String where) {
    return Predicate.parse(where, SampleRows.SCHEMA);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "true",
        "1 = 1",
        "TRUE OR i32 = 1",
        "i32 = 1 OR true",
        "NOT false",
        "1 + 1 = 2",
        "'a' = \"a\"",
        "1 < 2 AND 2.5 > 2",
        "1 IN (1, 2)",
        "NULL IS NULL",
        "NULL OR true",
        "length('abc') = 3",
        "CAST('12' AS int) = 12",
        "date '2024-01-01' < timestamp '2024-01-01 00:00:01'",
        "5 BETWEEN 1 AND 9",
        "'abc' LIKE 'a%'",
        "(1 = 0) IS FALSE",
        "NOT (1 = 2 AND i32 / 0 = 1)",
      })
  void knowsWhatIsAlwaysTrue(String where) {
    assertThat(parse(where).constant()).contains(true);
    assertThat(parse(where).columns()).isEmpty();
    assertThat(parse(where).evaluate(Map.of(), 70)).isEqualTo(RowMask.all(70));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "false",
        "1 = 0",
        "false AND i32 = 1",
        "i32 = 1 AND false",
        "NULL = NULL",
        "NOT NULL",
        "i32 = NULL",
        "i32 <> NULL",
        "i32 IN (NULL)",
        "id NOT IN (1, 2, NULL)",
        "NULL AND i32 = 1",
        "i32 = 1 AND NULL",
        "NOT (i32 = 1 OR NULL)",
        "s LIKE NULL",
        "i32 BETWEEN NULL AND NULL",
        "NULL AND false",
        "NULL IN (1)",
        "(i32 > NULL) IS TRUE",
        "false AND 1 / 0 = 1",
        "NOT (id IN (1, NULL) OR s = 'a')",
        "s || NULL = 'a'",
        "abs(NULL) = 1",
        "NULL + 1 = 2",
        "array_has(lst, NULL)",
      })
  void knowsWhatIsNeverTrue(String where) {
    assertThat(parse(where).constant()).contains(false);
    assertThat(parse(where).evaluate(Map.of(), 70).isEmpty()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "i32 = 1",
        "id IN (1, NULL)",
        "i32 = 1 OR NULL",
        "1 / 0 = 1",
        "random() < 2",
        "b",
        "NOT (id NOT IN (1, NULL))",
        "i32 IS NULL",
        "i32 = i32"
      })
  void leavesOpenWhatRowsDecide(String where) {
    assertThat(parse(where).constant()).isEmpty();
  }

  @Test
  void namesItsTopLevelColumnsInTheSchemasOrder() {
    Predicate predicate =
        parse(
            "st.Y.z = 'a' OR length(s) > `weird name` OR _rowid IN (1, 2) OR S LIKE 'x' OR i32 IS NULL");
    assertThat(predicate.columns()).containsExactly("i32", "s", "weird name", "st", "_rowid");
    assertThat(predicate.text()).startsWith("st.Y.z = 'a' OR");
  }

  @Test
  void bindsToATypedTree() {
    Expression tree = parse("5 < i8 AND dec = 1.5 AND i32 > u8").expression();
    assertThat(tree).isInstanceOf(And.class);
    List<Expression> terms = ((And) tree).terms();
    Comparison first = (Comparison) terms.get(0);
    assertThat(first.operator()).isEqualTo(ComparisonOperator.GT);
    assertThat(first.left())
        .isEqualTo(new ColumnRef(List.of("i8"), ValueType.of(new ArrowType.Int(8, true))));
    assertThat(first.right())
        .isEqualTo(new Literal(Optional.of(5L), ValueType.of(new ArrowType.Int(8, true))));
    assertThat(((Comparison) terms.get(1)).right())
        .isEqualTo(new Literal(Optional.of(new BigDecimal("1.50")), ValueType.decimal(10, 2)));
    assertThat(((Comparison) terms.get(2)).left()).isInstanceOf(Cast.class);
    assertThat(((Comparison) terms.get(2)).left().type()).isEqualTo(ValueType.INT64);
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      quoteCharacter = '^',
      value = {
        // names
        "nope = 1 => no column is named 'nope'",
        "idd = 1 => did you mean 'id'",
        "st.q = 1 => no member of 'st' is named 'q': there are x, Y",
        "i32.x = 1 => 'i32' is int32, not a struct",
        "`st.x` = 1 => no column is named 'st.x'",
        "`ID` = 1 => did you mean 'id'",
        "DUP = 1 => it may be `Dup` or `dup`",
        "weird name = 1 => no column is named 'weird'",
        "st.\"x\" = 1 => the name of a member",
        "_ROWIDS = 1 => did you mean '_rowid'",
        // functions
        "lenght(s) = 1 => unknown function 'lenght': did you mean 'length'",
        "left(s) = 'a' => it is left(a string, an integer)",
        "abs(s) = 1 => 's' is string",
        "count(id) = 1 => aggregates and window functions are not supported",
        "sum(id) > 1 => aggregates",
        "count(*) > 1 => aggregates",
        "row_number() OVER () = 1 => aggregates and window functions",
        // types
        "NULL => NULL alone is not a condition",
        "i32 => 'i32' is int32, not a condition",
        "s AND b => 's' is string, not a condition",
        "NOT i32 => not a condition",
        "i32 IS TRUE => not a condition",
        "i32 = '1' => cannot be compared with '1' (string): write an integer from -2147483648",
        "i32 = 1.5 => cannot be compared with 1.5 (double)",
        "i32 = 1.0 => cannot be compared with 1.0",
        "u8 = 300 => write an integer from 0 to 255",
        "u8 > -1 => write an integer from 0 to 255",
        "i64 = 9223372036854775808 => to 9223372036854775807",
        "u64 = -1 => from 0 to 18446744073709551615",
        "dec > 1.555 => 2 of them after the point",
        "s = 1 => write a string in quotes",
        "b = 1 => write TRUE or FALSE",
        "b = 'true' => write TRUE or FALSE",
        "bin = 'a' => write bytes as X'0aff'",
        "d = 19723 => write a date as DATE",
        "d = 'x' => write a date as DATE '2024-01-31'",
        "ts = 'junk' => write a timestamp as TIMESTAMP",
        "dur = 60 => another duration",
        "st = 1 => which cannot be compared with anything",
        "li = li => which cannot be compared with anything",
        "id IN (1, 'x') => cannot be compared with 'x'",
        "id BETWEEN 1 AND 'x' => cannot be compared with 'x'",
        "bin = s => is binary and cannot be compared with 's'",
        "s + 1 = 2 => + takes numbers",
        "ts - ts = 0 => - takes numbers",
        "-s = 1 => unary minus takes a signed number",
        "-u8 = 1 => unary minus takes a signed number",
        "i32 || i32 = 'x' => || takes a string on one side",
        "s LIKE 5 => LIKE takes a string as its pattern",
        "CAST('x' AS int) = 1 => cannot cast 'x' to int32",
        "CAST(s AS inet) = 1 => unknown type 'inet': accepted are tinyint",
        "CAST(li AS int) = 1 => has no cast to int32",
        "CAST(id AS decimal(99, 1)) = 1 => precision must be 1 to 76",
        "array_has(li, 'a') => takes int32",
        "d = date 'x' => 'x' is not a date like 2024-01-31",
        "ts = timestamp '2024-01-01 00:00' => is not a timestamp like",
        "X'0' = bin => not a whole number of bytes",
        // what the dialect leaves out: facts 14.3
        "CASE WHEN id = 1 THEN true ELSE false END => CASE is not supported",
        "CASE id WHEN 1 THEN true END => CASE is not supported",
        "id IS DISTINCT FROM 1 => NULL, TRUE or FALSE after IS",
        "id IS NOT DISTINCT FROM 1 => NULL, TRUE or FALSE after IS NOT",
        "b IS UNKNOWN => NULL, TRUE or FALSE after IS",
        "SUBSTRING(s FROM 1 FOR 1) = 'a' => separate the arguments with commas",
        "s ~ 'a' => operator '~' is not supported",
        "s !~ 'a' => operator '!~' is not supported",
        "id & 1 = 1 => operator '&' is not supported",
        "id << 1 = 2 => operator '<<' is not supported",
        "id ^ 1 = 1 => operator '^' is not supported",
        "id <=> 1 => operator '<=>' is not supported",
        "id = ANY (li) => 'ANY' is not supported: use IN",
        "id = ALL (SELECT 1) => not supported",
        "EXISTS (SELECT 1) => subqueries are not supported",
        "id IN (SELECT 1) => subqueries are not supported",
        "id = (SELECT 1) => subqueries are not supported",
        "s SIMILAR TO 'a' => 'SIMILAR' is not supported",
        "s RLIKE 'a' => 'RLIKE' is not supported",
        "id DIV 2 = 1 => 'DIV' is not supported",
        "ts > interval '1' day => INTERVAL is not supported",
        "s LIKE 'a!%c' ESCAPE '!' => ESCAPE takes nothing but the backslash",
        "(id, i32) IN ((1, 2)) => tuples are not supported",
        "+id = 1 => unary plus is not supported",
        // grammar
        "^^ => the predicate is empty",
        "/* only a comment */ => the predicate is empty",
        "id = 1 AND => the predicate ends where a value is expected",
        "id = = 1 => found '=' where a value is expected (at character 6)",
        "(id = 1 => ends where ')' is expected",
        "id = 1) => found ')' where AND, OR or the end is expected",
        "id = 1 x => found 'x'",
        "id IN () => IN () has no value",
        "id IN 1 => a list of values after IN",
        "id BETWEEN 1 => ends where the AND of BETWEEN is expected",
        "id BETWEEN 1 OR 2 => the AND of BETWEEN",
        "id = 1 = 2 => cannot read 'id = 1 = 2' as one condition",
        "id NOT 1 => found 'NOT'",
        "s = 'abc => the string that begins with ' has no end (at character 5)",
        "`s = 'abc' => the name that begins with ` has no end",
        "s = 'a' /* x => the comment that begins with /* has no end",
        "id = 1abc => '1abc' is neither a number nor a name",
        "id = 1 ; id = 2 => found 'id'",
        "id = ? => a value",
        "id = :x => a value",
      })
  void refusesAndSaysWhy(String where, String telling) {
    assertThatThrownBy(() -> parse(where))
        .isInstanceOf(InvalidPredicateException.class)
        .hasMessageContaining(telling);
  }

  @Test
  void failsWhereARowHasNoValue() {
    try (SampleRows rows = new SampleRows()) {
      assertThatThrownBy(() -> rows.select("10 / i32 = 1"))
          .isInstanceOfSatisfying(
              PredicateEvaluationException.class, e -> assertThat(e.row()).isEqualTo(2))
          .hasMessage("division by zero in '10 / i32' (row 2 of the batch)");
      assertThatThrownBy(() -> rows.select("i64 - 1 < 0"))
          .isInstanceOf(PredicateEvaluationException.class)
          .hasMessageContaining("overflow of -9223372036854775808 - 1 as int64 in 'i64 - 1'");
      assertThatThrownBy(() -> rows.select("CAST(s AS int) = 1"))
          .isInstanceOf(PredicateEvaluationException.class)
          .hasMessageContaining("'' is not an integer in 'CAST(s AS int)' (row 0");
      assertThatThrownBy(() -> rows.select("dec / (dec - dec) = 1"))
          .isInstanceOf(PredicateEvaluationException.class)
          .hasMessageContaining("division by zero");
      assertThatThrownBy(() -> rows.select("regexp_like(s, '(')"))
          .isInstanceOf(PredicateEvaluationException.class)
          .hasMessageContaining("is not a regular expression");
    }
  }

  @Test
  void failsForRowsThatMatterOnly() {
    try (SampleRows rows = new SampleRows()) {
      assertThat(rows.select("i32 <> 0 AND 6 / i32 = 3")).containsExactly(4);
      assertThat(rows.select("i32 = 0 OR 6 / i32 = 3")).containsExactly(2, 4);
      assertThat(rows.select("NOT (i32 = 0 OR 6 / i32 = 3) AND i32 > 0")).containsExactly(3, 5, 6);
      assertThat(rows.select("length(s) = 1 AND NOT CAST('' || (length(s) - 1) AS boolean)"))
          .containsExactly(1, 2);
      // row 7, where i32 is null, is not known to be false; its quotient is null
      assertThat(rows.select("id = 7 AND 1 / i32 = 1")).isEmpty();
    }
  }

  @Test
  void evaluatesRandomOnceARow() {
    try (SampleRows rows = new SampleRows()) {
      assertThat(rows.select("random() BETWEEN 0 AND 1")).hasSize(8);
      assertThat(rows.select("random() = random()")).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      quoteCharacter = '^',
      value = {
        "id = 1 OR id = 2 OR id IN (3, 1) => id IN (1, 2, 3)",
        "id = 1 OR s = 'a' OR id = 2 OR s = 'b' => id IN (1, 2) OR s IN ('a', 'b')",
        "id <> 1 AND id <> 2 => NOT (id IN (1, 2))",
        "id <> 1 AND id NOT IN (2, 3) AND b => NOT (id IN (1, 2, 3)) AND b",
        "id = 1 OR id <> 2 => id = 1 OR id != 2",
        "id = 1 AND id = 2 => id = 1 AND id = 2",
        "id = 1 OR id = NULL => id = 1 OR NULL",
        "i32 = 1 OR i8 = 1 => i32 = 1 OR i8 = 1",
      })
  void mergesAlternativesOfOneColumn(String where, String merged) {
    assertThat(parse(where).expression()).hasToString(merged);
  }

  @Test
  void isEvaluatedByManyThreadsAtOnce() {
    Schema schema = new Schema(List.of(SampleRows.integer("a", 64, true)));
    Predicate predicate = Predicate.parse("a * 2 + 1 = 7 OR a % 5 = 0", schema);
    try (BufferAllocator allocator = new RootAllocator();
        BigIntVector longs = new BigIntVector("a", allocator)) {
      for (int row = 0; row < 200; row++) {
        longs.setSafe(row, row);
      }
      longs.setValueCount(200);
      IntStream.range(0, 2_000)
          .parallel()
          .forEach(
              i -> {
                int rows = i % 200 + 1;
                int expected = (rows + 4) / 5 + (rows > 3 ? 1 : 0);
                assertThat(predicate.evaluate(Map.of("a", longs), rows).cardinality())
                    .isEqualTo(expected);
              });
    }
  }

  @Test
  void refusesBatchesThatAreNotOfTheSchema() {
    Schema schema = new Schema(List.of(SampleRows.integer("a", 64, true)));
    Predicate predicate = Predicate.parse("a = 1", schema);
    try (BufferAllocator allocator = new RootAllocator();
        IntVector ints = new IntVector("a", allocator);
        BigIntVector longs = new BigIntVector("a", allocator)) {
      ints.setSafe(0, 1);
      ints.setValueCount(1);
      longs.setSafe(0, 1);
      longs.setValueCount(1);
      assertThat(predicate.evaluate(Map.of("a", longs), 1).toOffsets()).containsExactly(0);
      assertThat(predicate.evaluate(Map.of("a", longs), 0).rows()).isZero();
      assertThatThrownBy(() -> predicate.evaluate(Map.of("a", ints), 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("expected Int(64, true)");
      assertThatThrownBy(() -> predicate.evaluate(Map.of("a", longs), 2))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("has 1 rows, expected 2");
      assertThatThrownBy(() -> predicate.evaluate(Map.of(), 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("column 'a' is not in the batch");
    }
  }

  @Test
  void aNullColumnIsNull() {
    Schema schema = new Schema(List.of(Field.nullable("n", ArrowType.Null.INSTANCE)));
    try (NullVector vector = new NullVector("n", 3)) {
      Map<String, FieldVector> columns = Map.of("n", vector);
      assertThat(Predicate.parse("n IS NULL", schema).evaluate(columns, 3).cardinality())
          .isEqualTo(3);
      assertThat(Predicate.parse("n = 1 OR n LIKE 'a'", schema).constant()).contains(false);
      assertThatThrownBy(() -> Predicate.parse("n", schema))
          .isInstanceOf(InvalidPredicateException.class);
    }
  }
}
