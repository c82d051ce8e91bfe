package dev.narwhal.lance.datafile.write;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;

/**
 * The distinct values of a page, and for each slot the index of its value. Made for values of which
 * few are distinct: it gives up as soon as there are too many. Source: file format sheet 5.12.
 */
final class ValueDictionary {
  private static final int LEAST_VALUES = 100;
  private static final int MOST_ITEMS = 100_000;

  /** Slots that are looked at first, when there are far more. */
  private static final int SAMPLE = 4096;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final FixedLeaf indices;
  private final LeafValues items;

  private ValueDictionary(FixedLeaf indices, LeafValues items) {
    this.indices = indices;
    this.items = items;
  }

  /** 32-bit indices, one for each slot; those of nulls repeat the one before. */
  FixedLeaf indices() {
    return indices;
  }

  LeafValues items() {
    return items;
  }

  /**
   * Makes a dictionary if it takes less room than the values.
   *
   * @param withLongs whether values of 8 bytes may have one
   */
  static Optional<ValueDictionary> of(PageLevels levels, LeafValues values, boolean withLongs) {
    if (values.count() < LEAST_VALUES) {
      return Optional.empty();
    }
    if (values instanceof VariableLeaf strings) {
      VariableLeaf items = new VariableLeaf(strings.offsetBits(), strings.isText());
      return new Builder(strings.bytes(), levels)
          .build(strings.offsets(), strings.count(), items, strings.sizeBytes());
    }
    if (values instanceof FixedLeaf fixed
        && (fixed.width() == 16 || (withLongs && fixed.width() == 8))) {
      int[] offsets = new int[fixed.count() + 1];
      for (int i = 0; i < offsets.length; i++) {
        offsets[i] = i * fixed.width();
      }
      return new Builder(fixed.bytes().array(), levels)
          .build(offsets, fixed.count(), new FixedLeaf(fixed.width()), packedBytes(fixed));
    }
    return Optional.empty();
  }

  /** What values of one width take when they are packed, which is what a dictionary has to beat. */
  private static long packedBytes(FixedLeaf fixed) {
    if (fixed.width() != Long.BYTES) {
      return fixed.sizeBytes();
    }
    long any = 0;
    for (int i = 0; i < fixed.count(); i++) {
      any |= fixed.bytes().longAt(i * Long.BYTES);
    }
    return (long) fixed.count() * (Long.SIZE - Long.numberOfLeadingZeros(any)) / 8;
  }

  /** An open-addressing hash table of items; 0 is a free slot, else it is an item's index + 1. */
  private static final class Builder {
    private final byte[] bytes;
    private final PageLevels levels;
    private int[] table = new int[1 << 10];
    private int[] itemStarts = new int[256];
    private int[] itemSizes = new int[256];
    private int items;

    Builder(byte[] bytes, PageLevels levels) {
      this.bytes = bytes;
      this.levels = levels;
    }

    Optional<ValueDictionary> build(int[] offsets, int count, LeafValues target, long plainBytes) {
      int most = Math.min(count / 2, MOST_ITEMS);
      if (count >= 4 * SAMPLE && new Builder(bytes, levels).isHopeless(offsets, count, most)) {
        return Optional.empty();
      }
      byte[] indices = new byte[Math.multiplyExact(count, Integer.BYTES)];
      long itemBytes = 0;
      int slot = 0;
      int index = 0;
      for (int i = 0; i < levels.count(); i++) {
        if (levels.isValid(i)) {
          int before = items;
          index = index(offsets[slot], offsets[slot + 1] - offsets[slot]);
          if (items > before) {
            itemBytes += offsets[slot + 1] - offsets[slot] + Integer.BYTES;
            if (items > most || itemBytes > plainBytes / 2) {
              return Optional.empty();
            }
          }
        }
        if (levels.isVisible(i)) {
          int at = slot * Integer.BYTES;
          indices[at] = (byte) index;
          indices[at + 1] = (byte) (index >>> 8);
          indices[at + 2] = (byte) (index >>> 16);
          indices[at + 3] = (byte) (index >>> 24);
          slot++;
        }
      }
      int bits = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, items - 1));
      if (itemBytes + (long) count * bits / 8 > plainBytes * 8 / 10) {
        return Optional.empty();
      }
      for (int i = 0; i < items; i++) {
        if (target instanceof VariableLeaf strings) {
          strings.append(bytes, itemStarts[i], itemSizes[i]);
        } else {
          ((FixedLeaf) target).append(bytes, itemStarts[i]);
        }
      }
      FixedLeaf wrapped = new FixedLeaf(Integer.BYTES);
      wrapped.bytes().put(indices, 0, indices.length);
      return Optional.of(new ValueDictionary(wrapped, target));
    }

    /**
     * Whether a sample says that far more than {@code most} values are distinct. Of {@code s} slots
     * about {@code s * s / 2d} repeat another one when {@code d} values are equally frequent, and
     * more when they are not; half of what {@code most} values would give is clear enough.
     */
    private boolean isHopeless(int[] offsets, int count, int most) {
      for (int i = 0; i < SAMPLE; i++) {
        // somewhere in each of equal stretches, lest the places follow a period in the data
        long from = (long) count * i / SAMPLE;
        long size = (long) count * (i + 1) / SAMPLE - from;
        int slot = (int) (from + (((mix(mix(i + 1)) >>> 32) * size) >>> 32));
        index(offsets[slot], offsets[slot + 1] - offsets[slot]);
      }
      int repeated = SAMPLE - items;
      return repeated < (long) SAMPLE * SAMPLE / (4L * most);
    }

    private int index(int start, int size) {
      int mask = table.length - 1;
      int at = hash(start, size) & mask;
      while (table[at] != 0) {
        int item = table[at] - 1;
        if (itemSizes[item] == size && equal(itemStarts[item], start, size)) {
          return item;
        }
        at = (at + 1) & mask;
      }
      if (items == itemStarts.length) {
        itemStarts = Arrays.copyOf(itemStarts, 2 * items);
        itemSizes = Arrays.copyOf(itemSizes, 2 * items);
      }
      itemStarts[items] = start;
      itemSizes[items] = size;
      table[at] = ++items;
      if (2 * items > table.length) {
        grow();
      }
      return items - 1;
    }

    private void grow() {
      table = new int[2 * table.length];
      int mask = table.length - 1;
      for (int item = 0; item < items; item++) {
        int at = hash(itemStarts[item], itemSizes[item]) & mask;
        while (table[at] != 0) {
          at = (at + 1) & mask;
        }
        table[at] = item + 1;
      }
    }

    private boolean equal(int a, int b, int size) {
      return Arrays.equals(bytes, a, a + size, bytes, b, b + size);
    }

    private int hash(int start, int size) {
      long hash = size * 0x9E3779B97F4A7C15L;
      int at = start;
      int end = start + size;
      for (; at + Long.BYTES <= end; at += Long.BYTES) {
        hash = mix(hash ^ (long) LONG.get(bytes, at));
      }
      long rest = 0;
      for (; at < end; at++) {
        rest = (rest << 8) | (bytes[at] & 0xFF);
      }
      hash = mix(hash ^ rest);
      return (int) (hash ^ (hash >>> 32));
    }

    private static long mix(long value) {
      long mixed = value * 0xD6E8FEB86659FD93L;
      return mixed ^ (mixed >>> 32);
    }
  }
}
