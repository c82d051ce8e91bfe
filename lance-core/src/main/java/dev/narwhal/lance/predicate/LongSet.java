package dev.narwhal.lance.predicate;

/** An immutable set of longs: a hash table of at most half its slots. */
final class LongSet {
  private final long[] slots;
  private final boolean zero;
  private final int shift;

  LongSet(long[] values) {
    int bits = Math.max(3, 65 - Long.numberOfLeadingZeros(values.length));
    slots = new long[1 << bits];
    shift = 64 - bits;
    boolean anyZero = false;
    for (long value : values) {
      anyZero |= value == 0;
      int slot = slot(value);
      while (slots[slot] != 0 && slots[slot] != value) {
        slot = (slot + 1) & (slots.length - 1);
      }
      slots[slot] = value;
    }
    zero = anyZero;
  }

  private int slot(long value) {
    return (int) ((value * 0x9E3779B97F4A7C15L) >>> shift);
  }

  boolean contains(long value) {
    if (value == 0) {
      return zero;
    }
    int slot = slot(value);
    while (slots[slot] != 0) {
      if (slots[slot] == value) {
        return true;
      }
      slot = (slot + 1) & (slots.length - 1);
    }
    return false;
  }
}
