package dev.narwhal.lance.datafile.codec;

import dev.narwhal.lance.error.LanceFormatException;
import java.nio.ByteBuffer;

/**
 * Any number of values in {@link FastLanes} groups of one width W that the page gives.
 *
 * <pre>
 * n / 1024 times   128 * W bytes       a full group
 * tail, if any     n mod 1024 words    the values as they are, T bits each
 *             or   128 * W bytes       a group padded to 1024 values
 * </pre>
 *
 * <p>The total length tells the two tails apart. Writers pack the tail when that is shorter; old
 * ones always did. Where both have the same length the tail is raw.
 *
 * <p>Source: file format notes, section 5.5.
 */
public final class OutOfLineBitpacking {
  private OutOfLineBitpacking() {}

  /**
   * Puts {@code count} values of {@code lanes.valueBits()} bits into {@code target}, little-endian,
   * at its position, which moves behind them.
   *
   * @param packed exactly the encoded bytes, from position to limit; its position stays
   * @param width W, in [0, T]; anything else is a format error
   * @param count at least 0
   */
  public static void decode(
      ByteBuffer packed, FastLanes lanes, int width, int count, ByteBuffer target) {
    if (width < 0 || width > lanes.valueBits()) {
      throw new LanceFormatException(
          "bit-packed width " + width + ", expected 0 to " + lanes.valueBits());
    }
    int groupBytes = FastLanes.packedBytes(width);
    int groups = count / FastLanes.GROUP;
    int tail = count % FastLanes.GROUP;
    long fullBytes = (long) groups * groupBytes;
    int rawTailBytes = tail * (lanes.valueBits() / 8);
    boolean rawTail = packed.remaining() == fullBytes + rawTailBytes;
    if (!rawTail && (tail == 0 || packed.remaining() != fullBytes + groupBytes)) {
      throw new LanceFormatException(
          "bit-packing of "
              + count
              + " values to "
              + width
              + " bits in "
              + packed.remaining()
              + " bytes, expected "
              + (fullBytes + rawTailBytes)
              + (tail == 0 ? "" : " or " + (fullBytes + groupBytes)));
    }
    ByteBuffer in = packed.slice();
    for (int group = 0; group < groups; group++) {
      lanes.unpack(in.position(group * groupBytes), width, FastLanes.GROUP, target);
    }
    in.position((int) fullBytes);
    if (rawTail) {
      target.put(in);
    } else {
      lanes.unpack(in, width, tail, target);
    }
  }

  /**
   * Appends values; a last group that is not full is packed when that is shorter.
   *
   * @param values of {@code lanes.valueBits()} bits, little-endian
   * @param from index of the first byte
   * @param count at least 0
   * @param width W, which must hold all values
   */
  public static void encode(
      byte[] values, int from, int count, FastLanes lanes, int width, GrowingBytes target) {
    int wordBytes = lanes.valueBits() / 8;
    int at = from;
    int left = count;
    for (; left >= FastLanes.GROUP; left -= FastLanes.GROUP) {
      lanes.load(values, at, FastLanes.GROUP);
      lanes.pack(width, target);
      at += FastLanes.GROUP * wordBytes;
    }
    if (left * wordBytes > FastLanes.packedBytes(width)) {
      lanes.load(values, at, left);
      lanes.pack(width, target);
    } else {
      target.put(values, at, left * wordBytes);
    }
  }

  /** Bytes that so many values take. */
  public static long encodedBytes(int valueBits, int width, long count) {
    long tail = count % FastLanes.GROUP * (valueBits / 8);
    return count / FastLanes.GROUP * FastLanes.packedBytes(width)
        + Math.min(tail, FastLanes.packedBytes(width));
  }
}
