package dev.narwhal.lance.datafile.codec;

import dev.narwhal.lance.error.LanceFormatException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Groups of 1024 unsigned values of T bits (8, 16, 32, 64), each packed to W bits, 0 to T.
 *
 * <p>A group has 1024 / T lanes. Row r (0 to T - 1) of lane l is the value at
 *
 * <pre>
 * ORDER[r / 8] * 16 + (r mod 8) * 128 + l        ORDER = 0 4 2 6 1 5 3 7
 * </pre>
 *
 * and takes the bits from r * W of its lane's bit string, least significant first. The lanes' words
 * of T bits are interleaved: word k of lane l is at k * lanes + l. So a group takes 128 * W bytes,
 * and one row of all lanes is 128 bytes whatever T is. All lanes of a row share one shift, which is
 * why rows are unpacked 64 bits at a time, several lanes in one {@code long}: bits that a shift
 * carries over a lane's edge fall to the mask.
 *
 * <p>An instance holds scratch memory: one thread at a time.
 *
 * <p>Source: file format notes, section 6.
 */
public final class FastLanes {
  /** Values in a group. */
  public static final int GROUP = 1024;

  private static final int[] ORDER = {0, 4, 2, 6, 1, 5, 3, 7};
  private static final int LONGS_PER_ROW = 16;

  private final int valueBits;
  private final long laneOnes;
  private final long[] packed;
  private final ByteBuffer unpackedBytes;
  private final long[] unpacked;

