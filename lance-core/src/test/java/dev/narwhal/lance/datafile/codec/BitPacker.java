package dev.narwhal.lance.datafile.codec;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The plainest packer of FastLanes groups, bit by bit from the layout's definition. */
public final class BitPacker {
  private static final int[] ORDER = {0, 4, 2, 6, 1, 5, 3, 7};

  private BitPacker() {}

  /** Packs the low {@code width} bits of up to 1024 values, padded with zeros. */
  public static byte[] group(long[] values, int from, int count, int valueBits, int width) {
    byte[] packed = new byte[128 * width];
    int lanes = 1024 / valueBits;
    for (int lane = 0; lane < lanes; lane++) {
      for (int row = 0; row < valueBits; row++) {
        int index = ORDER[row / 8] * 16 + row % 8 * 128 + lane;
        long value = index < count ? values[from + index] : 0;
        for (int b = 0; b < width; b++) {
          if ((value >>> b & 1) == 1) {
            int laneBit = row * width + b;
            int word = laneBit / valueBits * lanes + lane;
            int bit = word * valueBits + laneBit % valueBits;
            packed[bit / 8] |= (byte) (1 << bit % 8);
          }
        }
      }
    }
    return packed;
  }

  /** The values as words of T bits, little-endian. */
  public static byte[] words(long[] values, int from, int count, int valueBits) {
    ByteBuffer out = ByteBuffer.allocate(count * valueBits / 8).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = from; i < from + count; i++) {
      switch (valueBits) {
        case 8 -> out.put((byte) values[i]);
        case 16 -> out.putShort((short) values[i]);
        case 32 -> out.putInt((int) values[i]);
        default -> out.putLong(values[i]);
      }
    }
    return out.array();
  }

  public static long mask(int width) {
    return width == 64 ? -1L : (1L << width) - 1;
  }
}
