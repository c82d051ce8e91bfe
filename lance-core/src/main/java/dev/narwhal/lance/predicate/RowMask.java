package dev.narwhal.lance.predicate;

import java.util.Arrays;
import java.util.Objects;

/**
 * A mutable set of rows of one batch: bit {@code i & 63} of word {@code i >>> 6} is row {@code i}.
 * Bits at and past {@link #rows()} are always clear. Not safe for use by several threads.
 */
public final class RowMask {
  private final int rows;
  private final long[] words;

  /** No row out of {@code rows}. */
  public RowMask(int rows) {
    this(rows, new long[Bits.words(rows)]);
  }

  /** Takes ownership of {@code words}; clears the bits past {@code rows}. */
  RowMask(int rows, long[] words) {
    this.rows = rows;
    this.words = words;
    Bits.clearTail(words, rows);
  }

  /** Every one of {@code rows} rows. */
  public static RowMask all(int rows) {
    return new RowMask(rows, Bits.ones(rows));
  }

  public int rows() {
    return rows;
  }

  /** The words themselves, not a copy; whoever sets bits keeps those past {@link #rows()} clear. */
  public long[] words() {
    return words;
  }

  public int cardinality() {
    return Bits.cardinality(words);
  }

  public boolean isEmpty() {
    return Bits.isEmpty(words);
  }

  public boolean get(int row) {
    Objects.checkIndex(row, rows);
    return Bits.get(words, row);
  }

  public void set(int row) {
    Objects.checkIndex(row, rows);
    Bits.set(words, row);
  }

  public void clear(int row) {
    Objects.checkIndex(row, rows);
    words[row >>> 6] &= ~(1L << row);
  }

  /** Keeps the rows that {@code other}, of the same length, has too. */
  public void and(RowMask other) {
    if (other.rows != rows) {
      throw new IllegalArgumentException("a mask of " + other.rows + " rows, expected " + rows);
    }
    for (int w = 0; w < words.length; w++) {
      words[w] &= other.words[w];
    }
  }

  /**
   * Removes the rows whose bit is set.
   *
   * @param others at least as many words as {@link #words()}; bits past {@link #rows()} do not
   *     matter
   */
  public void andNot(long[] others) {
    if (others.length < words.length) {
      throw new IllegalArgumentException(
          others.length + " words, expected at least " + words.length);
    }
    for (int w = 0; w < words.length; w++) {
      words[w] &= ~others[w];
    }
  }

  /** The rows of the set, ascending. */
  public int[] toOffsets() {
    int[] offsets = new int[cardinality()];
    int n = 0;
    for (int w = 0; w < words.length; w++) {
      for (long word = words[w]; word != 0; word &= word - 1) {
        offsets[n++] = (w << 6) + Long.numberOfTrailingZeros(word);
      }
    }
    return offsets;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof RowMask other && rows == other.rows && Arrays.equals(words, other.words);
  }

  @Override
  public int hashCode() {
    return 31 * rows + Arrays.hashCode(words);
  }

  @Override
  public String toString() {
    return cardinality() + " of " + rows + " rows";
  }
}
