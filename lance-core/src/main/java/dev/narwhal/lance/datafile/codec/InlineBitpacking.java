package dev.narwhal.lance.datafile.codec;

import dev.narwhal.lance.error.LanceFormatException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Up to 1024 values in one {@link FastLanes} group that brings its own width.
 *
 * <pre>
 * byte   size      order   meaning
 * 0      T / 8     LE      W, in [0, T]
 * T / 8  128 * W   LE      the group; values past the count are padding
 * </pre>
 *
 * <p>Source: file format notes, section 5.4.
 */
public final class InlineBitpacking {
  private InlineBitpacking() {}

  /**
   * Puts {@code count} values of {@code lanes.valueBits()} bits into {@code target}, little-endian,
   * at its position, which moves behind them.
   *
   * @param packed exactly the encoded bytes, from position to limit; its position stays
   * @param count at least 0; more than 1024 is a format error
   */
  public static void decode(ByteBuffer packed, FastLanes lanes, int count, ByteBuffer target) {
    int wordBytes = lanes.valueBits() / 8;
    if (count > FastLanes.GROUP) {
      throw new LanceFormatException(
          "inline bit-packing of "
              + count
              + " values, at most "
              + FastLanes.GROUP
              + " are allowed");
    }
    if (packed.remaining() < wordBytes) {
      throw new LanceFormatException(
          "inline bit-packing in "
              + packed.remaining()
              + " bytes, expected at least "
              + wordBytes
              + " for the width");
    }
    ByteBuffer in = packed.slice().order(ByteOrder.LITTLE_ENDIAN);
    long width = word(in, wordBytes);
    // an unsigned 64-bit width past 2^63 is negative here
    if (width < 0 || width > lanes.valueBits()) {
      throw new LanceFormatException(
          "inline bit-packing width "
              + Long.toUnsignedString(width)
              + ", expected 0 to "
              + lanes.valueBits());
    }
    int expected = wordBytes + FastLanes.packedBytes((int) width);
    if (in.limit() != expected) {
      throw new LanceFormatException(
          "inline bit-packing of width "
              + width
              + " in "
              + in.limit()
              + " bytes, expected "
              + expected);
    }
    lanes.unpack(in.position(wordBytes), (int) width, count, target);
  }

  /**
   * Appends up to 1024 values, at the least width that holds them.
   *
   * @param values of {@code lanes.valueBits()} bits, little-endian
   * @param from index of the first byte
   * @param count in [0, 1024]
   */
  public static void encode(
      byte[] values, int from, int count, FastLanes lanes, GrowingBytes target) {
    int width = lanes.load(values, from, count);
    target.putWord(width, lanes.valueBits() / 8);
    lanes.pack(width, target);
  }

  /** Bytes that a group takes whose values have so many bits. */
  public static int encodedBytes(int valueBits, int width) {
    return valueBits / 8 + FastLanes.packedBytes(width);
  }

  private static long word(ByteBuffer in, int bytes) {
    return switch (bytes) {
      case 1 -> Byte.toUnsignedLong(in.get(0));
      case 2 -> Short.toUnsignedLong(in.getShort(0));
      case 4 -> Integer.toUnsignedLong(in.getInt(0));
      default -> in.getLong(0);
    };
  }
}
