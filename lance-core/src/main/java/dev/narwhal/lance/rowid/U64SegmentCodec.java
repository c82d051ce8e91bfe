package dev.narwhal.lance.rowid;

import com.google.protobuf.ByteString;
import dev.narwhal.lance.error.LanceFormatException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The {@code U64Segment} message: u64 numbers in one of five encodings.
 *
 * <pre>
 * 1 range              {start, end}           start, start+1, ... end-1
 * 2 range with holes   {start, end, holes}    the same without the holes, which ascend
 * 3 range with bitmap  {start, end, bitmap}   bit i of byte i/8, least significant first: start+i
 * 4 sorted array       numbers
 * 5 array              numbers
 *
 * numbers: u16 or u32 offsets to a base, or u64; little-endian
 * </pre>
 *
 * <p>The format's own documentation has the bits of 3 the other way round; real writers store them
 * as here (see {@code RowIdSequenceTest}). What is written has the encoding that real Lance
 * chooses: the smallest, by its estimates. Source: table format sheet 2.8 and 10.3.
 */
final class U64SegmentCodec {
  /** Real Lance's estimate of what is there besides holes, bitmap or numbers. */
  private static final int HEADER_BYTES = 24;

  private U64SegmentCodec() {}

  static U64Segment decode(dev.narwhal.lance.proto.table.U64Segment segment) {
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
      case SORTED_ARRAY -> new Listed(decode(segment.getSortedArray()));
      case ARRAY -> new Listed(decode(segment.getArray()));
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

  /** Encodes numbers, each of them there once, in their order. */
  static dev.narwhal.lance.proto.table.U64Segment encode(long[] numbers) {
    if (numbers.length == 0) {
      return encodeRange(0, 0);
    }
    long min = numbers[0];
    long max = numbers[0];
    boolean ascending = true;
    for (int i = 1; i < numbers.length; i++) {
      ascending &= Long.compareUnsigned(numbers[i - 1], numbers[i]) < 0;
      min = Long.compareUnsigned(numbers[i], min) < 0 ? numbers[i] : min;
      max = Long.compareUnsigned(numbers[i], max) > 0 ? numbers[i] : max;
    }
    if (!ascending) {
      return message().setArray(numbers(numbers, min, max)).build();
    }
    long slots = max - min + 1;
    long holes = slots - numbers.length;
    // a range cannot say that it ends after the greatest u64
    boolean sparse = slots <= 0 || slots > Integer.MAX_VALUE || max == -1;
    if (holes == 0 && max != -1) {
      return encodeRange(min, max + 1);
    }
    double holesBytes = sparse ? Double.MAX_VALUE : HEADER_BYTES + 4.0 * holes;
    double bitmapBytes = sparse ? Double.MAX_VALUE : HEADER_BYTES + Math.ceil(slots / 8.0);
    double arrayBytes = HEADER_BYTES + 2.0 * numbers.length;
    if (holesBytes <= bitmapBytes && holesBytes <= arrayBytes) {
      return encodeWithHoles(numbers, min, (int) holes, max);
    }
    return bitmapBytes <= arrayBytes
        ? encodeWithBitmap(numbers, min, (int) slots, max)
        : message().setSortedArray(numbers(numbers, min, max)).build();
  }

  static dev.narwhal.lance.proto.table.U64Segment encodeRange(long start, long end) {
    return message()
        .setRange(
            dev.narwhal.lance.proto.table.U64Segment.Range.newBuilder().setStart(start).setEnd(end))
        .build();
  }

  private static dev.narwhal.lance.proto.table.U64Segment encodeWithHoles(
      long[] numbers, long min, int count, long max) {
    long[] holes = new long[count];
    int found = 0;
    for (int i = 1; i < numbers.length; i++) {
      for (long hole = numbers[i - 1] + 1; hole != numbers[i]; hole++) {
        holes[found++] = hole;
      }
    }
    return message()
        .setRangeWithHoles(
            dev.narwhal.lance.proto.table.U64Segment.RangeWithHoles.newBuilder()
                .setStart(min)
                .setEnd(max + 1)
                .setHoles(numbers(holes, holes[0], holes[count - 1])))
        .build();
  }

  private static dev.narwhal.lance.proto.table.U64Segment encodeWithBitmap(
      long[] numbers, long min, int slots, long max) {
    byte[] bits = new byte[(slots + 7) / 8];
    for (long number : numbers) {
      int bit = (int) (number - min);
      bits[bit / 8] |= (byte) (1 << (bit % 8));
    }
    return message()
        .setRangeWithBitmap(
            dev.narwhal.lance.proto.table.U64Segment.RangeWithBitmap.newBuilder()
                .setStart(min)
                .setEnd(max + 1)
                .setBitmap(ByteString.copyFrom(bits)))
        .build();
  }

  /** A list of numbers between two of them, as narrow as they allow. */
  private static dev.narwhal.lance.proto.table.EncodedU64Array numbers(
      long[] numbers, long min, long max) {
    dev.narwhal.lance.proto.table.EncodedU64Array.Builder array =
        dev.narwhal.lance.proto.table.EncodedU64Array.newBuilder();
    long span = max - min;
    if (Long.compareUnsigned(span, 0xFFFF) <= 0) {
      array.getU16ArrayBuilder().setBase(min).setOffsets(bytes(numbers, min, Short.BYTES));
    } else if (Long.compareUnsigned(span, 0xFFFF_FFFFL) <= 0) {
      array.getU32ArrayBuilder().setBase(min).setOffsets(bytes(numbers, min, Integer.BYTES));
    } else {
      array.getU64ArrayBuilder().setValues(bytes(numbers, 0, Long.BYTES));
    }
    return array.build();
  }

  private static ByteString bytes(long[] numbers, long base, int width) {
    ByteBuffer bytes =
        ByteBuffer.allocate(Math.multiplyExact(numbers.length, width))
            .order(ByteOrder.LITTLE_ENDIAN);
    for (long number : numbers) {
      long offset = number - base;
      switch (width) {
        case Short.BYTES -> bytes.putShort((short) offset);
        case Integer.BYTES -> bytes.putInt((int) offset);
        default -> bytes.putLong(offset);
      }
    }
    return ByteString.copyFrom(bytes.flip());
  }

  private static dev.narwhal.lance.proto.table.U64Segment.Builder message() {
    return dev.narwhal.lance.proto.table.U64Segment.newBuilder();
  }
}
