package dev.narwhal.lance.rowid;

import static dev.narwhal.lance.rowid.SegmentMessages.array;
import static dev.narwhal.lance.rowid.SegmentMessages.bitmap;
import static dev.narwhal.lance.rowid.SegmentMessages.holes;
import static dev.narwhal.lance.rowid.SegmentMessages.range;
import static dev.narwhal.lance.rowid.SegmentMessages.sortedArray;
import static dev.narwhal.lance.rowid.SegmentMessages.u16;
import static dev.narwhal.lance.rowid.SegmentMessages.u64;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.proto.table.U64Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.roaringbitmap.RoaringBitmap;

class RowIdIndexTest {
  private static final RowIdIndex.Deletions NONE = fragment -> DeletionVector.empty();

  @Test
  void findsIdsInAllFiveKindsOfSegments() throws IOException {
    RowIdIndex index =
        new RowIdIndex(
            new long[] {7},
            List.of(
                sequence(
                    range(0, 2),
                    holes(10, 14, u16(10, 0, 2)),
                    bitmap(20, 24, 0b1010),
                    sortedArray(u64(30, 35)),
                    array(u64(-1, 40, 38)))),
            NONE);
    long[] ids = {0, 1, 11, 13, 21, 23, 30, 35, -1, 40, 38};
    for (int i = 0; i < ids.length; i++) {
      assertThat(index.find(ids[i])).as("id %s", ids[i]).isEqualTo((7L << 32) + i);
    }
    assertThat(index.find(new long[] {2, 10, 12, 14, 20, 22, 24, 31, 36, 39, 41, -2}))
        .containsOnly(RowIdIndex.NOT_FOUND);
  }

  @Test
  void anUpdatedRowIsFoundInItsNewPlaceOnly() throws IOException {
    RowIdSequence before = sequence(range(0, 100));
    RowIdSequence after = sequence(range(40, 41), range(7, 8), range(100, 103));
    RowIdIndex.Deletions deletions =
        fragment -> fragment == 0 ? DeletionVector.ofOffsets(40, 7, 99) : DeletionVector.empty();
    RowIdIndex index = new RowIdIndex(new long[] {0, 3}, List.of(before, after), deletions);
    assertThat(index.find(new long[] {40, 7, 102, 6, 99, 103}))
        .containsExactly(3L << 32, (3L << 32) + 1, (3L << 32) + 4, 6, -1, -1);
  }

  @Test
  void twoLiveRowsOfOneIdAreAnError() {
    RowIdIndex across =
        new RowIdIndex(
            new long[] {0, 1}, List.of(sequence(range(0, 9)), sequence(range(8, 9))), NONE);
    assertThatThrownBy(() -> across.find(8))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("row id 8 belongs to two live rows");
    RowIdIndex within =
        new RowIdIndex(new long[] {0}, List.of(sequence(array(u64(5, 3, 5)))), NONE);
    assertThatThrownBy(() -> within.find(5)).isInstanceOf(LanceFormatException.class);
  }

  @Test
  void anIdListedTwiceIsFoundWhereItLives() throws IOException {
    RowIdIndex index =
        new RowIdIndex(
            new long[] {0},
            List.of(sequence(array(u64(5, 3, 5, 4, 5)))),
            fragment -> DeletionVector.ofOffsets(0, 2));
    assertThat(index.find(5)).isEqualTo(4);
  }

  @Test
  void anArrayThatOnlyClaimsToBeSortedLosesNoId() throws IOException {
    RowIdIndex index =
        new RowIdIndex(new long[] {0}, List.of(sequence(sortedArray(u64(9, 3, 6)))), NONE);
    assertThat(index.find(new long[] {9, 3, 6})).containsExactly(0, 1, 2);
  }

  @Test
  void aDeletionFileThatCannotBeReadIsAnErrorEachTime() throws IOException {
    int[] calls = new int[1];
    RowIdIndex index =
        new RowIdIndex(
            new long[] {0},
            List.of(sequence(range(0, 5))),
            fragment -> {
              if (++calls[0] < 3) {
                throw new IOException("cannot be read");
              }
              return DeletionVector.ofOffsets(1);
            });
    assertThatThrownBy(() -> index.find(1)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> index.find(1)).isInstanceOf(IOException.class);
    assertThat(index.find(1)).isEqualTo(RowIdIndex.NOT_FOUND);
  }

  /**
   * 1.28 billion rows in 20,000 fragments, one fragment in ten with a hole in every 64 ids. A map
   * with an entry per row, or one that lists the ids of segments with holes, does not fit the heap
   * of a test.
   */
  @Test
  void o50_anIndexOfABillionRowsTakesNoWorkPerRow() throws IOException {
    int fragments = 20_000;
    long slots = 64_000;
    int[] holes = new int[1000];
    Arrays.setAll(holes, i -> i * 64);
    long[] ids = new long[fragments];
    List<RowIdSequence> sequences = new ArrayList<>();
    for (int i = 0; i < fragments; i++) {
      ids[i] = i;
      long start = i * slots;
      sequences.add(
          sequence(
              i % 10 == 3
                  ? holes(start, start + slots, u16(start, holes))
                  : range(start, start + slots)));
    }
    boolean[] asked = new boolean[fragments];
    RowIdIndex index =
        new RowIdIndex(
            ids,
            sequences,
            fragment -> {
              asked[fragment] = true;
              return DeletionVector.ofOffsets(5);
            });
    Random random = new Random(50);
    TreeSet<Integer> touched = new TreeSet<>();
    for (int i = 0; i < 1000; i++) {
      int fragment = random.nextInt(fragments);
      int slot = random.nextInt((int) slots);
      long expected;
      if (fragment % 10 == 3) {
        int offset = slot - slot / 64 - 1;
        expected = slot % 64 == 0 || offset == 5 ? -1 : ((long) fragment << 32) + offset;
      } else {
        expected = slot == 5 ? -1 : ((long) fragment << 32) + slot;
      }
      assertThat(index.find(fragment * slots + slot)).isEqualTo(expected);
      touched.add(fragment);
    }
    for (int i = 0; i < fragments; i++) {
      assertThat(asked[i] && !touched.contains(i)).isFalse();
    }
    assertThat(index.find(fragments * slots)).isEqualTo(-1);
  }

