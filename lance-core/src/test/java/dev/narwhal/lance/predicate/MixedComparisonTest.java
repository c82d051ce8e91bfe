package dev.narwhal.lance.predicate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.narwhal.lance.RandomSeeds;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Columns of two number types, compared by value: exact but where a float takes part. */
class MixedComparisonTest {
  private static final int ROWS = 100;

  static LongStream seeds() {
    return RandomSeeds.seeds();
  }

  private static List<ComparedType> exactTypes() {
    return ComparedType.all().stream()
        .filter(
            type ->
                type.name().startsWith("int")
                    || type.name().startsWith("uint")
                    || type.name().startsWith("dec"))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void comparesIntegersAndDecimalsExactly(long seed) {
    Random random = new Random(seed);
    for (ComparedType left : exactTypes()) {
      for (int pair = 0; pair < 3; pair++) {
        ComparedType right = exactTypes().get(random.nextInt(exactTypes().size()));
        List<Optional<Object>> a = values(left, random);
        List<Optional<Object>> b = values(right, random);
        assertThat(select("a < b", left, a, right, b))
            .as("%s < %s", left, right)
            .isEqualTo(model(a, b, -1));
        assertThat(select("a = b", left, a, right, b))
            .as("%s = %s", left, right)
            .isEqualTo(model(a, b, 0));
      }
    }
  }

  private static List<Optional<Object>> values(ComparedType type, Random random) {
    List<Optional<Object>> values = new ArrayList<>();
    for (int row = 0; row < ROWS; row++) {
      values.add(
          random.nextInt(5) == 0 ? Optional.empty() : Optional.of(type.generator().apply(random)));
    }
    return values;
  }

  private static List<Integer> model(List<Optional<Object>> a, List<Optional<Object>> b, int sign) {
    return IntStream.range(0, ROWS)
        .filter(
            row ->
                a.get(row).isPresent()
                    && b.get(row).isPresent()
                    && number(a.get(row)).compareTo(number(b.get(row))) == sign)
        .boxed()
        .toList();
  }

  private static BigDecimal number(Optional<Object> value) {
    return new BigDecimal(value.orElseThrow().toString());
  }

  private static List<Integer> select(
      String where,
      ComparedType left,
      List<Optional<Object>> a,
      ComparedType right,
      List<Optional<Object>> b) {
    Schema schema =
        new Schema(
            List.of(SampleRows.field("a", left.arrow()), SampleRows.field("b", right.arrow())));
    try (BufferAllocator allocator = new RootAllocator();
        FieldVector x = left.vector("a", a, allocator);
        FieldVector y = right.vector("b", b, allocator)) {
      return IntStream.of(
              Predicate.parse(where, schema).evaluate(Map.of("a", x, "b", y), ROWS).toOffsets())
          .boxed()
          .toList();
    }
  }
}
