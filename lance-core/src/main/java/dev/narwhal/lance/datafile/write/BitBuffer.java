package dev.narwhal.lance.datafile.write;

import dev.narwhal.lance.datafile.codec.GrowingBytes;

/** Bits that are appended to, least significant first. One thread. */
final class BitBuffer {
  private final GrowingBytes bytes;
  private int size;
  private int ones;

  BitBuffer() {
    this(new GrowingBytes());
  }

  private BitBuffer(GrowingBytes bytes) {
    this.bytes = bytes;
  }

  int size() {
    return size;
  }

  /** Whether every bit is 1. */
  boolean allOnes() {
    return ones == size;
  }

  int ones() {
    return ones;
  }

  boolean get(int index) {
    return (bytes.array()[index >>> 3] >>> (index & 7) & 1) != 0;
  }

  void clear() {
    bytes.clear();
    size = 0;
    ones = 0;
  }

  /** Gives all bits away, and is empty after that. */
  BitBuffer take() {
    BitBuffer taken = new BitBuffer(bytes.take());
    taken.size = size;
    taken.ones = ones;
    clear();
    return taken;
  }

  void add(boolean bit) {
    if ((size & 7) == 0) {
      bytes.put(0);
    }
    if (bit) {
      bytes.array()[size >>> 3] |= (byte) (1 << (size & 7));
      ones++;
    }
    size++;
  }

  void fill(boolean bit, int count) {
    int left = count;
    while (left > 0 && (size & 7) != 0) {
      add(bit);
      left--;
    }
    int whole = left >>> 3;
    bytes.fill(bit ? 0xFF : 0, whole);
    size += 8 * whole;
    ones += bit ? 8 * whole : 0;
    for (left &= 7; left > 0; left--) {
      add(bit);
    }
  }

  /** Appends bits {@code [from, to)} of a bitmap. */
  void append(byte[] bitmap, int from, int to) {
    int at = from;
    while (at < to && (size & 7) != 0) {
      add(bit(bitmap, at++));
    }
    int shift = at & 7;
    for (; at + 8 <= to; at += 8) {
      int index = at >>> 3;
      int low = (bitmap[index] & 0xFF) >>> shift;
      int high = shift == 0 ? 0 : bitmap[index + 1] << (8 - shift);
      int eight = (low | high) & 0xFF;
      bytes.put(eight);
      size += 8;
      ones += Integer.bitCount(eight);
    }
    while (at < to) {
      add(bit(bitmap, at++));
    }
  }

  /** Appends bits {@code [from, from + count)}, from bit 0 of a byte on, to bytes. */
  void copyTo(GrowingBytes target, int from, int count) {
    int shift = from & 7;
    byte[] source = bytes.array();
    int bytesOut = (count + 7) >>> 3;
    int at = target.extend(bytesOut);
    byte[] out = target.array();
    int last = (size + 7) >>> 3;
    for (int i = 0; i < bytesOut; i++) {
      int index = (from >>> 3) + i;
      int low = (source[index] & 0xFF) >>> shift;
      int high = shift == 0 || index + 1 >= last ? 0 : source[index + 1] << (8 - shift);
      out[at + i] = (byte) (low | high);
    }
    if ((count & 7) != 0) {
      out[at + bytesOut - 1] &= (byte) ((1 << (count & 7)) - 1);
    }
  }

  static boolean bit(byte[] bitmap, int index) {
    return (bitmap[index >>> 3] >>> (index & 7) & 1) != 0;
  }
}
