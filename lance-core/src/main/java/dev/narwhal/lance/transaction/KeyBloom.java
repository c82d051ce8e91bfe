package dev.narwhal.lance.transaction;

import java.util.Arrays;

/**
 * The Bloom filter that real Lance keeps inserted keys in: a split-block filter as Parquet has it,
 * always of the same size. A key sets one bit in each of the eight 32-bit LE words of a block, the
 * block chosen by the upper half of its hash and the bits by the lower half. Filled by one thread.
 * Source: table format sheet 6.5; that 7.0.0 sets the same bits, a test shows.
 */
public final class KeyBloom {
  /** Bytes of the filter. */
  static final int SIZE_BYTES = 32 << 10;

  /** Keys that it is made for. */
  static final long ITEMS = 8192;

  /** Share of false positives that it is made for. */
  static final double PROBABILITY = 0.00057;

  private static final int BLOCK_BYTES = 32;
  private static final int[] SALTS = {
    0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31
  };

  private final byte[] bitmap = new byte[SIZE_BYTES];

  /** Adds a key: bytes {@code [start, start + length)}. */
  public void add(byte[] bytes, int start, int length) {
    long hash = XxHash64.hash(bytes, start, length);
    int block = (int) (((hash >>> 32) * (SIZE_BYTES / BLOCK_BYTES)) >>> 32);
    for (int word = 0; word < SALTS.length; word++) {
      int bit = ((int) hash * SALTS[word]) >>> 27;
      bitmap[block * BLOCK_BYTES + word * Integer.BYTES + (bit >>> 3)] |= (byte) (1 << (bit & 7));
    }
  }

  /** Adds every key there is: for keys whose bytes are not known. */
  public void addAll() {
    Arrays.fill(bitmap, (byte) -1);
  }

  /** A copy of the bits. */
  byte[] toByteArray() {
    return bitmap.clone();
  }
}
