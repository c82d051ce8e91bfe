package dev.narwhal.lance;

import java.util.stream.LongStream;

/**
 * Seeds for random tests, as a JUnit method source. {@code -Dtest.seed=N} runs one again, {@code
 * -Dtest.seeds=N} widens.
 */
public final class RandomSeeds {
  private RandomSeeds() {}

  public static LongStream seeds() {
    Long one = Long.getLong("test.seed");
    return one != null ? LongStream.of(one) : LongStream.range(0, Long.getLong("test.seeds", 20));
  }
}
