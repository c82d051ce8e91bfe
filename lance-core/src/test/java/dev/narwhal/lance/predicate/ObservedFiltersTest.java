package dev.narwhal.lance.predicate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.narwhal.lance.error.InvalidPredicateException;
import dev.narwhal.lance.error.PredicateEvaluationException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Filters that real Lance 7.0.0 was given, and what it found. */
class ObservedFiltersTest {
  private static final String REFUSED = "refused";
  private static final String FAILS = "fails";

  /** Where Narwhal's answer is another than real Lance's: the filter, our answer. */
  private static final Map<String, String> DIFFERENCES = differences();

  private static SampleRows rows = new SampleRows();

  @BeforeAll
  static void open() {
    rows.close();
    rows = new SampleRows();
  }

  @AfterAll
  static void close() {
    rows.close();
  }

  private static Map<String, String> differences() {
    Map<String, String> map = new LinkedHashMap<>();
    // Exact literals that real Lance reads as doubles, or does not convert.
    map.put("f16 = 1.5", "[4]");
    map.put("f16 = 1", "[3]");
    map.put("dec = 1.5", "[4]");
    map.put("dec = 0.01", "[2]");
    map.put("u64 = 18446744073709551615", "[6]");
    map.put("i64 = -9223372036854775808", "[0]");
    // Text for dates, times and timestamps.
    map.put("d = '2024-01-01'", "[3]");
    map.put("'2024-01-01' = d", "[3]");
    map.put("d IN ('2024-01-01')", "[3]");
    map.put("d > '2024-01-01'", "[4,5,6]");
    map.put("d = '2024-1-1'", "[3]");
    map.put("d > '2024-01-01T00:00:00'", "[4,5,6]");
    map.put("dm = '2024-01-01'", "[3]");
    map.put("ts > '2024-01-01'", "[4,5,6]");
    map.put("ts >= '2024-01-01'", "[3,4,5,6]");
    map.put("ts >= '2024-01-01 00:00:00'", "[3,4,5,6]");
    map.put("ts >= '2024-01-01T00:00:00'", "[3,4,5,6]");
    map.put("ts >= '2024-01-01T00:00:00Z'", "[3,4,5,6]");
    map.put("ts >= '2024-01-01T00:00:00+05:00'", "[3,4,5,6]");
    map.put("tz >= '2024-01-01'", "[3,4,5,6]");
    map.put("tz >= '2024-01-01T00:00:00+01:00'", "[3,4,5,6]");
    map.put("tm = '00:01:00'", "[2]");
    map.put("tm > time '00:01:00'", "[3,4,5,6]");
    map.put("tm > '01:00:00'", "[4,5,6]");
    // Real Lance drops the digits that the column's unit does not hold.
    map.put("ts = timestamp '2024-01-01 00:00:00.0000001'", "[]");
    // Real Lance takes the first of several names, and finds members exactly only.
    map.put("DUP = 1", REFUSED);
    map.put("dUP = 11", REFUSED);
    map.put("ST.X = 1", "[1]");
    map.put("st.y.z = 'z1'", "[1]");
    // Real Lance wraps around; it keeps narrow integers narrow.
    map.put("i64 + 1 > 0", FAILS);
    map.put("-i64 = 1", FAILS);
    map.put("id = 9223372036854775807 + 1", FAILS);
    map.put("i8 + i8 > 200", "[6]");
    map.put("i8 * i8 = 1", "[1,3]");
    map.put("i8 * i8 = 16129", "[6]");
    map.put("i16 + i8 > 0", "[3,4,5,6]");
    map.put("abs(i32) = 1", "[1,3]");
    // Real Lance compares without the cast where its optimiser thinks that to be the same.
    map.put("CAST(i32 AS tinyint) = 1", FAILS);
    map.put("CAST(i64 AS int) = 1", FAILS);
    map.put("CAST(i32 AS decimal(4,2)) = 1", FAILS);
    map.put("CAST(dec AS int) = 1", "[3,4]");
    map.put("CAST(dec AS int) = 2", "[6]");
    map.put("CAST(id AS timestamp(0)) = timestamp '1970-01-01 00:00:01'", "[1]");
    map.put("CAST(id AS timestamp) = timestamp '1970-01-01 00:00:00.000000001'", "[1]");
    // Rows whose result is known already do not fail.
    map.put("i32 <> 0 AND 1 / i32 = 1", "[3]");
    // More types and functions.
    map.put("CAST(s AS varchar) = 'a'", "[1]");
    map.put("CAST(s AS text) = 'a'", "[1]");
    map.put("CAST(id AS real) = 1", "[1]");
    map.put("substring(s, 1, 1) = 'a'", "[1,3,4,6]");
    map.put("substr(s, 2) = 'bc'", "[3]");
    map.put("substr(s,2) = 'bc'", "[3]");
    map.put("substr(s, 0, 2) = 'a'", "[1,3,4,6]");
    map.put("substr(s, -1, 3) = 'a'", "[1,3,4,6]");
    map.put("substr(s, 1, -1) = 'a'", FAILS);
    map.put("substr(s, 2, 1) = 'b'", "[3]");
    map.put("ceil(f64) = 1", "[3,4]");
    map.put("floor(f64) = 0", "[2,4]");
    map.put("sign(i32) = -1", "[0,1]");
    map.put("sign(f64) = -1", "[0]");
    map.put("trim(s) = 'a'", "[1]");
    map.put("trim('  a ') = 'a'", "[0,1,2,3,4,5,6,7]");
    map.put("concat(s, NULL, 'x') = 'ax'", "[1]");
    map.put("concat(NULL, 'x') = 'x'", "[0,1,2,3,4,5,6,7]");
    map.put("extract(year from d) = 2024", "[3,4,5]");
    map.put("extract(year from ts) = 2024", "[3,4,5,6]");
    map.put("EXTRACT(hour FROM ts) = 1", "[4]");
    // Fewer.
    map.put("li = li", REFUSED);
    map.put("array_has(lst, 1)", REFUSED);
    map.put("array_length(lst, 2) = 2", FAILS);
    map.put("regexp_replace(s, 'a', 'x') = 'xbc'", REFUSED);
    map.put("id = 1 = true", REFUSED);
    map.put("id IN (1) = true", REFUSED);
    map.put("id = 1)", REFUSED);
    map.put("s = 'a' 'b'", REFUSED);
    return map;
  }

