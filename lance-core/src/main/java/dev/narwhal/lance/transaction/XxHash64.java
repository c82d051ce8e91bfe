package dev.narwhal.lance.transaction;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** The 64-bit hash of the xxHash family, with seed 0. Source: xxHash specification, XXH64. */
final class XxHash64 {
  private static final long PRIME_1 = 0x9E3779B185EBCA87L;
  private static final long PRIME_2 = 0xC2B2AE3D27D4EB4FL;
  private static final long PRIME_3 = 0x165667B19E3779F9L;
  private static final long PRIME_4 = 0x85EBCA77C2B2AE63L;
  private static final long PRIME_5 = 0x27D4EB2F165667C5L;
  private static final long PRIME_1_PLUS_2 = 0x60EA27EEADC0B5D6L; // wraps around
  private static final int STRIPE_BYTES = 32;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private XxHash64() {}

  /** The hash of bytes {@code [start, start + length)}. */
  static long hash(byte[] bytes, int start, int length) {
    int at = start;
    int end = start + length;
    long hash = PRIME_5;
    if (length >= STRIPE_BYTES) {
      long[] lanes = {PRIME_1_PLUS_2, PRIME_2, 0, -PRIME_1};
      for (; at <= end - STRIPE_BYTES; at += STRIPE_BYTES) {
        for (int lane = 0; lane < lanes.length; lane++) {
          lanes[lane] = round(lanes[lane], (long) LONGS.get(bytes, at + Long.BYTES * lane));
        }
      }
      hash =
          Long.rotateLeft(lanes[0], 1)
              + Long.rotateLeft(lanes[1], 7)
              + Long.rotateLeft(lanes[2], 12)
              + Long.rotateLeft(lanes[3], 18);
      for (long lane : lanes) {
        hash = (hash ^ round(0, lane)) * PRIME_1 + PRIME_4;
      }
    }
    hash += length;
    for (; at <= end - Long.BYTES; at += Long.BYTES) {
      hash ^= round(0, (long) LONGS.get(bytes, at));
      hash = Long.rotateLeft(hash, 27) * PRIME_1 + PRIME_4;
    }
    if (at <= end - Integer.BYTES) {
      hash ^= ((int) INTS.get(bytes, at) & 0xFFFF_FFFFL) * PRIME_1;
      hash = Long.rotateLeft(hash, 23) * PRIME_2 + PRIME_3;
      at += Integer.BYTES;
    }
    for (; at < end; at++) {
      hash ^= (bytes[at] & 0xFF) * PRIME_5;
      hash = Long.rotateLeft(hash, 11) * PRIME_1;
    }
    hash = (hash ^ (hash >>> 33)) * PRIME_2;
    hash = (hash ^ (hash >>> 29)) * PRIME_3;
    return hash ^ (hash >>> 32);
  }

  private static long round(long lane, long input) {
    return Long.rotateLeft(lane + input * PRIME_2, 31) * PRIME_1;
  }
}
