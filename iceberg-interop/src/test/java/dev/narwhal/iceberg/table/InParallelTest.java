package dev.narwhal.iceberg.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class InParallelTest {
  private static final List<Integer> THINGS = IntStream.range(0, 1_000).boxed().toList();

  @Test
  void resultsComeInTheThingsOrder() throws IOException {
    assertThat(InParallel.map(THINGS, i -> i * 2))
        .isEqualTo(THINGS.stream().map(i -> i * 2).toList());
    assertThat(InParallel.map(List.<Integer>of(), i -> i)).isEmpty();
  }

  @Test
  void aFailureComesAsItIsAndStopsTheRest() {
    AtomicInteger begun = new AtomicInteger();

    assertThatThrownBy(
            () ->
                InParallel.map(
                    THINGS,
                    i -> {
                      begun.incrementAndGet();
                      throw new IOException("thing " + i);
                    }))
        .isExactlyInstanceOf(IOException.class)
        .hasMessageStartingWith("thing ");

    assertThat(begun.get()).isLessThan(THINGS.size());
  }
}