  /** The old slot's segment spans all ids; a walk from each new slot to it would be quadratic. */
  @Test
  void o50_manyUpdatesOfSingleRowsLeaveLookUpsShort() throws IOException {
    int rows = 200_000;
    U64Segment[] singles = new U64Segment[rows];
    for (int i = 0; i < rows; i++) {
      singles[i] = range(2L * i, 2L * i + 1);
    }
    RoaringBitmap even = new RoaringBitmap();
    for (int i = 0; i < rows; i++) {
      even.add(2 * i);
    }
    DeletionVector deleted = DeletionVector.of(even);
    RowIdIndex index =
        new RowIdIndex(
            new long[] {0, 1},
            List.of(sequence(range(0, 2L * rows)), sequence(singles)),
            fragment -> fragment == 0 ? deleted : DeletionVector.empty());
    for (int id = 0; id < 2 * rows; id++) {
      long expected = id % 2 == 0 ? (1L << 32) + id / 2 : id;
      if (index.find(id) != expected) {
        assertThat(index.find(id)).as("id %d", id).isEqualTo(expected);
      }
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("dev.narwhal.lance.RandomSeeds#seeds")
  void agreesWithAMapOfEveryLiveRow(long seed) throws IOException {
    Random random = new Random(seed);
    Map<Long, Long> model = new HashMap<>();
    List<RowIdSequence> sequences = new ArrayList<>();
    List<DeletionVector> deletions = new ArrayList<>();
    int fragments = 1 + random.nextInt(12);
    long[] ids = new long[fragments];
    long highest = 0;
    for (int f = 0; f < fragments; f++) {
      ids[f] = f * 3L + random.nextInt(3);
      TreeSet<Integer> deleted = new TreeSet<>();
      List<U64Segment> segments = new ArrayList<>();
      long offset = 0;
      for (int s = random.nextInt(6); s > 0; s--) {
        long[] values = values(random, 300);
        segments.add(segment(random, values));
        for (long id : values) {
          boolean dead = random.nextInt(4) == 0 || model.containsKey(id);
          if (dead) {
            deleted.add((int) offset);
          } else {
            model.put(id, (ids[f] << 32) + offset);
          }
          highest = Math.max(highest, id);
          offset++;
        }
      }
      sequences.add(sequence(segments.toArray(new U64Segment[0])));
      deletions.add(
          DeletionVector.ofOffsets(deleted.stream().mapToInt(Integer::intValue).toArray()));
    }
    RowIdIndex index = new RowIdIndex(ids, sequences, deletions::get);
    for (long id = 0; id <= highest + 2; id++) {
      assertThat(index.find(id)).as("id %d", id).isEqualTo(model.getOrDefault(id, -1L));
    }
  }

  /** Distinct ids, perhaps in no order. */
  private static long[] values(Random random, int below) {
    long start = random.nextInt(below);
    List<Long> values =
        new ArrayList<>(
            LongStream.range(start, start + random.nextInt(80))
                .filter(id -> random.nextInt(8) > 0)
                .boxed()
                .toList());
    if (random.nextInt(3) == 0) {
      Collections.shuffle(values, random);
    }
    return values.stream().mapToLong(Long::longValue).toArray();
  }

  /** In any encoding that can hold the ids in this order. */
  private static U64Segment segment(Random random, long[] ids) {
    if (!UnsignedOrder.isAscending(ids) || ids.length == 0) {
      return array(u64(ids));
    }
    long start = ids[0];
    long end = ids[ids.length - 1] + 1;
    TreeSet<Long> present = new TreeSet<>(Arrays.stream(ids).boxed().toList());
    return switch (random.nextInt(3)) {
      case 0 ->
          holes(
              start,
              end,
              u64(LongStream.range(start, end).filter(id -> !present.contains(id)).toArray()));
      case 1 -> {
        int[] bytes = new int[(int) (end - start + 7) / 8];
        for (long id : ids) {
          bytes[(int) (id - start) / 8] |= 1 << (id - start) % 8;
        }
        yield bitmap(start, end, bytes);
      }
      default -> sortedArray(u64(ids));
    };
  }

  private static RowIdSequence sequence(U64Segment... segments) {
    return RowIdSequenceCodec.decode(
        ByteBuffer.wrap(
            dev.narwhal.lance.proto.table.RowIdSequence.newBuilder()
                .addAllSegments(Arrays.asList(segments))
                .build()
                .toByteArray()));
  }
}