  /**
   * @param valueBits T: 8, 16, 32 or 64
   */
  public FastLanes(int valueBits) {
    this.valueBits = requireWordBits(valueBits);
    laneOnes = valueBits == Long.SIZE ? 1 : Long.divideUnsigned(-1L, (1L << valueBits) - 1);
    packed = new long[LONGS_PER_ROW * valueBits];
    unpacked = new long[LONGS_PER_ROW * valueBits];
    unpackedBytes = ByteBuffer.allocate(GROUP * valueBits / 8).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Bytes of a group packed to {@code width} bits a value. */
  public static int packedBytes(int width) {
    return GROUP / 8 * width;
  }

  /** T, the bits of an unpacked value. */
  public int valueBits() {
    return valueBits;
  }

  /**
   * Unpacks one group and puts its first {@code count} values into {@code target}, little-endian,
   * at its position, which moves behind them.
   *
   * @param group the packed bytes start at its position, which stays
   * @param width W, in [0, T]; anything else is a format error
   * @param count in [0, 1024]
   */
  public void unpack(ByteBuffer group, int width, int count, ByteBuffer target) {
    unpackGroup(group, width);
    unpackedBytes.clear().limit(count * (valueBits / 8));
    target.put(unpackedBytes);
  }

  /** Unpacks one group of 8-bit values into the first 1024 elements. */
  public void unpack(ByteBuffer group, int width, byte[] target) {
    requireValueBits(Byte.SIZE);
    unpackGroup(group, width);
    unpackedBytes.clear().get(target, 0, GROUP);
  }

  /** Unpacks one group of 16-bit values into the first 1024 elements. */
  public void unpack(ByteBuffer group, int width, short[] target) {
    requireValueBits(Short.SIZE);
    unpackGroup(group, width);
    unpackedBytes.clear().asShortBuffer().get(target, 0, GROUP);
  }

  /** Unpacks one group of 32-bit values into the first 1024 elements. */
  public void unpack(ByteBuffer group, int width, int[] target) {
    requireValueBits(Integer.SIZE);
    unpackGroup(group, width);
    unpackedBytes.clear().asIntBuffer().get(target, 0, GROUP);
  }

  /** Unpacks one group of 64-bit values into the first 1024 elements. */
  public void unpack(ByteBuffer group, int width, long[] target) {
    requireValueBits(Long.SIZE);
    unpackGroup(group, width);
    System.arraycopy(unpacked, 0, target, 0, GROUP);
  }

  /**
   * Takes a group to be packed: {@code count} values, the rest of it zeros.
   *
   * @param values little-endian
   * @param from index of the first byte
   * @param count in [0, 1024]
   * @return the least width that holds all of them
   */
  public int load(byte[] values, int from, int count) {
    int bytes = count * (valueBits / 8);
    unpackedBytes.clear().put(values, from, bytes);
    Arrays.fill(unpackedBytes.array(), bytes, unpackedBytes.capacity(), (byte) 0);
    unpackedBytes.clear().asLongBuffer().get(unpacked);
    long any = 0;
    for (long lanes : unpacked) {
      any |= lanes;
    }
    for (int shift = Long.SIZE / 2; shift >= valueBits; shift /= 2) {
      any |= any >>> shift;
    }
    long mask = valueBits == Long.SIZE ? -1L : (1L << valueBits) - 1;
    return Long.SIZE - Long.numberOfLeadingZeros(any & mask);
  }

  /**
   * Appends the loaded group, packed.
   *
   * @param width W, at least what {@link #load} said and at most T
   */
  public void pack(int width, GrowingBytes target) {
    Arrays.fill(packed, 0, LONGS_PER_ROW * width, 0);
    if (width > 0) {
      packRows(width);
    }
    int at = target.extend(packedBytes(width));
    ByteBuffer.wrap(target.array(), at, packedBytes(width))
        .slice()
        .order(ByteOrder.LITTLE_ENDIAN)
        .asLongBuffer()
        .put(packed, 0, LONGS_PER_ROW * width);
  }

  private void packRows(int width) {
    for (int row = 0; row < valueBits; row++) {
      int firstValue = ORDER[row >>> 3] * 16 + (row & 7) * 128;
      int from = firstValue * valueBits / Long.SIZE;
      int bit = row * width;
      int to = bit / valueBits * LONGS_PER_ROW;
      int shift = bit % valueBits;
      int lowBits = valueBits - shift;
      if (width <= lowBits) {
        packRow(unpacked, from, shift, packed, to);
      } else {
        long lowMask = ((1L << lowBits) - 1) * laneOnes;
        long highMask = ((1L << (width - lowBits)) - 1) * laneOnes;
        packSplitRow(unpacked, from, shift, lowMask, lowBits, highMask, packed, to);
      }
    }
  }

  private static void packRow(long[] in, int from, int shift, long[] out, int to) {
    for (int i = 0; i < LONGS_PER_ROW; i++) {
      out[to + i] |= in[from + i] << shift;
    }
  }

  /** A row whose values begin in one word of each lane and end in the next. */
  private static void packSplitRow(
      long[] in,
      int from,
      int shift,
      long lowMask,
      int lowBits,
      long highMask,
      long[] out,
      int to) {
    for (int i = 0; i < LONGS_PER_ROW; i++) {
      long lanes = in[from + i];
      out[to + i] |= (lanes & lowMask) << shift;
      out[to + LONGS_PER_ROW + i] |= (lanes >>> lowBits) & highMask;
    }
  }

  private void unpackGroup(ByteBuffer group, int width) {
    if (width < 0 || width > valueBits) {
      throw new LanceFormatException(
          "bit-packed width " + width + ", expected 0 to " + valueBits + " for the value type");
    }
    if (group.remaining() < packedBytes(width)) {
      throw new LanceFormatException(
          "bit-packed group of width "
              + width
              + " has "
              + group.remaining()
              + " bytes, expected "
              + packedBytes(width));
    }
    group
        .slice(group.position(), packedBytes(width))
        .order(ByteOrder.LITTLE_ENDIAN)
        .asLongBuffer()
        .get(packed, 0, LONGS_PER_ROW * width);
    if (width == 0) {
      Arrays.fill(unpacked, 0);
    } else {
      unpackRows(width);
    }
    unpackedBytes.clear().asLongBuffer().put(unpacked);
  }

  private void unpackRows(int width) {
    long valueMask = width == Long.SIZE ? -1L : (1L << width) - 1;
    for (int row = 0; row < valueBits; row++) {
      int firstValue = ORDER[row >>> 3] * 16 + (row & 7) * 128;
      int to = firstValue * valueBits / Long.SIZE;
      int bit = row * width;
      int from = bit / valueBits * LONGS_PER_ROW;
      int shift = bit % valueBits;
      int lowBits = valueBits - shift;
      if (width <= lowBits) {
        unpackRow(packed, from, shift, valueMask * laneOnes, unpacked, to);
      } else {
        long lowMask = (1L << lowBits) - 1;
        unpackSplitRow(
            packed,
            from,
            shift,
            lowMask * laneOnes,
            lowBits,
            (valueMask & ~lowMask) * laneOnes,
            unpacked,
            to);
      }
    }
  }

  private static void unpackRow(long[] in, int from, int shift, long mask, long[] out, int to) {
    for (int i = 0; i < LONGS_PER_ROW; i++) {
      out[to + i] = (in[from + i] >>> shift) & mask;
    }
  }

  /** A row whose values begin in one word of each lane and end in the next. */
  private static void unpackSplitRow(
      long[] in,
      int from,
      int shift,
      long lowMask,
      int lowBits,
      long highMask,
      long[] out,
      int to) {
    for (int i = 0; i < LONGS_PER_ROW; i++) {
      out[to + i] =
          ((in[from + i] >>> shift) & lowMask)
              | ((in[from + LONGS_PER_ROW + i] << lowBits) & highMask);
    }
  }

  private void requireValueBits(int bits) {
    if (valueBits != bits) {
      throw new IllegalArgumentException(bits + "-bit target for " + valueBits + "-bit values");
    }
  }

  static int requireWordBits(int valueBits) {
    if (valueBits != 8 && valueBits != 16 && valueBits != 32 && valueBits != 64) {
      throw new IllegalArgumentException("value bits must be 8, 16, 32 or 64: " + valueBits);
    }
    return valueBits;
  }
}
