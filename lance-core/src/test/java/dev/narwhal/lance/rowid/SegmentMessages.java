package dev.narwhal.lance.rowid;

import com.google.protobuf.ByteString;
import dev.narwhal.lance.proto.table.EncodedU64Array;
import dev.narwhal.lance.proto.table.U64Segment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The messages of segments, made by hand. */
final class SegmentMessages {
  private SegmentMessages() {}

  static U64Segment range(long start, long end) {
    return U64Segment.newBuilder()
        .setRange(U64Segment.Range.newBuilder().setStart(start).setEnd(end))
        .build();
  }

  static U64Segment holes(long start, long end, EncodedU64Array holes) {
    return U64Segment.newBuilder()
        .setRangeWithHoles(
            U64Segment.RangeWithHoles.newBuilder().setStart(start).setEnd(end).setHoles(holes))
        .build();
  }

  static U64Segment bitmap(long start, long end, int... bytes) {
    byte[] bitmap = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      bitmap[i] = (byte) bytes[i];
    }
    return U64Segment.newBuilder()
        .setRangeWithBitmap(
            U64Segment.RangeWithBitmap.newBuilder()
                .setStart(start)
                .setEnd(end)
                .setBitmap(ByteString.copyFrom(bitmap)))
        .build();
  }

  static EncodedU64Array u16(long base, int... offsets) {
    ByteBuffer bytes = ByteBuffer.allocate(offsets.length * 2).order(ByteOrder.LITTLE_ENDIAN);
    for (int offset : offsets) {
      bytes.putShort((short) offset);
    }
    return EncodedU64Array.newBuilder()
        .setU16Array(
            EncodedU64Array.U16Array.newBuilder()
                .setBase(base)
                .setOffsets(ByteString.copyFrom(bytes.flip())))
        .build();
  }

  static EncodedU64Array u32(long base, int... offsets) {
    ByteBuffer bytes = ByteBuffer.allocate(offsets.length * 4).order(ByteOrder.LITTLE_ENDIAN);
    for (int offset : offsets) {
      bytes.putInt(offset);
    }
    return EncodedU64Array.newBuilder()
        .setU32Array(
            EncodedU64Array.U32Array.newBuilder()
                .setBase(base)
                .setOffsets(ByteString.copyFrom(bytes.flip())))
        .build();
  }

  static EncodedU64Array u64(long... values) {
    ByteBuffer bytes = ByteBuffer.allocate(values.length * 8).order(ByteOrder.LITTLE_ENDIAN);
    for (long value : values) {
      bytes.putLong(value);
    }
    return EncodedU64Array.newBuilder()
        .setU64Array(
            EncodedU64Array.U64Array.newBuilder().setValues(ByteString.copyFrom(bytes.flip())))
        .build();
  }

  static U64Segment sortedArray(EncodedU64Array ids) {
    return U64Segment.newBuilder().setSortedArray(ids).build();
  }

  static U64Segment array(EncodedU64Array ids) {
    return U64Segment.newBuilder().setArray(ids).build();
  }
}
