package dev.narwhal.lance.predicate;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An immutable set of byte strings, hashed byte-wise. */
final class ByteSet {
  private final byte[] @Nullable [] slots;
  private final int mask;

  ByteSet(List<byte[]> values) {
    int size = Integer.highestOneBit(Math.max(4, values.size())) << 2;
    slots = new byte[size][];
    mask = size - 1;
    for (byte[] value : values) {
      int slot = hash(value, 0, value.length) & mask;
      byte[] taken = slots[slot];
      while (taken != null && !Arrays.equals(taken, value)) {
        slot = (slot + 1) & mask;
        taken = slots[slot];
      }
      slots[slot] = value.clone();
    }
  }

  boolean contains(byte[] data, int start, int end) {
    int slot = hash(data, start, end) & mask;
    for (byte[] value = slots[slot]; value != null; value = slots[slot]) {
      if (value.length == end - start && Arrays.equals(value, 0, value.length, data, start, end)) {
        return true;
      }
      slot = (slot + 1) & mask;
    }
    return false;
  }

  private static int hash(byte[] data, int start, int end) {
    int hash = 1;
    for (int i = start; i < end; i++) {
      hash = 31 * hash + data[i];
    }
    hash *= 0x9E3779B9;
    return hash ^ (hash >>> 15);
  }
}
