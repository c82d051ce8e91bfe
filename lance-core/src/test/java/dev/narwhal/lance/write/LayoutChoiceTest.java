package dev.narwhal.lance.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.narwhal.lance.deletion.ArrayCodec;
import dev.narwhal.lance.deletion.BitmapCodec;
import dev.narwhal.lance.deletion.DeletionFile.Encoding;
import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.deletion.EncodedDeletions;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LayoutChoiceTest {
  private static final long ROWS = 1L << 32;

  @ParameterizedTest(name = "{0} rows after {1}: {2}")
  @CsvSource({
    "4999, , ARRAY",
    "5000, , BITMAP",
    "5000, ARRAY, ARRAY",
    "5001, ARRAY, BITMAP",
    "1, BITMAP, BITMAP"
  })
  void realLancesRule(int rows, @Nullable Encoding before, Encoding expected) {
    EncodedDeletions encoded =
        LayoutChoice.lance().encode(Optional.ofNullable(before), range(rows));
    assertThat(encoded.encoding()).isEqualTo(expected);
    assertThat(encoded.rows()).isEqualTo(rows);
    assertThat(decoded(encoded)).isEqualTo(range(rows));
  }

  @Test
  void noRuleHasANegativeThreshold() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LayoutChoice.lance(-1))
        .withMessageContaining("arrayThreshold must be at least 0: -1");
  }

  @Test
  void runsAreWrittenAsRuns() {
    EncodedDeletions encoded = LayoutChoice.smallest().encode(Optional.empty(), range(100_000));
    assertThat(encoded.encoding()).isEqualTo(Encoding.BITMAP);
    assertThat(encoded.sizeBytes()).isLessThan(40);
    assertThat(encoded.bytes().get(0)).as("cookie 12347").isEqualTo((byte) 0x3b);
    assertThat(decoded(encoded)).isEqualTo(range(100_000));
  }

  @Test
  void rowsFarApartAreAnArray() {
    DeletionVector far =
        DeletionVector.ofOffsets(IntStream.range(0, 5_000).map(i -> i << 16).toArray());
    EncodedDeletions encoded = LayoutChoice.smallest().encode(Optional.of(Encoding.BITMAP), far);
    assertThat(encoded.encoding()).isEqualTo(Encoding.ARRAY);
    assertThat(decoded(encoded)).isEqualTo(far);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void nothingIsSmallerThanTheSmallest(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 50; round++) {
      int space = 1 << (4 + random.nextInt(20));
      int run = 1 + random.nextInt(1 << random.nextInt(8));
      int[] offsets =
          random
              .ints(1 + random.nextInt(300), 0, space)
              .flatMap(start -> IntStream.range(start, start + run))
              .toArray();
      DeletionVector rows = DeletionVector.ofOffsets(offsets);
      EncodedDeletions smallest = LayoutChoice.smallest().encode(Optional.empty(), rows);
      assertThat(decoded(smallest)).isEqualTo(rows);
      for (EncodedDeletions other :
          List.of(
              EncodedDeletions.array(rows),
              EncodedDeletions.bitmap(rows),
              EncodedDeletions.bitmapWithRuns(rows))) {
        assertThat(other.sizeBytes())
            .as("%s against %s", other, smallest)
            .isGreaterThanOrEqualTo(smallest.sizeBytes());
        assertThat(decoded(other)).isEqualTo(rows);
      }
    }
  }

  private static DeletionVector range(int rows) {
    return DeletionVector.ofOffsets(IntStream.range(0, rows).toArray());
  }

  private static DeletionVector decoded(EncodedDeletions encoded) {
    return encoded.encoding() == Encoding.ARRAY
        ? ArrayCodec.decode(encoded.bytes(), ROWS)
        : BitmapCodec.decode(encoded.bytes(), ROWS);
  }
}