  private static Map<String, String> observed() throws IOException {
    Map<String, String> filters = new LinkedHashMap<>();
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                Objects.requireNonNull(
                    ObservedFiltersTest.class.getResourceAsStream(
                        "/golden/lance-7.0.0/filters.tsv")),
                StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        int tab = line.indexOf('\t');
        filters.put(line.substring(0, tab), line.substring(tab + 1));
      }
    }
    return filters;
  }

  static Stream<String> filters() throws IOException {
    return observed().keySet().stream();
  }

  private static String answer(String filter) {
    try {
      return rows.select(filter).toString().replace(" ", "");
    } catch (InvalidPredicateException e) {
      return REFUSED;
    } catch (PredicateEvaluationException e) {
      return FAILS;
    }
  }

  @ParameterizedTest
  @MethodSource("filters")
  void findsWhatLanceFinds(String filter) throws IOException {
    String lance = Objects.requireNonNull(observed().get(filter));
    assertThat(answer(filter)).isEqualTo(DIFFERENCES.getOrDefault(filter, lance));
  }

  @Test
  void differsFromLanceWhereItSays() throws IOException {
    Map<String, String> observed = observed();
    assertThat(observed)
        .hasSizeGreaterThan(600)
        .containsKeys(DIFFERENCES.keySet().toArray(new String[0]));
    assertThat(DIFFERENCES)
        .allSatisfy((filter, ours) -> assertThat(observed.get(filter)).isNotEqualTo(ours));
  }

  /** What an expression shows as is an expression of the same meaning. */
  @ParameterizedTest
  @MethodSource("filters")
  void showsAsTextThatReadsTheSame(String filter) {
    String answer = answer(filter);
    if (answer.equals(REFUSED) || filter.contains("random()")) {
      return;
    }
    String shown = Predicate.parse(filter, SampleRows.SCHEMA).expression().toString();
    if (shown.equals("NULL")) {
      assertThatThrownBy(() -> Predicate.parse(shown, SampleRows.SCHEMA))
          .isInstanceOf(InvalidPredicateException.class);
      assertThat(answer).isEqualTo("[]");
      return;
    }
    assertThat(answer(shown)).as(shown).isEqualTo(answer);
  }
}
