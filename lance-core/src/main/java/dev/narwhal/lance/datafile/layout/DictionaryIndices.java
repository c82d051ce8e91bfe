package dev.narwhal.lance.datafile.layout;

import dev.narwhal.lance.datafile.page.Bits;
import dev.narwhal.lance.datafile.page.FixedValues;
import dev.narwhal.lance.datafile.page.Scratch;
import dev.narwhal.lance.error.LanceFormatException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Values that are indices into the dictionary of a page. Source: file format sheet 4.4. */
final class DictionaryIndices {
  private DictionaryIndices() {}

  /**
   * The indices as ints in scratch memory; -1 for null slots whose index is not in the dictionary.
   *
   * @param validity one bit per value; null when all are valid
   * @throws LanceFormatException if a valid slot's index is not in the dictionary
   */
  static int[] of(
      FixedValues values, @Nullable ByteBuffer validity, int dictionaryItems, Scratch scratch) {
    int[] indices = scratch.ints(values.count());
    widen(values, indices);
    checkIndices(indices, validity, values.count(), dictionaryItems);
    return indices;
  }

  /** Unsigned indices of any width; those past 2^31 become -1, which no dictionary has. */
  private static void widen(FixedValues values, int[] indices) {
    ByteBuffer bytes = values.bytes();
    int count = values.count();
    switch (values.widthBytes()) {
      case 1 -> {
        for (int i = 0; i < count; i++) {
          indices[i] = bytes.get(i) & 0xFF;
        }
      }
      case 2 -> {
        for (int i = 0; i < count; i++) {
          indices[i] = bytes.getShort(2 * i) & 0xFFFF;
        }
      }
      case 4 -> bytes.asIntBuffer().get(indices, 0, count);
      default -> {
        for (int i = 0; i < count; i++) {
          long index = bytes.getLong(8 * i);
          indices[i] = (int) index == index ? (int) index : -1;
        }
      }
    }
  }

  /** Null slots may have any index: those that are not in the dictionary become -1. */
  private static void checkIndices(
      int[] indices, @Nullable ByteBuffer validity, int count, int dictionaryItems) {
    for (int i = 0; i < count; i++) {
      if (Integer.compareUnsigned(indices[i], dictionaryItems) >= 0) {
        if (validity == null || Bits.get(validity, i)) {
          throw new LanceFormatException(
              "index "
                  + Integer.toUnsignedString(indices[i])
                  + " of value "
                  + i
                  + " in a dictionary of "
                  + dictionaryItems);
        }
        indices[i] = -1;
      }
    }
  }
}
