package dev.narwhal.lance.datafile.page;

import java.nio.ByteBuffer;

/**
 * Bitmaps in LSB-first order, up to 64 bits at a time. Buffers are little-endian and addressed
 * absolutely from index 0; bits outside the named ranges stay as they are.
 */
public final class Bits {
  private Bits() {}

  /** Bytes that hold so many bits. */
  public static int bytes(int bits) {
    return (int) (((long) bits + 7) >>> 3);
  }

  public static boolean get(ByteBuffer source, int bit) {
    return (source.get(bit >>> 3) >>> (bit & 7) & 1) != 0;
  }

  /** {@code count} bits (1 to 64) from bit {@code from} on, in the low bits of the result. */
  public static long getWord(ByteBuffer source, int from, int count) {
    int at = from >>> 3;
    int shift = from & 7;
    long word;
    if (at + 8 <= source.limit()) {
      word = source.getLong(at) >>> shift;
      if (shift + count > 64) {
        word |= (long) source.get(at + 8) << (64 - shift);
      }
    } else {
      word = 0;
      for (int i = at, end = (from + count + 7) >>> 3; i < end; i++) {
        int position = 8 * (i - at) - shift;
        long octet = source.get(i) & 0xFF;
        word |= position < 0 ? octet >>> -position : octet << position;
      }
    }
    return word & mask(count);
  }

  /** Writes the low {@code count} bits (1 to 64) of {@code word} from bit {@code to} on. */
  public static void putWord(ByteBuffer target, int to, long word, int count) {
    int at = to >>> 3;
    int shift = to & 7;
    if (shift == 0 && count == 64) {
      target.putLong(at, word);
      return;
    }
    long rest = word & mask(count);
    int left = count;
    while (left > 0) {
      int n = Math.min(8 - shift, left);
      int mask = ((1 << n) - 1) << shift;
      int old = target.get(at);
      target.put(at, (byte) ((old & ~mask) | (((int) rest << shift) & mask)));
      rest >>>= n;
      left -= n;
      shift = 0;
      at++;
    }
  }

  public static void copy(ByteBuffer source, int from, ByteBuffer target, int to, int count) {
    int done = 0;
    if ((from & 7) == 0 && (to & 7) == 0) {
      target.put(to >>> 3, source, from >>> 3, count >>> 3);
      done = count & ~7;
    }
    // the first word is cut so that all others are written whole
    int n = Math.min(64 - (to + done & 7), count - done);
    while (n > 0) {
      putWord(target, to + done, getWord(source, from + done, n), n);
      done += n;
      n = Math.min(64, count - done);
    }
  }

  /**
   * Bit {@code to + i} becomes bit {@code indices[from + i]} of source; clear for an index of -1.
   */
  public static void gather(
      ByteBuffer source, int[] indices, int from, ByteBuffer target, int to, int count) {
    for (int done = 0; done < count; ) {
      int n = Math.min(64, count - done);
      long word = 0;
      for (int i = 0; i < n; i++) {
        int index = indices[from + done + i];
        if (index >= 0 && get(source, index)) {
          word |= 1L << i;
        }
      }
      putWord(target, to + done, word, n);
      done += n;
    }
  }

  public static void fill(ByteBuffer target, int to, int count, boolean value) {
    long word = value ? -1L : 0;
    int done = 0;
    int n = Math.min(64 - (to & 7), count);
    while (n > 0) {
      putWord(target, to + done, word, n);
      done += n;
      n = Math.min(64, count - done);
    }
  }

  /** Number of set bits in {@code [0, count)}. */
  public static int cardinality(ByteBuffer source, int count) {
    int cardinality = 0;
    for (int done = 0; done < count; ) {
      int n = Math.min(64, count - done);
      cardinality += Long.bitCount(getWord(source, done, n));
      done += n;
    }
    return cardinality;
  }

  private static long mask(int count) {
    return count == 64 ? -1L : (1L << count) - 1;
  }
}
