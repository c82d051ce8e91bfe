package dev.narwhal.lance.rowid;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.schema.DeterministicMessage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The {@code RowIdSequence} message: a list of segments, see {@link U64SegmentCodec}. Any list is
 * read; one segment is written, of the kind that real Lance chooses. Source: table format sheet 2.8
 * and 10.3.
 */
public final class RowIdSequenceCodec {
  private RowIdSequenceCodec() {}

  /**
   * Decodes the sequence of a fragment, which has one id for each physical row.
   *
   * @throws LanceFormatException also when there are more or fewer ids than rows
   */
  public static RowIdSequence decode(ByteBuffer message, long physicalRows) {
    RowIdSequence sequence = decode(message);
    if (sequence.length() != physicalRows) {
      throw new LanceFormatException(
          "row id sequence has "
              + sequence.length()
              + " ids, the fragment "
              + physicalRows
              + " physical rows");
    }
    return sequence;
  }

  /** Decodes a sequence of any length: those of a transaction may leave new rows out. */
  public static RowIdSequence decode(ByteBuffer message) {
    dev.narwhal.lance.proto.table.RowIdSequence sequence;
    try {
      sequence = dev.narwhal.lance.proto.table.RowIdSequence.parseFrom(message.duplicate());
    } catch (InvalidProtocolBufferException e) {
      throw new LanceFormatException(
          "row id sequence is no protobuf message: " + e.getMessage(), e);
    }
    List<U64Segment> segments = new ArrayList<>(sequence.getSegmentsCount());
    for (int i = 0; i < sequence.getSegmentsCount(); i++) {
      try {
        segments.add(U64SegmentCodec.decode(sequence.getSegments(i)));
      } catch (LanceFormatException e) {
        throw e.in("segment " + i + " of the row id sequence");
      }
    }
    return new RowIdSequence(segments);
  }

  /**
   * Encodes ids, each of them there once.
   *
   * @param ids u64, of rows in order
   * @return read-only, little-endian, position 0
   */
  public static ByteBuffer encode(long[] ids) {
    return encode(U64SegmentCodec.encode(ids));
  }

  /**
   * Encodes consecutive ids.
   *
   * @param start u64
   * @param count at least 0
   * @return read-only, little-endian, position 0
   */
  public static ByteBuffer encodeRange(long start, long count) {
    return encode(U64SegmentCodec.encodeRange(start, start + count));
  }

  private static ByteBuffer encode(dev.narwhal.lance.proto.table.U64Segment segment) {
    byte[] bytes =
        DeterministicMessage.toBytes(
            dev.narwhal.lance.proto.table.RowIdSequence.newBuilder().addSegments(segment).build());
    return ByteBuffer.wrap(bytes).asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
  }
}
