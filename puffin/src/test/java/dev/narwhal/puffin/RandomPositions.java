package dev.narwhal.puffin;

import java.util.List;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.LongStream;

/**
 * Sets by structure: runs, dense and sparse stretches, and the edges of containers and keys. {@code
 * -Dtest.seed=N} runs one again, {@code -Dtest.seeds=N} widens.
 */
final class RandomPositions {
  private static final List<Long> EDGES =
      List.of(
          0L,
          65_535L,
          65_536L,
          4095L,
          4096L,
          (1L << 31) - 1,
          1L << 31,
          (1L << 32) - 1,
          1L << 32,
          (3L << 32) - 1,
          5L << 32,
          Long.MAX_VALUE - 1,
          Long.MAX_VALUE);

  private RandomPositions() {}

  /** Named as a source of seeds in {@code @MethodSource}. */
  static LongStream seeds() {
    Long one = Long.getLong("test.seed");
    return one != null ? LongStream.of(one) : LongStream.range(0, Long.getLong("test.seeds", 40));
  }

  /** A set of positions below {@code endExclusive}, sometimes empty. */
  static NavigableSet<Long> below(long endExclusive, long seed) {
    Random random = new Random(seed);
    NavigableSet<Long> positions = new TreeSet<>();
    int stretches = random.nextInt(6);
    for (int i = 0; i < stretches; i++) {
      long start = start(random);
      switch (random.nextInt(5)) {
        case 0 -> stretch(positions, start, 1 + random.nextInt(9), 1);
        case 1 -> stretch(positions, start, 1 + random.nextInt(20_000), 1);
        case 2 -> stretch(positions, start, 3000 + random.nextInt(3000), 2 + random.nextInt(3));
        case 3 -> stretch(positions, start, 1 + random.nextInt(50), 1 + random.nextInt(40_000));
        default -> {
          for (int run = 0; run < 40; run++) {
            stretch(positions, start + run * 301L, 1 + random.nextInt(300), 1);
          }
        }
      }
    }
    positions.removeIf(position -> position < 0 || position >= endExclusive);
    return positions;
  }

  static PositionSet set(NavigableSet<Long> positions) {
    PositionSet.Builder builder = PositionSet.builder();
    positions.forEach(builder::add);
    return builder.build();
  }

  static long[] array(NavigableSet<Long> positions) {
    return positions.stream().mapToLong(Long::longValue).toArray();
  }

  private static long start(Random random) {
    long edge = EDGES.get(random.nextInt(EDGES.size()));
    long around = edge - random.nextInt(3);
    return random.nextInt(3) == 0 ? random.nextInt(300_000) : Math.max(around, 0);
  }

  /** Stops where positions end, at 2^63-1. */
  private static void stretch(NavigableSet<Long> positions, long start, int count, int step) {
    long position = start;
    for (int i = 0; i < count && position >= 0; i++) {
      positions.add(position);
      position += step;
    }
  }
}
