package dev.narwhal.lance.datafile.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BitsTest {
  private static final int BITS = 400;

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("dev.narwhal.lance.RandomSeeds#seeds")
  void movesBitsAsABitSetDoes(long seed) {
    Random random = new Random(seed);
    ByteBuffer source = random(random);
    ByteBuffer target = random(random);
    BitSet sourceModel = BitSet.valueOf(source);
    for (int round = 0; round < 200; round++) {
      BitSet expected = BitSet.valueOf(target);
      int count = random.nextInt(BITS);
      int from = random.nextInt(BITS - count + 1);
      int to = random.nextInt(BITS - count + 1);
      switch (random.nextInt(3)) {
        case 0 -> {
          Bits.copy(source, from, target, to, count);
          for (int i = 0; i < count; i++) {
            expected.set(to + i, sourceModel.get(from + i));
          }
        }
        case 1 -> {
          boolean value = random.nextBoolean();
          Bits.fill(target, to, count, value);
          expected.set(to, to + count, value);
        }
        default -> {
          int[] indices = random.ints(count + 3L, -1, BITS).toArray();
          Bits.gather(source, indices, 3, target, to, count);
          for (int i = 0; i < count; i++) {
            expected.set(to + i, indices[3 + i] >= 0 && sourceModel.get(indices[3 + i]));
          }
        }
      }
      assertThat(BitSet.valueOf(target)).as("round %d", round).isEqualTo(expected);
      assertThat(Bits.cardinality(target, count)).isEqualTo(expected.get(0, count).cardinality());
      if (count > 0) {
        int n = Math.min(count, 64);
        assertThat(Bits.getWord(target, to, n)).isEqualTo(word(expected, to, n));
      }
    }
  }

  private static long word(BitSet bits, int from, int count) {
    long[] words = bits.get(from, from + count).toLongArray();
    return words.length == 0 ? 0 : words[0];
  }

  private static ByteBuffer random(Random random) {
    byte[] bytes = new byte[BITS / 8];
    random.nextBytes(bytes);
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
