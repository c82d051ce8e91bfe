package dev.narwhal.puffin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RoaringStructureTest {
  private static final long ANY = 1L << 32;

  @Test
  void acceptsEveryKindOfContainer() {
    ByteBuffer bytes =
        new RoaringBytes()
            .array(0, 1, 2, 65_535)
            .runs(3, 11, 0, 0, 10, 8, 65_535, 0)
            .bitmap(9, 4160, words(65, -1L))
            .array(65_535, 7)
            .withRuns();

    PortableRoaring portable = PortableRoaring.of(bytes, ANY);

    assertThat(portable.cardinality()).isEqualTo(3 + 11 + 4160 + 1);
    assertThat(portable.max()).isEqualTo(65_535L << 16 | 7);
    assertThat(portable.positions().cardinality()).isEqualTo(portable.cardinality());
    assertThat(portable.positions().max()).isEqualTo(portable.max());
  }

  @Test
  void acceptsAnEmptyBitmap() {
    PortableRoaring portable = PortableRoaring.of(new RoaringBytes().withoutRuns(), 0);

    assertThat(portable.isEmpty()).isTrue();
    assertThat(portable.max()).isEqualTo(-1);
  }

  /** Valid though no writer here makes them; the set in memory is the one of the plain form. */
  @Test
  void acceptsRunsThatTouchAndRunsThatShouldBeArrays() {
    ByteBuffer bytes = new RoaringBytes().runs(0, 6, 1, 1, 3, 2, 900, 0).withRuns();

    assertThat(PortableRoaring.of(bytes, ANY).positions())
        .isEqualTo(PositionSet.of(1, 2, 3, 4, 5, 900));
  }

  @Test
  void acceptsTheRunCookieWithoutARunContainer() {
    ByteBuffer bytes = new RoaringBytes().array(0, 4).array(1, 5).withRuns();

    assertThat(PortableRoaring.of(bytes, ANY).positions()).isEqualTo(PositionSet.of(4, 65_541));
  }

  @Test
  void acceptsTheFullestBitmap() {
    RoaringBytes all = new RoaringBytes();
    for (int key = 0; key < 65_536; key++) {
      all.runs(key, 65_536, 0, 65_535);
    }

    PortableRoaring portable = PortableRoaring.of(all.withRuns(), ANY);

    assertThat(portable.cardinality()).isEqualTo(ANY);
    assertThat(portable.max()).isEqualTo(ANY - 1);
  }

  @ParameterizedTest
  @ValueSource(ints = {4095, 4096})
  void acceptsTheLargestArrays(int cardinality) {
    int[] values = IntStream.range(0, cardinality).map(i -> i * 15).toArray();

    assertThat(PortableRoaring.of(new RoaringBytes().array(2, values).withoutRuns(), ANY).max())
        .isEqualTo((2 << 16) + (cardinality - 1) * 15L);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 12345, 12348, 0x0001_303a, 0x3a30_0000})
  void refusesUnknownCookies(int cookie) {
    ByteBuffer bytes = new RoaringBytes().array(0, 4).withoutRuns().putInt(0, cookie);

    refused(bytes, "cookie 0x%08x".formatted(cookie));
  }

  @Test
  void refusesMoreContainersThanThereAreKeys() {
    refused(RoaringBytes.little(8).putInt(12346).putInt(65_537).flip(), "65537 containers");
    refused(RoaringBytes.little(8).putInt(12346).putInt(-1).flip(), "4294967295 containers");
  }

  @Test
  void refusesContainersThatTheBytesCannotHold() {
    refused(RoaringBytes.little(8).putInt(12346).putInt(65_536).flip(), "left for the header");
    refused(
        RoaringBytes.little(9).putInt(12347 | 0xFFFF << 16).putInt(0).put((byte) 0).flip(),
        "left for the header");
  }

  @Test
  void refusesKeysThatDoNotAscend() {
    refused(
        new RoaringBytes().array(5, 1).array(5, 2).withoutRuns(), "key 5, expected one above 5");
    refused(
        new RoaringBytes().array(5, 1).array(4, 2).withoutRuns(), "key 4, expected one above 5");
  }

  @Test
  void refusesOffsetsThatAreNotTrue() {
    ByteBuffer plain = new RoaringBytes().array(0, 1).array(1, 2).withoutRuns();
    refused(plain.putInt(8 + 8 + 4, 25), "offset 25 of container 1, expected 26");

    ByteBuffer runs =
        new RoaringBytes().array(0, 1).array(1, 2).array(2, 3).runs(3, 1, 9, 0).withRuns();
    refused(runs.putInt(5 + 16, -1), "offset 4294967295 of container 0");
  }

  @Test
  void refusesOffsetsWhereThereMustBeNone() {
    refused(new RoaringBytes().array(0, 1).runs(1, 1, 9, 0).withRuns(true), "");
  }

  @Test
  void refusesMissingOffsetsWhereTheyMustBe() {
    int[] values = IntStream.range(0, 99).toArray();
    RoaringBytes four =
        new RoaringBytes().array(0, values).array(1, 2).array(2, 3).runs(3, 1, 9, 0);

    refused(four.withRuns(false), "offset 65536 of container 0, expected 37");
  }

  /**
   * At every place in an array, in the loop over four lanes and in its tail, a small and a big
   * step.
   */
  @Test
  void refusesArrayValuesThatDoNotAscend() {
    Random random = new Random(1);
    for (int cardinality : new int[] {2, 3, 4, 5, 6, 7, 8, 9, 63, 64, 65, 4096}) {
      int[] values = random.ints(0, 65_536).distinct().limit(cardinality).sorted().toArray();
      assertThat(PortableRoaring.of(new RoaringBytes().array(0, values).withoutRuns(), ANY).max())
          .isEqualTo(values[cardinality - 1]);
      for (int i = 1; i < cardinality; i++) {
        int[] repeated = values.clone();
        repeated[i] = repeated[i - 1];
        refused(
            new RoaringBytes().array(0, repeated).withoutRuns(),
            "array value " + repeated[i] + ", expected one above " + repeated[i - 1]);
        int[] swapped = values.clone();
        swapped[i] = values[i - 1];
        swapped[i - 1] = values[i];
        refused(new RoaringBytes().array(0, swapped).withoutRuns(), "array value");
      }
    }
  }

  @Test
  void refusesABitmapWithAnotherNumberOfBits() {
    refused(
        new RoaringBytes().bitmap(0, 4161, words(65, -1L)).withoutRuns(),
        "4160 bits set in a bitmap container, expected 4161");
    for (int word = 0; word < 1024; word++) {
      long[] words = words(1024, 0x5555_5555_5555_5555L);
      words[word] |= 2;
      refused(new RoaringBytes().bitmap(0, 32_768, words).withoutRuns(), "32769 bits");
    }
    refused(new RoaringBytes().bitmap(0, 4097).withoutRuns(), "0 bits");
  }

  @Test
  void refusesRunsThatOverlapOrDescend() {
    refused(new RoaringBytes().runs(0, 6, 1, 2, 3, 2).withRuns(), "run from 3, expected from 4");
    refused(new RoaringBytes().runs(0, 2, 9, 0, 3, 0).withRuns(), "run from 3, expected from 10");
  }

  @Test
  void refusesARunBeyondItsContainer() {
    refused(new RoaringBytes().runs(0, 7, 65_530, 6).withRuns(), "run to 65536");
  }

  @Test
  void refusesRunsOfAnotherCardinality() {
    refused(new RoaringBytes().runs(0, 4, 1, 2).withRuns(), "3 values in the runs, expected 4");
    refused(new RoaringBytes().runs(0, 1).withRuns(), "0 values in the runs, expected 1");
  }

  @Test
  void refusesBytesAfterTheLastContainer() {
    ByteBuffer bytes = new RoaringBytes().array(0, 1, 2).withoutRuns();
    ByteBuffer more = ByteBuffer.allocate(bytes.limit() + 3).put(bytes.slice()).clear();

    refused(more, "3 bytes after the last container");
  }

  @Test
  void refusesPositionsBeyondTheRows() {
    ByteBuffer array = new RoaringBytes().array(1, 1, 7).withoutRuns();
    ByteBuffer runs = new RoaringBytes().runs(1, 8, 0, 7).withRuns();
    long[] words = words(65, -1L);
    ByteBuffer bitmap = new RoaringBytes().bitmap(1, 4160, words).withoutRuns();

    assertThat(PortableRoaring.of(array, 65_544).max()).isEqualTo(65_543);
    refused(array, 65_543, "position 65543, expected below 65543");
    refused(runs, 65_543, "position 65543, expected below 65543");
    refused(bitmap, 65_536 + 4159, "position 69695, expected below 69695");
    refused(array, 0, "expected below 0");
    assertThatThrownBy(() -> PortableRoaring.of(array, -1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> PortableRoaring.of(array, (1L << 32) + 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void refusesEveryTruncation() {
    ByteBuffer bytes =
        new RoaringBytes()
            .array(0, 1, 2, 65_535)
            .runs(3, 11, 0, 0, 10, 8, 65_535, 0)
            .array(4, 1)
            .array(5, 1)
            .withRuns();
    for (int size = 0; size < bytes.limit(); size++) {
      refused(bytes.slice(0, size), "");
    }
  }

  /**
   * Bare Roaring bytes have no checksum: a flipped bit is refused, or makes another set that is
   * just as valid. Nothing else may happen, and what is accepted decodes to what was counted.
   */
  @Test
  void aFlippedBitIsRefusedOrAnotherValidSet() {
    ByteBuffer small =
        new RoaringBytes()
            .array(0, 1, 2, 65_535)
            .runs(3, 11, 0, 0, 10, 8, 65_535, 0)
            .array(4, 1)
            .array(5, 1)
            .withRuns();
    int accepted = flipEveryBit(small);
    assertThat(accepted).isPositive().isLessThan(small.limit() * 8 / 2);

    // Every bit in the bitmap container changes its count.
    assertThat(flipEveryBit(Golden.buffer("lance-7.0.0/grown-past-5000.bin"))).isEqualTo(16);
  }

  private static int flipEveryBit(ByteBuffer good) {
    int accepted = 0;
    for (int bit = 0; bit < good.limit() * 8; bit++) {
      byte[] bytes = Golden.toArray(good);
      bytes[bit / 8] ^= (byte) (1 << bit % 8);
      try {
        PortableRoaring portable = PortableRoaring.of(ByteBuffer.wrap(bytes), ANY);
        assertThat(portable.positions().cardinality()).isEqualTo(portable.cardinality());
        assertThat(portable.positions().max()).isEqualTo(portable.max());
        accepted++;
      } catch (PuffinFormatException expected) {
        assertThat(expected).hasMessageContaining("expected");
      }
    }
    return accepted;
  }

  private static void refused(ByteBuffer bytes, String why) {
    refused(bytes, ANY, why);
  }

  private static void refused(ByteBuffer bytes, long physicalRows, String why) {
    assertThatThrownBy(() -> PortableRoaring.of(bytes, physicalRows))
        .isInstanceOf(PuffinFormatException.class)
        .hasMessageContaining(why);
  }

  private static long[] words(int count, long value) {
    long[] words = new long[count];
    Arrays.fill(words, value);
    return words;
  }
}
