package dev.narwhal.lance.datafile.write;

import java.util.Arrays;

/**
 * Levels of a page in the making. Definition levels are gathered as codes: for every layer, leaf
 * first, as many as it could have (one for items, two for lists). When the page is full it is known
 * which of them occur; {@link PageLevels} numbers those anew.
 *
 * <p>Definition codes are kept from the first on that is not 0. One thread.
 */
final class LevelBuffer {
  private final boolean lists;
  private final int[] counts;
  private short[] repetition = new short[0];
  private short[] definition = new short[0];
  private boolean defined;
  private int size;

  /**
   * @param lists whether the path has lists, and so repetition levels
   * @param codes number of definition codes, 0 included
   */
  LevelBuffer(boolean lists, int codes) {
    this.lists = lists;
    this.counts = new int[codes];
  }

  int size() {
    return size;
  }

  /** How often a code occurs. */
  int count(int code) {
    return counts[code];
  }

  /** Bytes that levels take in memory. */
  long sizeBytes() {
    return (long) size * ((lists ? Short.BYTES : 0) + (defined ? Short.BYTES : 0));
  }

  void clear() {
    size = 0;
    defined = false;
    Arrays.fill(counts, 0);
  }

  /** Gives all levels away, and is empty after that. */
  LevelBuffer take() {
    LevelBuffer taken = new LevelBuffer(lists, counts.length);
    taken.repetition = repetition;
    taken.definition = definition;
    taken.defined = defined;
    taken.size = size;
    System.arraycopy(counts, 0, taken.counts, 0, counts.length);
    repetition = new short[0];
    definition = new short[0];
    clear();
    return taken;
  }

  /** Appends one level. */
  void add(int repetitionLevel, int code) {
    if (code != 0 && !defined) {
      define();
    }
    reserve(1);
    if (lists) {
      repetition[size] = (short) repetitionLevel;
    }
    if (defined) {
      definition[size] = (short) code;
    }
    counts[code]++;
    size++;
  }

  /** Appends levels of values that are not null; all but the first continue the innermost list. */
  void addValid(int repetitionLevel, int count) {
    reserve(count);
    repeat(repetitionLevel, count);
    if (defined) {
      Arrays.fill(definition, size, size + count, (short) 0);
    }
    counts[0] += count;
    size += count;
  }

  /**
   * Appends levels of values that may be null, which is code 1.
   *
   * @param validity bits {@code [from, to)} of it, 1 = valid
   */
  void addNullable(int repetitionLevel, byte[] validity, int from, int to) {
    int count = to - from;
    if (!defined) {
      define();
    }
    reserve(count);
    repeat(repetitionLevel, count);
    int nulls = 0;
    for (int i = 0; i < count; i++) {
      int bit = validity[(from + i) >>> 3] >>> ((from + i) & 7) & 1;
      definition[size + i] = (short) (1 - bit);
      nulls += 1 - bit;
    }
    counts[0] += count - nulls;
    counts[1] += nulls;
    size += count;
  }

  /** The repetition levels, in the first {@link #size} elements; none without lists. */
  short[] repetition() {
    return repetition;
  }

  /** The definition code of a level. */
  int code(int index) {
    return defined ? definition[index] : 0;
  }

  private void repeat(int repetitionLevel, int count) {
    if (lists && count > 0) {
      repetition[size] = (short) repetitionLevel;
      Arrays.fill(repetition, size + 1, size + count, (short) 0);
    }
  }

  private void define() {
    if (definition.length < size) {
      definition = new short[grown(size)];
    } else {
      Arrays.fill(definition, 0, size, (short) 0);
    }
    defined = true;
  }

  private void reserve(int count) {
    int needed = Math.addExact(size, count);
    if (lists && needed > repetition.length) {
      repetition = Arrays.copyOf(repetition, grown(needed));
    }
    if (defined && needed > definition.length) {
      definition = Arrays.copyOf(definition, grown(needed));
    }
  }

  private static int grown(int needed) {
    return Math.max(1024, needed + (needed >>> 1));
  }
}
