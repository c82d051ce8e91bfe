package dev.narwhal.lance.predicate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.narwhal.lance.RandomSeeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each type under each comparison, on random batches, against a plain model. */
class ComparisonModelTest {
  /** Not a multiple of 64 or 8, more than two words. */
  private static final int ROWS = 203;

  static List<ComparedType> types() {
    return ComparedType.all();
  }

  /** Two columns of one type. */
  private static final class Sample implements AutoCloseable {
    private final ComparedType type;
    private final List<Optional<Object>> a;
    private final List<Optional<Object>> b;
    private final BufferAllocator allocator = new RootAllocator();
    private final Map<String, FieldVector> vectors = new HashMap<>();
    private final Schema schema;

    Sample(ComparedType type, Random random) {
      this.type = type;
      this.a = values(type, random);
      this.b = values(type, random);
      vectors.put("a", type.vector("a", a, allocator));
      vectors.put("b", type.vector("b", b, allocator));
      schema =
          new Schema(
              List.of(SampleRows.field("a", type.arrow()), SampleRows.field("b", type.arrow())));
    }

    private static List<Optional<Object>> values(ComparedType type, Random random) {
      List<Optional<Object>> values = new ArrayList<>();
      int nulls = random.nextInt(4);
      for (int row = 0; row < ROWS; row++) {
        boolean isNull = nulls > 0 && random.nextInt(4) < nulls;
        values.add(isNull ? Optional.empty() : Optional.of(type.generator().apply(random)));
      }
      return values;
    }

    List<Integer> select(String where) {
      return IntStream.of(Predicate.parse(where, schema).evaluate(vectors, ROWS).toOffsets())
          .boxed()
          .toList();
    }

    /** Rows with an {@code a} whose order relative to a value is as asked. */
    List<Integer> model(Object value, IntPredicate sign) {
      return IntStream.range(0, ROWS)
          .filter(
              row ->
                  a.get(row).isPresent()
                      && sign.test(type.order().compare(a.get(row).get(), value)))
          .boxed()
          .toList();
    }

    List<Integer> modelOfRows(IntPredicate sign) {
      return IntStream.range(0, ROWS)
          .filter(
              row ->
                  a.get(row).isPresent()
                      && b.get(row).isPresent()
                      && sign.test(type.order().compare(a.get(row).get(), b.get(row).get())))
          .boxed()
          .toList();
    }

    @Override
    public void close() {
      vectors.values().forEach(FieldVector::close);
      allocator.close();
    }
  }

  private static final Map<String, IntPredicate> OPERATORS =
      Map.of(
          "=", sign -> sign == 0,
          "!=", sign -> sign != 0,
          "<", sign -> sign < 0,
          "<=", sign -> sign <= 0,
          ">", sign -> sign > 0,
          ">=", sign -> sign >= 0);

  @ParameterizedTest
  @MethodSource("types")
  void comparesWithLiterals(ComparedType type) {
    RandomSeeds.seeds()
        .forEach(
            seed -> {
              Random random = new Random(seed);
              Object value = type.generator().apply(random);
              Optional<String> literal = type.sql().apply(value);
              if (literal.isEmpty()) {
                return;
              }
              try (Sample sample = new Sample(type, random)) {
                OPERATORS.forEach(
                    (operator, sign) -> {
                      String where = "a " + operator + " " + literal.get();
                      assertThat(sample.select(where))
                          .as("%s, seed %d", where, seed)
                          .isEqualTo(sample.model(value, sign));
                      assertThat(sample.select("NOT (" + where + ")"))
                          .as("NOT %s, seed %d", where, seed)
                          .isEqualTo(sample.model(value, sign.negate()));
                      String flipped = literal.get() + " " + operator + " a";
                      assertThat(sample.select(flipped))
                          .as("%s, seed %d", flipped, seed)
                          .isEqualTo(sample.model(value, s -> sign.test(-s)));
                    });
              }
            });
  }

