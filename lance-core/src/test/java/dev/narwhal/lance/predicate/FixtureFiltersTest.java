package dev.narwhal.lance.predicate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The queries of the fixtures' {@code expected.json}, and the predicates of the deletes and updates
 * in their transactions, on columns as they have there.
 */
class FixtureFiltersTest {
  private static final Schema SCHEMA =
      new Schema(
          List.of(
              SampleRows.integer("id", 64, true),
              SampleRows.integer("k", 64, true),
              SampleRows.integer("twice", 64, true),
              SampleRows.integer("n", 64, true),
              SampleRows.integer("small", 64, true),
              SampleRows.integer("sorted", 64, true),
              SampleRows.integer("i32", 32, true),
              SampleRows.field("x", new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE)),
              SampleRows.field("s", ArrowType.Utf8.INSTANCE),
              SampleRows.field("utf8", ArrowType.Utf8.INSTANCE),
              SampleRows.field("low_card", ArrowType.Utf8.INSTANCE),
              SampleRows.field("prefix", ArrowType.Utf8.INSTANCE),
              SampleRows.field("bool", ArrowType.Bool.INSTANCE),
              SampleRows.field(
                  "labels",
                  ArrowType.List.INSTANCE,
                  Field.nullable("item", ArrowType.Utf8.INSTANCE))));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "x > 0 | x",
        "k = 7 | k",
        "s != 's1' | s",
        "id = 11 | id",
        "id > 150 | id",
        "s = 's42' | s",
        "n = 7 | n",
        "array_has_any(labels, ['a']) | labels",
        "contains(s, 'abc') | s",
        "small = 3 | small",
        "sorted < 1700000100000 | sorted",
        "low_card = 'red' | low_card",
        "prefix like '%/1%' | prefix",
        "i32 > 0 | i32",
        "utf8 is null | utf8",
        "bool | bool",
        "id in (3, 4, 60, 89) | id",
        "id % 9 = 1 | id",
        "id >= 7000 and id < 8500 | id",
        "s > 's5' | s",
        "twice > 70 | twice",
      })
  void parsesAndBinds(String filter, String column) {
    Predicate predicate = Predicate.parse(filter, SCHEMA);
    assertThat(predicate.columns()).containsExactly(column);
    assertThat(predicate.constant()).isEmpty();
  }

  @Test
  void aDeleteOfAllIsKnownToBeOne() {
    assertThat(Predicate.parse("true", SCHEMA).constant()).contains(true);
  }
}
