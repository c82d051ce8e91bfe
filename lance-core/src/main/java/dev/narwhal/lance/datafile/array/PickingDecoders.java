package dev.narwhal.lance.datafile.array;

import dev.narwhal.lance.datafile.page.Bits;
import dev.narwhal.lance.datafile.page.FixedValues;
import dev.narwhal.lance.datafile.page.Scratch;
import dev.narwhal.lance.datafile.page.Values;
import dev.narwhal.lance.error.LanceFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Nodes that pick their values from a few that were decoded once. */
final class PickingDecoders {
  private PickingDecoders() {}

  /** Where a dictionary keeps nulls: what its indices mean. */
  enum Nulls {
    /** Index 0 is null, k is item k - 1: dictionaries that 2.0 makes of strings by itself. */
    AT_INDEX_0,
    /** Index k is item k, which may be null: columns of a dictionary type. */
    AMONG_ITEMS
  }

  /**
   * Indices into items. A page of nulls only has one item, which is null itself. Source: file
   * format sheet 2.5.
   *
   * @param indices unsigned, of 1, 2, 4 or 8 bytes, without nulls of its own
   */
  record Dictionary(ArrayDecoder indices, Decoded items, Nulls nulls) implements ArrayDecoder {
    @Override
    public Decoded decode(long first, int count, Scratch scratch) throws IOException {
      FixedValues stored = (FixedValues) indices.decode(first, count, scratch).values();
      ByteBuffer raw = stored.bytes();
      int[] picked = scratch.ints(count);
      int itemCount = items.values().count();
      int shift = nulls == Nulls.AT_INDEX_0 ? 1 : 0;
      ByteBuffer itemValidity = items.validity().orElse(null);
      boolean someNull = false;
      for (int i = 0; i < count; i++) {
        long index =
            switch (stored.widthBytes()) {
              case 1 -> raw.get(i) & 0xFF;
              case 2 -> raw.getChar(2 * i);
              case 4 -> raw.getInt(4 * i) & 0xFFFF_FFFFL;
              default -> raw.getLong(8 * i);
            };
        if (index < 0 || index >= (long) itemCount + shift) {
          throw outside(index, first + i, itemCount);
        }
        int item = (int) index - shift;
        boolean isNull = item < 0 || (itemValidity != null && !Bits.get(itemValidity, item));
        someNull |= isNull;
        picked[i] = isNull ? -1 : item;
      }
      Decoded decoded = Decoded.picked(items.values(), picked);
      return someNull ? decoded.withValidity(validity(picked, count, scratch), count) : decoded;
    }

    private static LanceFormatException outside(long index, long value, int itemCount) {
      return new LanceFormatException(
          "dictionary index "
              + Long.toUnsignedString(index)
              + " of value "
              + value
              + ", the dictionary has "
              + itemCount
              + " items");
    }

    @Override
    public long bitsPerValue() {
      return Integer.SIZE;
    }

    private static ByteBuffer validity(int[] picked, int count, Scratch scratch) {
      ByteBuffer bits = BinaryDecoders.allValid(count, scratch);
      for (int i = 0; i < count; i++) {
        if (picked[i] < 0) {
          bits.put(i >>> 3, (byte) (bits.get(i >>> 3) & ~(1 << (i & 7))));
        }
      }
      return bits;
    }
  }

  /** The same value for all rows. */
  record Constant(Values value) implements ArrayDecoder {
    @Override
    public Decoded decode(long first, int count, Scratch scratch) {
      int[] picked = scratch.ints(count);
      Arrays.fill(picked, 0, count, 0);
      return Decoded.picked(value, picked);
    }

    @Override
    public long bitsPerValue() {
      return Integer.SIZE;
    }
  }
}
