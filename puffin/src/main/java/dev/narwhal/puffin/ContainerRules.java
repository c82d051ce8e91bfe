package dev.narwhal.puffin;

import static dev.narwhal.puffin.LittleEndian.i64;
import static dev.narwhal.puffin.LittleEndian.u16;

/**
 * The rules inside the three kinds of Roaring container; layout in {@link RoaringStructure}.
 *
 * <p>A check takes the index {@code at} of a container whose bytes are known to be there, and
 * returns its greatest value. The loops over arrays and bitmaps gather violations and look at them
 * once at the end: a broken container is rare, and a branch per value is what would take the time.
 */
final class ContainerRules {
  /** Greatest cardinality of an array container; above it, a container is a bitmap. */
  static final int MAX_ARRAY = 4096;

  static final int BITMAP_BYTES = 8192;

  private static final long HIGH_BITS = 0x8000_8000_8000_8000L;

  private ContainerRules() {}

  /** Size of an array or bitmap container, in bytes. */
  static int plainSize(int cardinality) {
    return cardinality <= MAX_ARRAY ? 2 * cardinality : BITMAP_BYTES;
  }

  /** Size of a run container, in bytes. */
  static int runSize(int runs) {
    return 2 + 4 * runs;
  }

  static int checkArray(byte[] bytes, int from, int at, int cardinality) {
    int last = at + 2 * (cardinality - 1);
    int i = at;
    long lanes = 0;
    int rest = 0;
    // Four neighbours at a time: lanes of 16 bits, compared without a carry between them.
    for (; i < last - 6; i += 8) {
      lanes |= notBelow(i64(bytes, i), i64(bytes, i + 2));
    }
    for (; i < last; i += 2) {
      rest |= u16(bytes, i + 2) - u16(bytes, i) - 1;
    }
    if ((lanes & HIGH_BITS) != 0 || rest < 0) {
      throw descent(bytes, from, at, last);
    }
    return u16(bytes, last);
  }

  /** The high bit of a lane is set when x is not below y there, as unsigned 16-bit numbers. */
  private static long notBelow(long x, long y) {
    long lowerNotBelow = (x | HIGH_BITS) - (y & ~HIGH_BITS);
    return (x & ~y) | (~(x ^ y) & lowerNotBelow);
  }

  private static PuffinFormatException descent(byte[] bytes, int from, int at, int last) {
    int i = at;
    while (i < last && u16(bytes, i) < u16(bytes, i + 2)) {
      i += 2;
    }
    return PuffinFormatException.at(
        i + 2 - from, "array value " + u16(bytes, i + 2), "one above " + u16(bytes, i));
  }

  static int checkBitmap(byte[] bytes, int from, int at, int cardinality) {
    int a = 0;
    int b = 0;
    for (int i = at, end = at + BITMAP_BYTES; i < end; i += 64) {
      a +=
          Long.bitCount(i64(bytes, i))
              + Long.bitCount(i64(bytes, i + 8))
              + Long.bitCount(i64(bytes, i + 16))
              + Long.bitCount(i64(bytes, i + 24));
      b +=
          Long.bitCount(i64(bytes, i + 32))
              + Long.bitCount(i64(bytes, i + 40))
              + Long.bitCount(i64(bytes, i + 48))
              + Long.bitCount(i64(bytes, i + 56));
    }
    if (a + b != cardinality) {
      throw PuffinFormatException.at(
          at - from, (a + b) + " bits set in a bitmap container", Integer.toString(cardinality));
    }
    int word = BITMAP_BYTES - 8;
    while (i64(bytes, at + word) == 0) {
      word -= 8;
    }
    return 8 * word + 63 - Long.numberOfLeadingZeros(i64(bytes, at + word));
  }

  static int checkRuns(byte[] bytes, int from, int at, int cardinality) {
    int runs = u16(bytes, at);
    int endExclusive = 0;
    int sum = 0;
    for (int i = 0; i < runs; i++) {
      int run = at + 2 + 4 * i;
      int start = u16(bytes, run);
      int length = u16(bytes, run + 2) + 1;
      if (start < endExclusive) {
        throw PuffinFormatException.at(
            run - from, "run from " + start, "from " + endExclusive + " or above");
      }
      endExclusive = start + length;
      if (endExclusive > 1 << 16) {
        throw PuffinFormatException.at(
            run - from, "run to " + (endExclusive - 1), "to 65535 at most");
      }
      sum += length;
    }
    if (sum != cardinality) {
      throw PuffinFormatException.at(
          at - from, sum + " values in the runs", Integer.toString(cardinality));
    }
    return endExclusive - 1;
  }
}
