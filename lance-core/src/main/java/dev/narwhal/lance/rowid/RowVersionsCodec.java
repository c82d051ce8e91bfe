package dev.narwhal.lance.rowid;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.proto.table.RowDatasetVersionRun;
import dev.narwhal.lance.proto.table.RowDatasetVersionSequence;
import dev.narwhal.lance.proto.table.U64Segment;
import dev.narwhal.lance.schema.DeterministicMessage;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The {@code RowDatasetVersionSequence} message: for each physical row of a fragment a version, as
 * runs of rows with one version. Only the length of a run's span counts: after a compaction by real
 * Lance its start is anything. Source: table format sheet 2.8 and 10.6.
 */
public final class RowVersionsCodec {
  private RowVersionsCodec() {}

  /** All rows have one version. */
  public static StoredSequence uniform(long version, long rows) {
    RowDatasetVersionSequence.Builder sequence = RowDatasetVersionSequence.newBuilder();
    if (rows > 0) {
      sequence.addRuns(run(0, rows, version));
    }
    return stored(sequence);
  }

  /**
   * A version for each row.
   *
   * @param versions u64
   */
  public static StoredSequence encode(long[] versions) {
    RowDatasetVersionSequence.Builder sequence = RowDatasetVersionSequence.newBuilder();
    int start = 0;
    for (int i = 1; i <= versions.length; i++) {
      if (i == versions.length || versions[i] != versions[start]) {
        sequence.addRuns(run(start, i, versions[start]));
        start = i;
      }
    }
    return stored(sequence);
  }

  /**
   * The version of each row.
   *
   * @param rows physical rows of the fragment
   * @throws LanceFormatException when there are versions for more or fewer rows
   */
  public static long[] decode(ByteBuffer message, int rows) {
    RowDatasetVersionSequence sequence;
    try {
      sequence = RowDatasetVersionSequence.parseFrom(message.duplicate());
    } catch (InvalidProtocolBufferException e) {
      throw new LanceFormatException(
          "row version sequence is no protobuf message: " + e.getMessage(), e);
    }
    long[] versions = new long[rows];
    long filled = 0;
    for (RowDatasetVersionRun run : sequence.getRunsList()) {
      long length = RowIdSequenceCodec.length(run.getSpan());
      if (length > rows - filled) {
        throw tooMany(filled + length, rows);
      }
      Arrays.fill(versions, (int) filled, (int) (filled + length), run.getVersion());
      filled += length;
    }
    if (filled != rows) {
      throw tooMany(filled, rows);
    }
    return versions;
  }

  private static LanceFormatException tooMany(long found, int rows) {
    return new LanceFormatException(
        "row version sequence has " + found + " versions, the fragment " + rows + " physical rows");
  }

  private static RowDatasetVersionRun run(long start, long end, long version) {
    return RowDatasetVersionRun.newBuilder()
        .setSpan(
            U64Segment.newBuilder()
                .setRange(U64Segment.Range.newBuilder().setStart(start).setEnd(end)))
        .setVersion(version)
        .build();
  }

  private static StoredSequence stored(RowDatasetVersionSequence.Builder sequence) {
    return StoredSequence.Inline.of(
        ByteBuffer.wrap(DeterministicMessage.toBytes(sequence.build())));
  }
}
