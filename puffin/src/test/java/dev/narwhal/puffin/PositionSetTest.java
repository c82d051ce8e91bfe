package dev.narwhal.puffin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PositionSetTest {
  @ParameterizedTest
  @ValueSource(
      longs = {
        0,
        65_535,
        65_536,
        (1L << 31) - 1,
        1L << 31,
        (1L << 32) - 1,
        1L << 32,
        Long.MAX_VALUE - 1,
        Long.MAX_VALUE
      })
  void holdsAPositionAtTheEdge(long position) {
    PositionSet set = PositionSet.of(position);

    assertThat(set.toArray()).containsExactly(position);
    assertThat(set.contains(position)).isTrue();
    assertThat(set.contains(position - 1)).isFalse();
    assertThat(set.contains(position + 1)).isFalse();
    assertThat(set.min()).isEqualTo(position);
    assertThat(set.max()).isEqualTo(position);
    assertThat(set.cardinality()).isEqualTo(1);
  }

  @Test
  void anEmptySetHasNeitherMinNorMax() {
    PositionSet empty = PositionSet.of();

    assertThat(empty).isEqualTo(PositionSet.empty()).hasToString("0 positions []");
    assertThat(empty.isEmpty()).isTrue();
    assertThat(empty.min()).isEqualTo(-1);
    assertThat(empty.max()).isEqualTo(-1);
    assertThat(empty.contains(0)).isFalse();
    assertThat(empty.toArray()).isEmpty();
  }

  @Test
  void refusesNegativePositions() {
    assertThatThrownBy(() -> PositionSet.of(3, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1");
    assertThatThrownBy(() -> PositionSet.builder().addRange(-1, 5))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> PositionSet.builder().addRange(6, 5))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(PositionSet.of(3).contains(Long.MIN_VALUE)).isFalse();
  }

  @Test
  void aRangeMayCrossKeys() {
    long start = (1L << 32) - 3;
    PositionSet set = PositionSet.builder().addRange(start, start + 6).addRange(7, 7).build();

    assertThat(set.toArray())
        .containsExactly(start, start + 1, start + 2, start + 3, start + 4, start + 5);
  }

  @Test
  void aRangeMayFillAWholeKey() {
    PositionSet set = PositionSet.builder().addRange(1L << 32, 2L << 32).build();

    assertThat(set.cardinality()).isEqualTo(1L << 32);
    assertThat(set.min()).isEqualTo(1L << 32);
    assertThat(set.max()).isEqualTo((2L << 32) - 1);
  }

  @Test
  void aRangeMayEndAtTheTop() {
    PositionSet set = PositionSet.builder().addRange(Long.MAX_VALUE - 2, Long.MAX_VALUE).build();

    assertThat(set.toArray()).containsExactly(Long.MAX_VALUE - 2, Long.MAX_VALUE - 1);
  }

  @Test
  void aBuilderLeavesWhatItBuiltAlone() {
    PositionSet.Builder builder = PositionSet.builder().add(1);
    PositionSet before = builder.build();
    PositionSet after = builder.add(2).build();

    assertThat(before.toArray()).containsExactly(1);
    assertThat(after.toArray()).containsExactly(1, 2);
  }

  @Test
  void equalityIsByContentHoweverASetCameAbout() {
    PositionSet.Builder oneByOne = PositionSet.builder();
    for (long position = 90_000; position >= 0; position--) {
      oneByOne.add(position);
    }
    PositionSet range = PositionSet.builder().addRange(0, 90_001).build();
    PositionSet united =
        PositionSet.builder()
            .addRange(0, 50_000)
            .build()
            .union(PositionSet.builder().addRange(50_000, 90_001).build());
    PositionSet cut = PositionSet.builder().addRange(0, 200_000).build().slice(0, 90_001);
    PositionSet moved = PositionSet.builder().addRange(17, 90_018).build().slice(17, 1L << 40);
    PositionSet less =
        PositionSet.builder()
            .addRange(0, 100_000)
            .build()
            .minus(PositionSet.builder().addRange(90_001, 100_000).build());

    for (PositionSet other : List.of(oneByOne.build(), united, cut, moved, less)) {
      assertThat(other).isEqualTo(range).hasSameHashCodeAs(range);
      assertThat(IcebergDvCodec.encode(other)).isEqualTo(IcebergDvCodec.encode(range));
    }
    assertThat(range).isNotEqualTo(PositionSet.builder().addRange(0, 90_000).build());
  }

  /**
   * Five values in two runs: as large in either form, where a choice must not be left to chance.
   */
  @Test
  void aTieBetweenArrayAndRunsIsAlwaysDecidedAlike() {
    PositionSet singly = PositionSet.of(1, 2, 3, 7, 8);
    PositionSet ranges = PositionSet.builder().addRange(1, 4).addRange(7, 9).build();

    assertThat(ranges).isEqualTo(singly).hasSameHashCodeAs(singly);
    assertThat(IcebergDvCodec.encode(ranges)).isEqualTo(IcebergDvCodec.encode(singly));
  }

  /** RoaringBitmap 1.6.23 loses them in its own forEach. */
  @Test
  void aRunThatBeginsAtTwoToThe31IsWalked() {
    long start = 1L << 31;
    PositionSet set = PositionSet.builder().addRange(start - 2, start + 1000).build();

    assertThat(set.toArray()).hasSize(1002).contains(start, start + 999);
  }

  /** RoaringBitmap 1.6.23 fails to shift whole containers out of 32 bits. */
  @Test
  void aSliceMayMoveWholeContainersBelowAKey() {
    PositionSet set =
        PositionSet.builder().addRange(5, 6).addRange((1L << 32) - 70_000, 1L << 32).build();

    assertThat(set.slice(1L << 31, 1L << 33))
        .isEqualTo(PositionSet.builder().addRange((1L << 31) - 70_000, 1L << 31).build());
    assertThat(set.slice(65_536, 1L << 33).min()).isEqualTo((1L << 32) - 70_000 - 65_536);
  }

  @Test
  void refusesAnArrayThatIsTooLarge() {
    PositionSet set = PositionSet.builder().addRange(0, 1L << 32).build();

    assertThatThrownBy(set::toArray)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("4294967296");
  }

  @Test
  void refusesThirtyTwoBitRoaringAboveItsRange() {
    assertThatThrownBy(() -> PositionSet.of(1L << 32).toPortable())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("4294967296");
    assertThat(PositionSet.fromPortable(PositionSet.of((1L << 32) - 1).toPortable()).toArray())
        .containsExactly((1L << 32) - 1);
  }

  @Test
  void showsTheFirstPositionsOnly() {
    assertThat(PositionSet.of(5, 1L << 32)).hasToString("2 positions [5, 4294967296]");
    assertThat(PositionSet.builder().addRange(0, 1000).build())
        .hasToString("1000 positions [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, ...]");
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("dev.narwhal.puffin.RandomPositions#seeds")
  void agreesWithAPlainSet(long seed) {
    NavigableSet<Long> model = RandomPositions.below(Long.MAX_VALUE, seed);
    PositionSet set = RandomPositions.set(model);

    assertThat(set.toArray()).isEqualTo(RandomPositions.array(model));
    assertThat(set.cardinality()).isEqualTo(model.size());
    assertThat(set.min()).isEqualTo(model.isEmpty() ? -1 : model.first());
    assertThat(set.max()).isEqualTo(model.isEmpty() ? -1 : model.last());
    List<Long> walked = new ArrayList<>();
    set.forEach(walked::add);
    assertThat(walked).containsExactlyElementsOf(model);
    Random random = new Random(seed);
    for (int i = 0; i < 1000 && !model.isEmpty(); i++) {
      long probe = model.floor(model.first() + random.nextInt(100_000)) + random.nextInt(2);
      assertThat(set.contains(probe)).isEqualTo(model.contains(probe));
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("dev.narwhal.puffin.RandomPositions#seeds")
  void unionAndMinusAgreeWithAPlainSet(long seed) {
    NavigableSet<Long> left = RandomPositions.below(Long.MAX_VALUE, seed);
    NavigableSet<Long> right = RandomPositions.below(Long.MAX_VALUE, ~seed);
    NavigableSet<Long> union = new TreeSet<>(left);
    union.addAll(right);
    NavigableSet<Long> minus = new TreeSet<>(left);
    right.forEach(minus::remove);

    PositionSet leftSet = RandomPositions.set(left);
    PositionSet rightSet = RandomPositions.set(right);

    assertThat(leftSet.union(rightSet)).isEqualTo(RandomPositions.set(union));
    assertThat(leftSet.minus(rightSet)).isEqualTo(RandomPositions.set(minus));
    assertThat(leftSet.toArray()).isEqualTo(RandomPositions.array(left));
    assertThat(rightSet.toArray()).isEqualTo(RandomPositions.array(right));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("dev.narwhal.puffin.RandomPositions#seeds")
  void slicesAgreeWithAPlainSet(long seed) {
    NavigableSet<Long> model = RandomPositions.below(6L << 32, seed);
    PositionSet set = RandomPositions.set(model);
    Random random = new Random(seed);
    long[] cuts = {
      0,
      1,
      65_536,
      100_000,
      (1L << 31) + 5,
      (1L << 32) - 1,
      1L << 32,
      (1L << 32) + 7,
      3L << 32,
      random.nextInt(400_000),
      Math.abs(random.nextLong() % (6L << 32)),
      Long.MAX_VALUE
    };
    for (long start : cuts) {
      for (long end : cuts) {
        if (start <= end && random.nextInt(6) == 0) {
          NavigableSet<Long> expected = new TreeSet<>();
          model.subSet(start, end).forEach(position -> expected.add(position - start));
          assertThat(set.slice(start, end))
              .as("[%d, %d)", start, end)
              .isEqualTo(RandomPositions.set(expected));
        }
      }
    }
  }

  @Test
  void refusesASliceThatIsNone() {
    assertThatThrownBy(() -> PositionSet.of(1).slice(-1, 5))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> PositionSet.of(1).slice(5, 4))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("dev.narwhal.puffin.RandomPositions#seeds")
  void portableBytesRoundTrip(long seed) {
    PositionSet set = RandomPositions.set(RandomPositions.below(1L << 32, seed));
    ByteBuffer portable = set.toPortable();

    assertThat(PositionSet.fromPortable(portable)).isEqualTo(set);
    assertThat(portable.position()).isZero();
    assertThat(portable.isReadOnly()).isTrue();
  }
}
