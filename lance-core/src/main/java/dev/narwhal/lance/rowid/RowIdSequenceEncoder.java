package dev.narwhal.lance.rowid;

import com.google.protobuf.ByteString;
import dev.narwhal.lance.proto.table.EncodedU64Array;
import dev.narwhal.lance.proto.table.RowIdSequence;
import dev.narwhal.lance.proto.table.U64Segment;
import dev.narwhal.lance.schema.DeterministicMessage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Writes row id sequences, with the encoding that real Lance chooses: the smallest. Source: table
 * format sheet 10.3.
 */
public final class RowIdSequenceEncoder {
  private static final int SEGMENT_BYTES = 24;

  private RowIdSequenceEncoder() {}

  /**
   * Consecutive ids.
   *
   * @param start u64
   * @param count at least 0
   */
  public static StoredSequence range(long start, long count) {
    return stored(rangeSegment(start, start + count));
  }

  /**
   * Any ids, each once, in one segment.
   *
   * @param ids u64
   */
  public static StoredSequence of(long[] ids) {
    if (ids.length == 0) {
      return range(0, 0);
    }
    long min = ids[0];
    long max = ids[0];
    boolean ascending = true;
    for (int i = 1; i < ids.length; i++) {
      ascending &= Long.compareUnsigned(ids[i - 1], ids[i]) < 0;
      min = Long.compareUnsigned(ids[i], min) < 0 ? ids[i] : min;
      max = Long.compareUnsigned(ids[i], max) > 0 ? ids[i] : max;
    }
    if (!ascending) {
      return stored(U64Segment.newBuilder().setArray(array(ids, min, max)).build());
    }
    long slots = max - min + 1;
    long holes = slots - ids.length;
    if (holes == 0) {
      return stored(rangeSegment(min, max + 1));
    }
    // slots overflows only for ids of both ends, where nothing but a list is small
    boolean sparse = slots <= 0 || holes < 0 || slots > Integer.MAX_VALUE;
    double holesBytes = sparse ? Double.MAX_VALUE : SEGMENT_BYTES + 4.0 * holes;
    double bitmapBytes = sparse ? Double.MAX_VALUE : SEGMENT_BYTES + Math.ceil(slots / 8.0);
    double arrayBytes = SEGMENT_BYTES + 2.0 * ids.length;
    if (holesBytes <= bitmapBytes && holesBytes <= arrayBytes) {
      return stored(withHoles(ids, min, (int) holes, max));
    }
    return stored(
        bitmapBytes <= arrayBytes
            ? withBitmap(ids, min, (int) slots, max)
            : U64Segment.newBuilder().setSortedArray(array(ids, min, max)).build());
  }

  private static U64Segment rangeSegment(long start, long end) {
    return U64Segment.newBuilder()
        .setRange(U64Segment.Range.newBuilder().setStart(start).setEnd(end))
        .build();
  }

  private static U64Segment withHoles(long[] ids, long min, int count, long max) {
    long[] holes = new long[count];
    int found = 0;
    for (int i = 1; i < ids.length; i++) {
      for (long hole = ids[i - 1] + 1; hole != ids[i]; hole++) {
        holes[found++] = hole;
      }
    }
    return U64Segment.newBuilder()
        .setRangeWithHoles(
            U64Segment.RangeWithHoles.newBuilder()
                .setStart(min)
                .setEnd(max + 1)
                .setHoles(array(holes, holes[0], holes[count - 1])))
        .build();
  }

  private static U64Segment withBitmap(long[] ids, long min, int slots, long max) {
    byte[] bits = new byte[(slots + 7) / 8];
    for (long id : ids) {
      int bit = (int) (id - min);
      bits[bit / 8] |= (byte) (1 << (bit % 8));
    }
    return U64Segment.newBuilder()
        .setRangeWithBitmap(
            U64Segment.RangeWithBitmap.newBuilder()
                .setStart(min)
                .setEnd(max + 1)
                .setBitmap(ByteString.copyFrom(bits)))
        .build();
  }

  private static EncodedU64Array array(long[] values, long min, long max) {
    long span = max - min;
    if (Long.compareUnsigned(span, 0xFFFF) <= 0) {
      ByteBuffer offsets = ByteBuffer.allocate(values.length * 2).order(ByteOrder.LITTLE_ENDIAN);
      for (long value : values) {
        offsets.putShort((short) (value - min));
      }
      return EncodedU64Array.newBuilder()
          .setU16Array(
              EncodedU64Array.U16Array.newBuilder()
                  .setBase(min)
                  .setOffsets(ByteString.copyFrom(offsets.flip())))
          .build();
    }
    if (Long.compareUnsigned(span, 0xFFFF_FFFFL) <= 0) {
      ByteBuffer offsets = ByteBuffer.allocate(values.length * 4).order(ByteOrder.LITTLE_ENDIAN);
      for (long value : values) {
        offsets.putInt((int) (value - min));
      }
      return EncodedU64Array.newBuilder()
          .setU32Array(
              EncodedU64Array.U32Array.newBuilder()
                  .setBase(min)
                  .setOffsets(ByteString.copyFrom(offsets.flip())))
          .build();
    }
    ByteBuffer whole = ByteBuffer.allocate(values.length * 8).order(ByteOrder.LITTLE_ENDIAN);
    for (long value : values) {
      whole.putLong(value);
    }
    return EncodedU64Array.newBuilder()
        .setU64Array(
            EncodedU64Array.U64Array.newBuilder().setValues(ByteString.copyFrom(whole.flip())))
        .build();
  }

  private static StoredSequence stored(U64Segment segment) {
    return StoredSequence.Inline.of(
        ByteBuffer.wrap(
            DeterministicMessage.toBytes(RowIdSequence.newBuilder().addSegments(segment).build())));
  }
}
