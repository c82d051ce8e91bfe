package dev.narwhal.lance.rowid;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.narwhal.lance.proto.table.RowDatasetVersionSequence;
import dev.narwhal.lance.proto.table.U64Segment.SegmentCase;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RowSequenceEncodingTest {
  @Test
  void everyShapeOfIdsIsWrittenInItsSmallestEncoding() throws Exception {
    assertThat(kind(LongStream.range(7, 1_007).toArray())).isEqualTo(SegmentCase.RANGE);
    assertThat(kind(LongStream.range(0, 1_000).filter(id -> id != 500).toArray()))
        .isEqualTo(SegmentCase.RANGE_WITH_HOLES);
    assertThat(kind(LongStream.range(0, 1_000).filter(id -> id % 2 == 0).toArray()))
        .isEqualTo(SegmentCase.RANGE_WITH_BITMAP);
    assertThat(kind(LongStream.range(0, 20).map(id -> id * 1_000).toArray()))
        .isEqualTo(SegmentCase.SORTED_ARRAY);
    assertThat(kind(new long[] {3, 1, 2})).isEqualTo(SegmentCase.ARRAY);
    assertThat(kind(new long[0])).isEqualTo(SegmentCase.RANGE);
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "0, 65535", "5, 65541", "9, 4294967304", "1, 4294967297", "0, -1", "-2, -1"})
  void idsAtTheEdgesOfTheWidthsComeBack(long low, long high) {
    comesBack(new long[] {low, high});
    comesBack(new long[] {high, low});
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void anyIdsComeBack(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      long base = random.nextBoolean() ? random.nextInt(1_000) : random.nextLong();
      int spread = 1 << random.nextInt(20);
      long[] ids =
          random
              .longs(1 + random.nextInt(200), 0, spread)
              .distinct()
              .map(id -> base + id)
              .toArray();
      if (random.nextBoolean()) {
        Arrays.sort(ids);
      }
      comesBack(ids);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void versionsComeBackInTheFewestRuns(long seed) throws Exception {
    Random random = new Random(seed);
    long[] versions = random.longs(500, 1, 4).toArray();
    ByteBuffer message = RowVersionSequenceCodec.encode(RowVersions.of(versions));
    assertThat(RowVersionSequenceCodec.decode(message, 500).toArray()).isEqualTo(versions);
    RowDatasetVersionSequence sequence = RowDatasetVersionSequence.parseFrom(message.duplicate());
    for (int i = 1; i < sequence.getRunsCount(); i++) {
      assertThat(sequence.getRuns(i).getVersion())
          .isNotEqualTo(sequence.getRuns(i - 1).getVersion());
      assertThat(sequence.getRuns(i).getSpan().getRange().getStart())
          .isEqualTo(sequence.getRuns(i - 1).getSpan().getRange().getEnd());
    }
  }

  @Test
  void oneVersionOfNoRowsIsNoRun() throws Exception {
    ByteBuffer message = RowVersionSequenceCodec.encode(RowVersions.uniform(0, 9));
    assertThat(RowDatasetVersionSequence.parseFrom(message).getRunsCount()).isZero();
    assertThat(RowVersions.of(new long[0]).length()).isZero();
  }

  private static void comesBack(long[] ids) {
    RowIdSequence sequence = RowIdSequenceCodec.decode(RowIdSequenceCodec.encode(ids), ids.length);
    long[] decoded = new long[ids.length];
    sequence.copyTo(0, ids.length, decoded);
    assertThat(decoded).isEqualTo(ids);
  }

  private static SegmentCase kind(long[] ids) throws InvalidProtocolBufferException {
    comesBack(ids);
    return dev.narwhal.lance.proto.table.RowIdSequence.parseFrom(RowIdSequenceCodec.encode(ids))
        .getSegments(0)
        .getSegmentCase();
  }
}
