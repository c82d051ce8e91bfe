package dev.narwhal.lance.rowid;

import static dev.narwhal.lance.rowid.SegmentMessages.bitmap;
import static dev.narwhal.lance.rowid.SegmentMessages.holes;
import static dev.narwhal.lance.rowid.SegmentMessages.range;
import static dev.narwhal.lance.rowid.SegmentMessages.u16;
import static dev.narwhal.lance.rowid.SegmentMessages.u32;
import static dev.narwhal.lance.rowid.SegmentMessages.u64;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.fail;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.manifest.LanceFixture;
import dev.narwhal.lance.manifest.Manifest;
import dev.narwhal.lance.manifest.ManifestStore;
import dev.narwhal.lance.proto.table.EncodedU64Array;
import dev.narwhal.lance.proto.table.U64Segment;
import dev.narwhal.lance.storage.MemoryObjectStore;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RowIdSequenceTest {
  @ParameterizedTest
  @ValueSource(strings = {"stable-create", "stable-delete", "stable-upsert", "stable-compact"})
  void idsOfRealTablesAreThoseThatLanceReports(String name) throws IOException {
    LanceFixture fixture = LanceFixture.named(name);
    for (LanceFixture.Version version : fixture.versions()) {
      Manifest manifest = new ManifestStore(fixture.store()).read(version.number()).manifest();
      long[] live = new long[(int) version.expected().get("live_rows").longValue()];
      int rows = 0;
      for (int f = 0; f < manifest.fragments().size(); f++) {
        Fragment fragment = manifest.fragments().get(f);
        RowIdSequence ids =
            RowIdSequences.read(
                fixture.store(),
                fragment.rowIds().orElseThrow(),
                fragment.physicalRows().orElseThrow());
        Set<Integer> deleted = new HashSet<>();
        for (JsonNode offset : version.expected().get("fragments").get(f).get("deleted_offsets")) {
          deleted.add(offset.intValue());
        }
        for (int offset = 0; offset < ids.length(); offset++) {
          if (!deleted.contains(offset)) {
            live[rows++] = ids.get(offset);
          }
        }
      }
      JsonNode expected = version.expected().get("row_ids");
      assertThat(live)
          .as(version.label())
          .isEqualTo(
              LongStream.range(0, expected.size())
                  .map(i -> expected.get((int) i).longValue())
                  .toArray());
    }
  }

  static Stream<Arguments> segments() {
    return Stream.of(
        named("range", new long[] {5, 6, 7, 8}, range(5, 9)),
        named("empty range", new long[0], range(7, 7)),
        named("range at the end of u64", new long[] {-3, -2}, range(-3, -1)),
        named("range across 2^63", new long[] {Long.MAX_VALUE, Long.MIN_VALUE}, across63()),
        named(
            "holes at both ends and in a row",
            new long[] {11, 14, 15, 17},
            holes(10, 19, u16(10, 0, 2, 3, 6, 8))),
        named("holes only", new long[0], holes(10, 13, u16(10, 0, 1, 2))),
        named("no holes", new long[] {10, 11}, holes(10, 12, u64())),
        // bytes 1f 03 as real Lance writes them: least significant bit first
        named(
            "bitmap", new long[] {100, 101, 102, 103, 104, 108, 109}, bitmap(100, 110, 0x1f, 0x03)),
        named("bitmap of a range past its end", new long[] {0, 2}, bitmap(0, 3, 0xfd)),
        named("bitmap longer than its range", new long[] {1}, bitmap(0, 8, 0x02, 0xff, 0xff)),
        named("empty bitmap", new long[0], bitmap(0, 16, 0, 0)),
        named("bitmap of no slots", new long[0], bitmap(9, 9)),
        named(
            "sorted u16",
            new long[] {1000, 1001, 66_535},
            U64Segment.newBuilder().setSortedArray(u16(1000, 0, 1, 65_535)).build()),
        named(
            "u32",
            new long[] {7 + 0xFFFF_FFFFL, 7, 8},
            U64Segment.newBuilder().setArray(u32(7, -1, 0, 1)).build()),
        named(
            "u64",
            new long[] {-1, 0, Long.MIN_VALUE},
            U64Segment.newBuilder().setArray(u64(-1, 0, Long.MIN_VALUE)).build()),
        named(
            "offsets up to the end of u64",
            new long[] {-1, -2},
            U64Segment.newBuilder().setArray(u16(-2, 1, 0)).build()),
        named("several, some empty", new long[] {1, 2, 9, 5}, severalWithEmptyOnes()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("segments")
  void everyEncodingGivesItsIdsInEveryWindow(String name, long[] ids, List<U64Segment> segments) {
    RowIdSequence sequence = decode(segments);
    assertThat(sequence.length()).isEqualTo(ids.length);
    for (int start = 0; start <= ids.length; start++) {
      for (int count = 0; count <= ids.length - start; count++) {
        long[] out = new long[count];
        sequence.copyTo(start, count, out);
        assertThat(out).isEqualTo(Arrays.copyOfRange(ids, start, start + count));
      }
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void randomRangesAgreeWithAPlainList(long seed) {
    Random random = new Random(seed);
    int slots = 1 + random.nextInt(5000);
    long start = random.nextLong() >>> 1;
    double density = random.nextDouble();
    byte[] bits = new byte[(slots + 7) / 8];
    LongStream.Builder present = LongStream.builder();
    LongStream.Builder absent = LongStream.builder();
    for (int i = 0; i < slots; i++) {
      // runs, so that whole words and blocks are full or empty
      boolean set = random.nextInt(100) == 0 ? random.nextBoolean() : density > 0.5;
      density = random.nextInt(200) == 0 ? random.nextDouble() : density;
      if (set) {
        bits[i / 8] |= (byte) (1 << (i % 8));
        present.add(start + i);
      } else {
        absent.add(start + i);
      }
    }
    long[] ids = present.build().toArray();
    RowIdSequence fromBitmap =
        decode(
            List.of(
                U64Segment.newBuilder()
                    .setRangeWithBitmap(
                        U64Segment.RangeWithBitmap.newBuilder()
                            .setStart(start)
                            .setEnd(start + slots)
                            .setBitmap(ByteString.copyFrom(bits)))
                    .build()));
    RowIdSequence fromHoles =
        decode(List.of(holes(start, start + slots, u64(absent.build().toArray()))));
    for (RowIdSequence sequence : List.of(fromBitmap, fromHoles)) {
      assertThat(sequence.length()).isEqualTo(ids.length);
      for (int round = 0; round < 50; round++) {
        int from = random.nextInt(ids.length + 1);
        int count = random.nextInt(ids.length - from + 1);
        long[] out = new long[count];
        sequence.copyTo(from, count, out);
        assertThat(out).isEqualTo(Arrays.copyOfRange(ids, from, from + count));
      }
    }
  }

  @Test
  void windowsOutsideTheSequenceAreRefused() {
    RowIdSequence sequence = decode(List.of(range(5, 9)));
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> sequence.copyTo(3, 2, new long[2]));
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> sequence.copyTo(-1, 1, new long[2]));
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> sequence.copyTo(0, 3, new long[2]));
  }

  static Stream<Arguments> damages() {
    return Stream.of(
        named("range ends at 4, before its start 5", null, range(5, 4)),
        named("between 0 and 2^32 can remain", null, range(0, (1L << 32) + 1)),
        named("between 0 and 2^32 can remain", null, range(0, -1)),
        named("a fragment has at most 2^32 rows", null, tooManyTogether()),
        named("hole outside the range 10..12", null, holes(10, 12, u16(9, 0))),
        named("hole outside the range 10..12", null, holes(10, 12, u16(12, 0))),
        named("not in ascending order", null, holes(10, 20, u16(10, 3, 2))),
        named("not in ascending order", null, holes(10, 20, u16(10, 3, 3))),
        named("with 3 holes", null, holes(10, 12, u16(10, 0, 1, 2))),
        named("bitmap of 1 bytes is too short for a range of 9 ids", null, bitmap(0, 9, 0xff)),
        named("too short", null, bitmap(0, Long.MAX_VALUE, 0xff)),
        named("too short", null, bitmap(0, -1, 0xff)),
        named("range ends at 3", null, bitmap(5, 3, 0xff)),
        named(
            "number 0 overflows 64 bits",
            null,
            U64Segment.newBuilder().setArray(u16(-1, 1)).build()),
        named(
            "array of 2-byte numbers has 3 bytes",
            null,
            U64Segment.newBuilder()
                .setArray(
                    EncodedU64Array.newBuilder()
                        .setU16Array(
                            EncodedU64Array.U16Array.newBuilder()
                                .setOffsets(ByteString.copyFrom(new byte[3]))))
                .build()),
        named(
            "none of the three known widths",
            null,
            U64Segment.newBuilder().setArray(EncodedU64Array.getDefaultInstance()).build()),
        named("none of the five known encodings", null, U64Segment.getDefaultInstance()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("damages")
  void rejectsWhatNoSequenceMaySay(
      String message, long @Nullable [] none, List<U64Segment> segments) {
    assertThatExceptionOfType(LanceFormatException.class)
        .isThrownBy(() -> decode(segments))
        .withMessageContaining(message);
  }

  @Test
  void everyTruncationAndFlippedBitIsATypedErrorOrOtherIds() {
    byte[] bytes =
        message(
                List.of(
                    range(5, 9),
                    holes(10, 19, u16(10, 0, 2)),
                    bitmap(100, 110, 0x1f, 3),
                    U64Segment.newBuilder().setSortedArray(u32(7, 1, 2)).build(),
                    U64Segment.newBuilder().setArray(u64(9, 3)).build()))
            .toByteArray();
    for (int length = 0; length < bytes.length; length++) {
      decodesOrFailsByType(ByteBuffer.wrap(bytes, 0, length));
    }
    for (int i = 0; i < bytes.length * 8; i++) {
      bytes[i / 8] ^= (byte) (1 << (i % 8));
      decodesOrFailsByType(ByteBuffer.wrap(bytes));
      bytes[i / 8] ^= (byte) (1 << (i % 8));
    }
  }

  @Test
  void sequenceOfAFragmentHasAsManyIdsAsRows() {
    ByteBuffer message = ByteBuffer.wrap(message(List.of(range(5, 9))).toByteArray());
    assertThat(RowIdSequenceCodec.decode(message, 4).length()).isEqualTo(4);
    assertThatExceptionOfType(LanceFormatException.class)
        .isThrownBy(() -> RowIdSequenceCodec.decode(message, 5))
        .withMessageContaining("has 4 ids, the fragment 5 physical rows");
  }

  @Test
  void externalSequencesAreSlicesOfAnotherObject() throws IOException {
    byte[] message = message(List.of(range(5, 9))).toByteArray();
    ByteBuffer object = ByteBuffer.allocate(message.length + 7).position(3);
    object.put(message).rewind();
    MemoryObjectStore store = new MemoryObjectStore();
    store.put("_rowids/1", object);

    assertThat(
            RowIdSequences.read(
                    store, new StoredSequence.External("_rowids/1", 3, message.length), 4)
                .get(3))
        .isEqualTo(8);
    assertThatExceptionOfType(LanceFormatException.class)
        .isThrownBy(
            () -> RowIdSequences.read(store, new StoredSequence.External("_rowids/1", 9, 99), 4))
        .withMessageContaining("_rowids/1: sequence of 99 bytes at 9 does not lie in its");
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(
            () -> RowIdSequences.read(store, new StoredSequence.External("_rowids/2", 0, 9), 4))
        .isNotInstanceOf(EOFException.class)
        .withMessageContaining("_rowids/2");
  }

  private static void decodesOrFailsByType(ByteBuffer bytes) {
    try {
      RowIdSequence sequence = RowIdSequenceCodec.decode(bytes);
      int count = (int) Math.min(100, sequence.length());
      sequence.copyTo(sequence.length() - count, count, new long[count]);
    } catch (LanceFormatException e) {
      assertThat(e.getMessage()).isNotBlank();
    } catch (RuntimeException e) {
      fail("untyped", e);
    }
  }

  private static RowIdSequence decode(List<U64Segment> segments) {
    return RowIdSequenceCodec.decode(ByteBuffer.wrap(message(segments).toByteArray()));
  }

  private static dev.narwhal.lance.proto.table.RowIdSequence message(List<U64Segment> segments) {
    return dev.narwhal.lance.proto.table.RowIdSequence.newBuilder()
        .addAllSegments(segments)
        .build();
  }

  private static Arguments named(String name, long @Nullable [] ids, U64Segment segment) {
    return named(name, ids, List.of(segment));
  }

  private static Arguments named(String name, long @Nullable [] ids, List<U64Segment> segments) {
    return Arguments.of(name, ids, segments);
  }

  private static List<U64Segment> severalWithEmptyOnes() {
    return List.of(
        range(0, 0),
        range(0, 0),
        range(1, 3),
        bitmap(0, 8, 0),
        range(9, 10),
        range(4, 4),
        U64Segment.newBuilder().setArray(u64(5)).build(),
        range(4, 4));
  }

  private static List<U64Segment> across63() {
    return List.of(range(Long.MAX_VALUE, Long.MIN_VALUE + 1));
  }

  private static List<U64Segment> tooManyTogether() {
    return List.of(range(0, 1L << 32), range(0, 1));
  }
}
