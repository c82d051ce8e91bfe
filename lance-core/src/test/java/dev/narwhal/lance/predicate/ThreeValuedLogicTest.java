package dev.narwhal.lance.predicate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Truth tables over all nine pairs: row 3 i + j has the i-th of T, F, N in p and the j-th in q. */
class ThreeValuedLogicTest {
  private static final Schema SCHEMA =
      new Schema(
          List.of(
              SampleRows.field("p", ArrowType.Bool.INSTANCE),
              SampleRows.field("q", ArrowType.Bool.INSTANCE)));

  @ParameterizedTest
  @CsvSource({
    // p              TTTFFFNNN
    // q              TFNTFNTFN
    "p AND q,         TFNFFFNFN",
    "p OR q,          TTTTFNTNN",
    "NOT p,           FFFTTTNNN",
    "NOT NOT p,       TTTFFFNNN",
    "NOT (p AND q),   FTNTTTNTN",
    "NOT (p OR q),    FFFFTNFNN",
    "p = q,           TFNFTNNNN",
    "p <> q,          FTNTFNNNN",
    "p < q,           FFNTFNNNN",
    "p >= q,          TTNFTNNNN",
    "p IS NULL,       FFFFFFTTT",
    "p IS NOT NULL,   TTTTTTFFF",
    "p IS TRUE,       TTTFFFFFF",
    "p IS NOT TRUE,   FFFTTTTTT",
    "p IS FALSE,      FFFTTTFFF",
    "p IS NOT FALSE,  TTTFFFTTT",
    "(p AND q) IS NULL, FFTFFFTFT",
    "p AND NULL,      NNNFFFNNN",
    "p OR NULL,       TTTNNNNNN",
    "p AND TRUE,      TTTFFFNNN",
    "p OR FALSE,      TTTFFFNNN",
    "p AND FALSE,     FFFFFFFFF",
    "p OR TRUE,       TTTTTTTTT",
    "p = NULL,        NNNNNNNNN",
    "p IN (TRUE),     TTTFFFNNN",
    "'p IN (TRUE, NULL)',     TTTNNNNNN",
    "'p NOT IN (TRUE, NULL)', FFFNNNNNN",
    "p IN (q),        TFNFTNNNN",
    "p BETWEEN q AND TRUE, TTNFTNNNN",
    "p NOT BETWEEN q AND TRUE, FFNTFNNNN",
    "'coalesce(p, q)', TTTFFFTFN",
    "p OR q AND q,    TTTTFNTNN",
    "NOT p AND q,     FFFTFNNFN",
  })
  void followsSql(String condition, String expected) {
    assertThat(values(condition)).isEqualTo(expected.strip());
  }

  /** Reads all three values through the only one that is shown: TRUE. */
  private static String values(String condition) {
    RowMask trues = evaluate("(" + condition + ") IS TRUE");
    RowMask falses = evaluate("(" + condition + ") IS FALSE");
    RowMask nulls = evaluate("(" + condition + ") IS NULL");
    assertThat(evaluate("(" + condition + ") AND TRUE")).isEqualTo(trues);
    assertThat(evaluate("NOT (" + condition + ")")).isEqualTo(falses);
    StringBuilder text = new StringBuilder();
    for (int row = 0; row < 9; row++) {
      assertThat(trues.get(row) ^ falses.get(row) ^ nulls.get(row)).isTrue();
      text.append(trues.get(row) ? 'T' : falses.get(row) ? 'F' : 'N');
    }
    return text.toString();
  }

  private static RowMask evaluate(String where) {
    try (BufferAllocator allocator = new RootAllocator();
        BitVector p = new BitVector("p", allocator);
        BitVector q = new BitVector("q", allocator)) {
      for (int row = 0; row < 9; row++) {
        set(p, row, row / 3);
        set(q, row, row % 3);
      }
      p.setValueCount(9);
      q.setValueCount(9);
      Map<String, FieldVector> columns = Map.of("p", p, "q", q);
      return Predicate.parse(where, SCHEMA).evaluate(columns, 9);
    }
  }

  private static void set(BitVector vector, int row, int value) {
    if (value == 2) {
      vector.setNull(row);
    } else {
      vector.setSafe(row, 1 - value);
    }
  }
}
