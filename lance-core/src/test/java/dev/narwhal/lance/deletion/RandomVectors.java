package dev.narwhal.lance.deletion;

import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeSet;

/** Sets of offsets with the structures that containers care for, in plain form. */
final class RandomVectors {
  private static final int BLOCK = 1 << 16;

  private RandomVectors() {}

  /** Up to a few blocks below 2^21: runs, dense and sparse parts, block edges. */
  static NavigableSet<Long> offsets(Random random) {
    NavigableSet<Long> offsets = new TreeSet<>();
    for (int part = random.nextInt(5); part > 0; part--) {
      long start = (long) random.nextInt(1 << 5) * BLOCK + random.nextInt(BLOCK);
      switch (random.nextInt(5)) {
        case 0 -> run(offsets, start, random.nextInt(BLOCK + BLOCK / 4));
        case 1 -> scatter(offsets, random, start, BLOCK, 6_000);
        case 2 -> scatter(offsets, random, start, BLOCK, 50);
        case 3 -> {
          for (int i = random.nextInt(300); i > 0; i--) {
            run(offsets, start += 1 + random.nextInt(200), random.nextInt(90));
          }
        }
        default -> {
          long edge = start / BLOCK * BLOCK;
          run(offsets, Math.max(0, edge - random.nextInt(3)), random.nextInt(5));
        }
      }
    }
    return offsets;
  }

  static DeletionVector vector(NavigableSet<Long> offsets) {
    return DeletionVector.ofOffsets(offsets.stream().mapToInt(Long::intValue).toArray());
  }

  private static void run(NavigableSet<Long> offsets, long start, int length) {
    for (long offset = start; offset < start + length; offset++) {
      offsets.add(offset);
    }
  }

  private static void scatter(
      NavigableSet<Long> offsets, Random random, long start, int range, int count) {
    for (int i = 0; i < count; i++) {
      offsets.add(start + random.nextInt(range));
    }
  }
}
