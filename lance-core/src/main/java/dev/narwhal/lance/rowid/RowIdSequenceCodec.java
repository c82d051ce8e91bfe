package dev.narwhal.lance.rowid;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.narwhal.lance.error.LanceFormatException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The {@code RowIdSequence} message: a list of segments, each in one of five encodings.
 *
 * <pre>
 * 1 range              {start, end}           start, start+1, ... end-1
 * 2 range with holes   {start, end, holes}    the same without the holes, which ascend
 * 3 range with bitmap  {start, end, bitmap}   bit i of byte i/8, least significant first: start+i
 * 4 sorted array       numbers
 * 5 array              numbers
 * </pre>
 *
 * <p>The format's own documentation has the bits of 3 the other way round; real writers store them
 * as here (see {@code RowIdSequenceTest}). Source: table format sheet 2.8 and 10.3.
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
        segments.add(decode(sequence.getSegments(i)));
      } catch (LanceFormatException e) {
        throw e.in("segment " + i + " of the row id sequence");
      }
    }
    return new RowIdSequence(segments);
  }

  /** How many values a segment stands for. */
  static long length(dev.narwhal.lance.proto.table.U64Segment segment) {
    return decode(segment).length();
  }

  private static U64Segment decode(dev.narwhal.lance.proto.table.U64Segment segment) {
    return switch (segment.getSegmentCase()) {
      case RANGE -> U64Segment.Range.of(segment.getRange().getStart(), segment.getRange().getEnd());
      case RANGE_WITH_HOLES ->
          U64Segment.RangeWithHoles.of(
              segment.getRangeWithHoles().getStart(),
              segment.getRangeWithHoles().getEnd(),
              decode(segment.getRangeWithHoles().getHoles()));
      case RANGE_WITH_BITMAP ->
          U64Segment.RangeWithBitmap.of(
              segment.getRangeWithBitmap().getStart(),
              segment.getRangeWithBitmap().getEnd(),
              segment.getRangeWithBitmap().getBitmap().asReadOnlyByteBuffer());
      case SORTED_ARRAY -> new U64Segment.Listed(decode(segment.getSortedArray()));
      case ARRAY -> new U64Segment.Listed(decode(segment.getArray()));
      case SEGMENT_NOT_SET ->
          throw new LanceFormatException("has none of the five known encodings");
    };
  }

  private static EncodedU64Array decode(dev.narwhal.lance.proto.table.EncodedU64Array array) {
    return switch (array.getArrayCase()) {
      case U16_ARRAY -> decode(array.getU16Array().getBase(), 2, array.getU16Array().getOffsets());
      case U32_ARRAY -> decode(array.getU32Array().getBase(), 4, array.getU32Array().getOffsets());
      case U64_ARRAY -> decode(0, 8, array.getU64Array().getValues());
      case ARRAY_NOT_SET ->
          throw new LanceFormatException("array has none of the three known widths");
    };
  }

  private static EncodedU64Array decode(long base, int width, ByteString values) {
    return EncodedU64Array.of(base, width, values.asReadOnlyByteBuffer());
  }
}
