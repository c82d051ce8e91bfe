package dev.narwhal.lance.rowid;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.proto.table.RowDatasetVersionRun;
import dev.narwhal.lance.proto.table.RowDatasetVersionSequence;
import dev.narwhal.lance.schema.DeterministicMessage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The {@code RowDatasetVersionSequence} message: runs in the order of the rows.
 *
 * <pre>
 * 1 runs, repeated
 *   1 span     a segment as those of row ids
 *   2 version  u64
 * </pre>
 *
 * <p>Of a span only the length counts: after a compaction real writers leave spans that begin
 * anywhere (see {@code RowVersionsTest}). Ours begin where the row before ends. Source: table
 * format sheet 2.8 and 10.6.
 */
public final class RowVersionSequenceCodec {
  private RowVersionSequenceCodec() {}

  /**
   * Decodes the versions of a fragment's rows.
   *
   * @throws LanceFormatException also when the runs cover more or fewer rows
   */
  public static RowVersions decode(ByteBuffer message, long physicalRows) {
    RowDatasetVersionSequence sequence;
    try {
      sequence = RowDatasetVersionSequence.parseFrom(message.duplicate());
    } catch (InvalidProtocolBufferException e) {
      throw new LanceFormatException(
          "row version sequence is no protobuf message: " + e.getMessage(), e);
    }
    int count = sequence.getRunsCount();
    long[] lengths = new long[count];
    long[] versions = new long[count];
    for (int i = 0; i < count; i++) {
      RowDatasetVersionRun run = sequence.getRuns(i);
      try {
        lengths[i] = U64SegmentCodec.decode(run.getSpan()).length();
      } catch (LanceFormatException e) {
        throw e.in("run " + i + " of the row version sequence");
      }
      versions[i] = run.getVersion();
    }
    RowVersions decoded = new RowVersions(lengths, versions);
    if (decoded.length() != physicalRows) {
      throw new LanceFormatException(
          "row version sequence covers "
              + decoded.length()
              + " rows, the fragment has "
              + physicalRows
              + " physical rows");
    }
    return decoded;
  }

  /**
   * Encodes the versions of a fragment's rows.
   *
   * @return read-only, little-endian, position 0
   */
  public static ByteBuffer encode(RowVersions versions) {
    RowDatasetVersionSequence.Builder sequence = RowDatasetVersionSequence.newBuilder();
    long start = 0;
    for (int i = 0; i < versions.runCount(); i++) {
      long end = versions.runEnd(i);
      if (end > start) {
        sequence.addRuns(
            RowDatasetVersionRun.newBuilder()
                .setSpan(U64SegmentCodec.encodeRange(start, end))
                .setVersion(versions.runVersion(i)));
      }
      start = end;
    }
    byte[] bytes = DeterministicMessage.toBytes(sequence.build());
    return ByteBuffer.wrap(bytes).asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
  }
}
