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

import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.proto.table.RowDatasetVersionRun;
import dev.narwhal.lance.proto.table.RowDatasetVersionSequence;
import dev.narwhal.lance.proto.table.U64Segment;
import dev.narwhal.lance.storage.MemoryObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class RowVersionsTest {
  @Test
  void ofASpanOnlyTheLengthCounts() {
    RowDatasetVersionSequence message =
        sequence(
            run(range(7, 10), 5),
            run(array(u16(0, 9, 2)), 3),
            run(range(4, 4), 99),
            run(holes(0, 4, u16(0, 1)), 3),
            run(bitmap(0, 8, 0x81), -1L),
            run(sortedArray(u64(1)), 2));
    RowVersions versions = decode(message, 11);
    assertThat(all(versions)).containsExactly(5, 5, 5, 3, 3, 3, 3, 3, -1, -1, 2);
    assertThat(versions.min()).isEqualTo(2);
    assertThat(versions.max()).isEqualTo(-1);
  }

  @Test
  void everyRangeAndEveryChoiceOfRowsIsThatOfTheWhole() {
    RowVersions versions =
        decode(sequence(run(range(0, 3), 1), run(range(0, 1), 2), run(range(0, 4), 3)), 8);
    long[] whole = all(versions);
    for (int start = 0; start <= 8; start++) {
      for (int end = start; end <= 8; end++) {
        long[] part = new long[end - start];
        versions.copyTo(start, part.length, part);
        assertThat(part).isEqualTo(Arrays.copyOfRange(whole, start, end));
      }
    }
    long[] chosen = new long[3];
    versions.copyTo(1, new int[] {0, 2, 6}, chosen);
    assertThat(chosen).containsExactly(1, 2, 3);
    assertThatThrownBy(() -> versions.copyTo(1, new int[] {7}, chosen))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void aSequenceForOtherRowsIsRefused() {
    RowDatasetVersionSequence message = sequence(run(range(0, 3), 1));
    for (int rows : new int[] {0, 2, 4}) {
      assertThatThrownBy(() -> decode(message, rows))
          .isInstanceOf(LanceFormatException.class)
          .hasMessageContaining("covers 3 rows");
    }
    assertThatThrownBy(() -> decode(sequence(run(range(0, 1L << 32), 1), run(range(0, 1), 1)), 5))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("at most 2^32");
    assertThatThrownBy(() -> decode(sequence(RowDatasetVersionRun.getDefaultInstance()), 0))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("run 0");
    assertThatThrownBy(
            () -> RowVersionSequenceCodec.decode(ByteBuffer.wrap(new byte[] {(byte) 0x80}), 0))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("no protobuf message");
  }

  @Test
  void aSequenceMayLieInAnotherFile() throws IOException {
    MemoryObjectStore store = new MemoryObjectStore();
    byte[] message = sequence(run(range(0, 2), 4)).toByteArray();
    ByteBuffer file = ByteBuffer.allocate(3 + message.length + 2);
    file.position(3).put(message).rewind();
    store.put("_rowids/versions", file);
    StoredSequence stored = new StoredSequence.External("_rowids/versions", 3, message.length);
    assertThat(all(RowIdSequences.readVersions(store, stored, 2))).containsExactly(4, 4);
    assertThatThrownBy(() -> RowIdSequences.readVersions(store, stored, 3))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("_rowids/versions");
  }

  private static long[] all(RowVersions versions) {
    long[] all = new long[(int) versions.length()];
    versions.copyTo(0, all.length, all);
    return all;
  }

  private static RowVersions decode(RowDatasetVersionSequence message, long rows) {
    return RowVersionSequenceCodec.decode(ByteBuffer.wrap(message.toByteArray()), rows);
  }

  private static RowDatasetVersionSequence sequence(RowDatasetVersionRun... runs) {
    return RowDatasetVersionSequence.newBuilder().addAllRuns(Arrays.asList(runs)).build();
  }

  private static RowDatasetVersionRun run(U64Segment span, long version) {
    return RowDatasetVersionRun.newBuilder().setSpan(span).setVersion(version).build();
  }
}
