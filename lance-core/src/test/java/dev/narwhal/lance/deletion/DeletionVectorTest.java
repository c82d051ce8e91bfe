package dev.narwhal.lance.deletion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.roaringbitmap.RoaringBitmap;

class DeletionVectorTest {
  private static final long LAST = 0xFFFF_FFFFL;

  /** RoaringBitmap 1.6.23's own forEach leaves out runs of the container that begins at 2^31. */
  @Test
  void visitsRunsAroundTheSignBit() {
    for (long[] run : new long[][] {{0, 5}, {10, 111}, {10, 15}, {-3, 4}, {0, 65_536}}) {
      RoaringBitmap bitmap = new RoaringBitmap();
      bitmap.add((1L << 31) + run[0], (1L << 31) + run[1]);
      List<Long> visited = new ArrayList<>();
      DeletionVector.of(bitmap).forEach(offset -> visited.add(Integer.toUnsignedLong(offset)));
      assertThat(visited).hasSize((int) (run[1] - run[0])).isSorted();
      assertThat(visited).startsWith((1L << 31) + run[0]).endsWith((1L << 31) + run[1] - 1);
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("dev.narwhal.lance.RandomSeeds#seeds")
  void behavesAsASortedSet(long seed) {
    Random random = new Random(seed);
    NavigableSet<Long> model = RandomVectors.offsets(random);
    DeletionVector vector = RandomVectors.vector(model);

    assertThat(vector.cardinality()).isEqualTo(model.size());
    assertThat(vector.isEmpty()).isEqualTo(model.isEmpty());
    assertThat(vector.max()).isEqualTo(model.isEmpty() ? -1 : model.last());
    assertThat(offsets(vector)).isEqualTo(new ArrayList<>(model));
    List<Long> visited = new ArrayList<>();
    vector.forEach(offset -> visited.add(Integer.toUnsignedLong(offset)));
    assertThat(visited).isEqualTo(new ArrayList<>(model));

    for (int i = 0; i < 20; i++) {
      long start = random.nextInt(1 << 21);
      long end = start + random.nextInt(1 << 18);
      assertThat(vector.contains(start)).isEqualTo(model.contains(start));
      assertThat(vector.cardinality(start, end)).isEqualTo(model.subSet(start, end).size());
      assertThat(vector.slice(start, end))
          .isEqualTo(RandomVectors.vector(shifted(model.subSet(start, end), start)));
    }
  }

  /** The model walks from row to row; the structures make every kind of container. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("dev.narwhal.lance.RandomSeeds#seeds")
  void ranksAndSelectsAsAWalkOverTheRowsDoes(long seed) {
    Random random = new Random(seed);
    NavigableSet<Long> model = RandomVectors.offsets(random);
    DeletionVector vector = RandomVectors.vector(model);
    int end = 1 << 22;
    int[] liveOffsets = new int[end];
    int[] before = new int[end];
    int live = 0;
    for (int offset = 0; offset < end; offset++) {
      before[offset] = live;
      if (!model.contains((long) offset)) {
        liveOffsets[live++] = offset;
      }
    }
    int[] ranks = new int[3000];
    int[] offsets = new int[3000];
    for (int i = 0; i < ranks.length; i++) {
      boolean near = random.nextBoolean() && !model.isEmpty();
      offsets[i] = near ? (int) Math.max(0, start(random, model) % end) : random.nextInt(end);
      ranks[i] = before[offsets[i]] < live ? before[offsets[i]] : live - 1;
      assertThat(vector.liveBefore(offsets[i])).isEqualTo(before[offsets[i]]);
      assertThat(vector.liveOffset(ranks[i])).isEqualTo(liveOffsets[ranks[i]]);
    }
    assertThat(vector.liveBefore(offsets))
        .isEqualTo(Arrays.stream(offsets).map(offset -> before[offset]).toArray());
    Arrays.sort(ranks);
    assertThat(vector.liveOffsets(ranks))
        .isEqualTo(Arrays.stream(ranks).map(rank -> liveOffsets[rank]).toArray());
    int[] all = new int[live];
    Arrays.setAll(all, i -> i);
    assertThat(vector.liveOffsets(all)).isEqualTo(Arrays.copyOf(liveOffsets, live));
  }

  @Test
  void o20_liveRowsAreCountedPastDeletionsAtTheStart() {
    DeletionVector vector = DeletionVector.ofOffsets(0, 37, 38, 39);
    assertThat(vector.liveOffset(0)).isEqualTo(1);
    assertThat(vector.liveOffset(35)).isEqualTo(36);
    assertThat(vector.liveOffset(36)).isEqualTo(40);
    assertThat(vector.liveBefore(0)).isZero();
    assertThat(vector.liveBefore(1)).isZero();
    assertThat(vector.liveBefore(40)).isEqualTo(36);
  }

  @Test
  void ranksAndSelectsUpToTheLastOffset() {
    DeletionVector ends = DeletionVector.ofOffsets(0, (int) LAST);
    assertThat(ends.liveOffset(LAST - 2)).isEqualTo(LAST - 1);
    assertThat(ends.liveBefore(LAST)).isEqualTo(LAST - 1);
    assertThat(ends.liveBefore(LAST + 1)).isEqualTo(LAST - 1);
    assertThatThrownBy(() -> ends.liveOffset(LAST - 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("below 2^32");
    assertThat(DeletionVector.empty().liveOffset(LAST)).isEqualTo(LAST);
    assertThatThrownBy(() -> ends.liveOffset(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ends.liveOffsets(new int[] {2, 1}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ascend");
  }

  @Test
  void selectsAroundBlocksThatAreDeletedWhole() {
    RoaringBitmap bitmap = new RoaringBitmap();
    bitmap.add(10L, 3L << 16);
    bitmap.add((3L << 16) + 1, (5L << 16) + 2);
    DeletionVector vector = DeletionVector.of(bitmap);
    assertThat(vector.liveOffsets(new int[] {8, 9, 9, 10, 11, 12}))
        .containsExactly(8, 9, 9, 3 << 16, (5 << 16) + 2, (5 << 16) + 3);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("dev.narwhal.lance.RandomSeeds#seeds")
  void copiesTheBitsOfAnyRange(long seed) {
    Random random = new Random(seed);
    NavigableSet<Long> model = RandomVectors.offsets(random);
    DeletionVector vector = RandomVectors.vector(model);
    for (int i = 0; i < 50; i++) {
      int count = random.nextInt(random.nextBoolean() ? 200 : 200_000);
      long start = start(random, model);
      long[] words = new long[(count + 63) / 64 + random.nextInt(2)];
      Arrays.fill(words, random.nextLong());
      vector.copyBits(start, count, words);
      long[] expected = new long[words.length];
      for (long offset : model.subSet(start, start + count)) {
        int bit = (int) (offset - start);
        expected[bit / 64] |= 1L << bit % 64;
      }
      assertThat(words).as("start %d, count %d", start, count).isEqualTo(expected);
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("dev.narwhal.lance.RandomSeeds#seeds")
  void unitesAndSubtractsAsSetsDo(long seed) {
    Random random = new Random(seed);
    NavigableSet<Long> left = RandomVectors.offsets(random);
    NavigableSet<Long> right = RandomVectors.offsets(random);
    if (random.nextBoolean()) {
      right.addAll(left.headSet(left.isEmpty() ? 0 : left.last()));
    }
    TreeSet<Long> union = new TreeSet<>(left);
    union.addAll(right);
    TreeSet<Long> rest = new TreeSet<>(left);
    rest.removeAll(right);
    DeletionVector a = RandomVectors.vector(left);
    DeletionVector b = RandomVectors.vector(right);
    assertThat(a.union(b)).isEqualTo(RandomVectors.vector(union)).isEqualTo(b.union(a));
    assertThat(a.minus(b)).isEqualTo(RandomVectors.vector(rest));
    // neither argument has changed
    assertThat(a).isEqualTo(RandomVectors.vector(left));
    assertThat(b).isEqualTo(RandomVectors.vector(right));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("dev.narwhal.lance.RandomSeeds#seeds")
  void isEqualByContentWhateverItCameFrom(long seed) {
    NavigableSet<Long> model = RandomVectors.offsets(new Random(seed));
    RoaringBitmap plain = new RoaringBitmap();
    model.forEach(offset -> plain.add(offset.intValue()));
    RoaringBitmap runs = plain.clone();
    runs.runOptimize();
    DeletionVector fromArray = RandomVectors.vector(model);
    for (RoaringBitmap bitmap : List.of(plain, runs)) {
      DeletionVector other = DeletionVector.of(bitmap);
      assertThat(other).isEqualTo(fromArray).hasSameHashCodeAs(fromArray);
      assertThat(other.toPortableBytes()).isEqualTo(fromArray.toPortableBytes());
    }
    if (!model.isEmpty()) {
      assertThat(fromArray).isNotEqualTo(DeletionVector.empty());
      assertThat(fromArray).isNotEqualTo(fromArray.slice(0, fromArray.max()));
    }
  }

  @Test
  void takesOffsetsUnsignedInAnyOrderAndTwice() {
    int[] given = {-1, 5, Integer.MIN_VALUE, 5, 0};
    DeletionVector vector = DeletionVector.ofOffsets(given);
    assertThat(offsets(vector)).containsExactly(0L, 5L, 1L << 31, LAST);
    assertThat(given).containsExactly(-1, 5, Integer.MIN_VALUE, 5, 0);
    assertThat(vector.max()).isEqualTo(LAST);
    assertThat(vector.contains(LAST)).isTrue();
    assertThat(vector.contains(LAST + 1)).isFalse();
    assertThat(vector.contains(-1)).isFalse();
    assertThat(vector.cardinality(0, Long.MAX_VALUE)).isEqualTo(4);
    assertThat(vector.cardinality(LAST, LAST + 1)).isEqualTo(1);
    assertThat(offsets(vector.slice(1L << 31, 1L << 40))).containsExactly(0L, (1L << 31) - 1);
    assertThat(vector.slice(1L << 32, 1L << 40)).isEqualTo(DeletionVector.empty());
  }

  @Test
  void copiesBitsUpToAndPastTheLastOffset() {
    DeletionVector vector = DeletionVector.ofOffsets(-1, -64);
    long[] words = {7, 7};
    vector.copyBits(LAST - 63, 128, words);
    assertThat(words).containsExactly(1L << 63 | 1, 0);
    vector.copyBits(1L << 32, 128, words);
    assertThat(words).containsOnly(0);
    vector.copyBits(Long.MAX_VALUE, 128, words);
    assertThat(words).containsOnly(0);
  }

  @Test
  void aWholeFragmentIsOneRun() {
    DeletionVector all = DeletionVector.of(RoaringBitmap.bitmapOfRange(0, 1L << 32));
    assertThat(all.cardinality()).isEqualTo(1L << 32);
    assertThat(all.cardinality(5, 1L << 32)).isEqualTo((1L << 32) - 5);
    long[] words = new long[100];
    all.copyBits(12_345, 6_399, words);
    assertThat(words[98]).isEqualTo(-1L);
    assertThat(words[99]).isEqualTo(-1L >>> 1);
    assertThatThrownBy(all::toArray).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void keepsCopiesOfWhatItIsGivenAndGivesCopies() {
    RoaringBitmap bitmap = RoaringBitmap.bitmapOf(1, 2, 3);
    DeletionVector vector = DeletionVector.of(bitmap);
    bitmap.add(4);
    vector.toRoaring().add(5);
    assertThat(offsets(vector)).containsExactly(1L, 2L, 3L);
  }

  @Test
  void serialisesWithoutRunContainers() {
    DeletionVector vector = DeletionVector.of(RoaringBitmap.bitmapOfRange(0, 70_000));
    ByteBuffer bytes = vector.toPortableBytes();
    assertThat(bytes.isReadOnly()).isTrue();
    assertThat(bytes.order()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
    assertThat(bytes.getInt(0)).isEqualTo(12346);
  }

  @Test
  void refusesRangesThatAreNone() {
    DeletionVector vector = DeletionVector.ofOffsets(1);
    assertThatThrownBy(() -> vector.slice(-1, 4)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> vector.cardinality(5, 4)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> vector.copyBits(-1, 1, new long[1]))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> vector.copyBits(0, 65, new long[1]))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  private static long start(Random random, NavigableSet<Long> model) {
    if (model.isEmpty() || random.nextBoolean()) {
      return random.nextInt(1 << 21);
    }
    Long near = model.ceiling((long) random.nextInt(1 << 21));
    return Math.max(0, (near == null ? model.last() : near) - random.nextInt(130));
  }

  private static NavigableSet<Long> shifted(Iterable<Long> offsets, long by) {
    TreeSet<Long> shifted = new TreeSet<>();
    offsets.forEach(offset -> shifted.add(offset - by));
    return shifted;
  }

  private static List<Long> offsets(DeletionVector vector) {
    return Arrays.stream(vector.toArray()).mapToObj(Integer::toUnsignedLong).toList();
  }
}