  @ParameterizedTest
  @MethodSource("types")
  void comparesColumns(ComparedType type) {
    RandomSeeds.seeds()
        .forEach(
            seed -> {
              try (Sample sample = new Sample(type, new Random(seed))) {
                OPERATORS.forEach(
                    (operator, sign) ->
                        assertThat(sample.select("a " + operator + " b"))
                            .as("a %s b, seed %d", operator, seed)
                            .isEqualTo(sample.modelOfRows(sign)));
                assertThat(sample.select("coalesce(a, b) = b AND a IS NOT NULL"))
                    .as("coalesce, seed %d", seed)
                    .isEqualTo(sample.modelOfRows(sign -> sign == 0));
                assertThat(sample.select("a BETWEEN b AND b"))
                    .as("a BETWEEN b AND b, seed %d", seed)
                    .isEqualTo(sample.modelOfRows(sign -> sign == 0));
              }
            });
  }

  @ParameterizedTest
  @MethodSource("types")
  void findsInListsAndRanges(ComparedType type) {
    RandomSeeds.seeds()
        .forEach(
            seed -> {
              Random random = new Random(seed);
              List<Object> values = new ArrayList<>();
              for (int i = random.nextInt(5); i >= 0; i--) {
                values.add(type.generator().apply(random));
              }
              if (type.sql().apply(values.get(0)).isEmpty()) {
                return;
              }
              String list =
                  values.stream()
                      .map(value -> type.sql().apply(value).orElseThrow())
                      .collect(Collectors.joining(", "));
              Object low = values.get(0);
              Object high = values.get(values.size() - 1);
              try (Sample sample = new Sample(type, random)) {
                List<Integer> found =
                    sample.model(low, sign -> true).stream()
                        .filter(row -> isIn(sample, row, values))
                        .toList();
                List<Integer> others = new ArrayList<>(sample.model(low, sign -> true));
                others.removeAll(found);
                assertThat(sample.select("a IN (" + list + ")"))
                    .as("seed %d", seed)
                    .isEqualTo(found);
                assertThat(sample.select("a NOT IN (" + list + ")"))
                    .as("NOT IN, seed %d", seed)
                    .isEqualTo(others);
                assertThat(sample.select("a IN (" + list + ", NULL)")).isEqualTo(found);
                assertThat(sample.select("a NOT IN (" + list + ", NULL)")).isEmpty();
                List<Integer> range = new ArrayList<>(sample.model(low, sign -> sign >= 0));
                range.retainAll(sample.model(high, sign -> sign <= 0));
                assertThat(
                        sample.select(
                            "a BETWEEN "
                                + type.sql().apply(low).orElseThrow()
                                + " AND "
                                + type.sql().apply(high).orElseThrow()))
                    .as("BETWEEN, seed %d", seed)
                    .isEqualTo(range);
              }
            });
  }

  private static boolean isIn(Sample sample, int row, List<Object> values) {
    return values.stream()
        .anyMatch(
            value -> sample.type.order().compare(sample.a.get(row).orElseThrow(), value) == 0);
  }

  @ParameterizedTest
  @MethodSource("types")
  void knowsNulls(ComparedType type) {
    try (Sample sample = new Sample(type, new Random(3))) {
      List<Integer> present = sample.model(type.generator().apply(new Random(1)), sign -> true);
      List<Integer> nulls = new ArrayList<>(IntStream.range(0, ROWS).boxed().toList());
      nulls.removeAll(present);
      assertThat(sample.select("a IS NOT NULL")).isEqualTo(present);
      assertThat(sample.select("a IS NULL")).isEqualTo(nulls);
      assertThat(sample.select("nullif(a, b) IS NULL AND a IS NOT NULL"))
          .isEqualTo(sample.modelOfRows(sign -> sign == 0));
      assertThat(sample.select("(a = b) IS NULL OR a = b OR a <> b")).hasSize(ROWS);
    }
  }
}
