package dev.narwhal.lance.datafile.layout;

import dev.narwhal.lance.datafile.page.Bits;
import dev.narwhal.lance.datafile.page.Scratch;
import dev.narwhal.lance.datafile.page.Values;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Some levels of a page, cut into rows, and which of them have values. All of it is in scratch
 * memory. One thread.
 */
final class DecodedLevels {
  private final LevelMeaning meaning;
  private final short[] repetition;
  private final short[] definition;
  private final int count;

  /** Which values are not null; null when none is. */
  private final @Nullable ByteBuffer validity;

  /** First level of each row, then the number of levels; null when every level is a row. */
  private final int @Nullable [] levelStarts;

  /** First value of each row, then the number of values; null when every level is a row. */
  private final int @Nullable [] valueStarts;

  private int values;
  private int rows;

  /**
   * @param repetition none above the page's maximum; all 0 when there are none
   * @param definition none above the page's maximum; all 0 when there are none
   */
  DecodedLevels(
      LevelMeaning meaning, short[] repetition, short[] definition, int count, Scratch scratch) {
    this.meaning = meaning;
    this.repetition = repetition;
    this.definition = definition;
    this.count = count;
    this.validity = meaning.maxVisible() == 0 ? null : validity(scratch);
    if (meaning.maxRepetition() == 0) {
      this.levelStarts = null;
      this.valueStarts = null;
      this.values = count;
      this.rows = count;
    } else {
      int[] levels = scratch.ints(count + 1);
      int[] firsts = scratch.ints(count + 1);
      this.levelStarts = levels;
      this.valueStarts = firsts;
      cut(levels, firsts);
    }
  }

  /** Levels of zero, for streams that are not there. */
  static short[] zeros(int count, Scratch scratch) {
    short[] zeros = scratch.shorts(count);
    Arrays.fill(zeros, 0, count, (short) 0);
    return zeros;
  }

  int levels() {
    return count;
  }

  /** Levels that have a value, null or not. */
  int values() {
    return values;
  }

  /** Rows, the rest of an earlier one included. */
  int rows() {
    return rows;
  }

  /** Whether the first level does not start a row. */
  boolean startsInside() {
    return count > 0 && repetition[0] != meaning.maxRepetition();
  }

  /** One bit for each value, LSB first; null when none is null. */
  @Nullable ByteBuffer validity() {
    return validity;
  }

  /** Of the values only, their definition levels, in scratch memory. */
  short[] valueLevels(Scratch scratch) {
    if (valueStarts == null) {
      return definition;
    }
    short[] levels = scratch.shorts(values);
    int max = meaning.maxVisible();
    int at = 0;
    for (int i = 0; i < count; i++) {
      if (definition[i] <= max) {
        levels[at++] = definition[i];
      }
    }
    return levels;
  }

  /**
   * Appends rows, counted from the first one here.
   *
   * @param decoded one value for each that levels have, or a dictionary
   * @param indices of each value in the dictionary, if it is one
   */
  void append(int firstRow, int endRow, Values decoded, int @Nullable [] indices, LeafBuilder out) {
    out.levels(meaning, repetition, definition, level(firstRow), level(endRow));
    out.values(decoded, validity, indices, value(firstRow), value(endRow));
  }

  /** Appends all rows, with one value, or null, for each that levels have. */
  void appendRepeated(@Nullable Values value, LeafBuilder out) {
    out.levels(meaning, repetition, definition, 0, count);
    out.repeated(value, validity, values);
  }

  private int level(int row) {
    return levelStarts == null ? row : levelStarts[row];
  }

  private int value(int row) {
    return valueStarts == null ? row : valueStarts[row];
  }

  private void cut(int[] levels, int[] firsts) {
    int maxRepetition = meaning.maxRepetition();
    int maxVisible = meaning.maxVisible();
    int row = 0;
    int value = 0;
    for (int i = 0; i < count; i++) {
      if (repetition[i] == maxRepetition || i == 0) {
        levels[row] = i;
        firsts[row] = value;
        row++;
      }
      if (definition[i] <= maxVisible) {
        value++;
      }
    }
    levels[row] = count;
    firsts[row] = value;
    rows = row;
    values = value;
  }

  private ByteBuffer validity(Scratch scratch) {
    ByteBuffer bits = scratch.bytes(Bits.bytes(count) + Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    int max = meaning.maxVisible();
    long word = 0;
    int filled = 0;
    int at = 0;
    for (int i = 0; i < count; i++) {
      int level = definition[i];
      if (level <= max) {
        // 1 iff the level is 0
        word |= (level - 1L) >>> 63 << filled;
        if (++filled == Long.SIZE) {
          bits.putLong(at, word);
          at += Long.BYTES;
          word = 0;
          filled = 0;
        }
      }
    }
    bits.putLong(at, word);
    return bits;
  }
}
