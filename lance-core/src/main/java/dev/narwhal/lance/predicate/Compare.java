package dev.narwhal.lance.predicate;

/** Comparisons of keys: loops of 64 rows without a branch, a word of the result each. */
final class Compare {
  private static final int BLOCK = 64;

  private Compare() {}

  /** Rows whose key compares so with a constant. Null rows may be among them. */
  static long[] withConstant(Keys left, ComparisonOperator operator, long right, int rows) {
    long[] words = new long[Bits.words(rows)];
    long[] a = new long[BLOCK];
    for (int first = 0; first < rows; first += BLOCK) {
      int count = Math.min(BLOCK, rows - first);
      left.load(first, count, a);
      words[first >>> 6] =
          switch (operator) {
            case EQ -> equal(a, right, count);
            case NE -> ~equal(a, right, count);
            case LT -> less(a, right, count);
            case GE -> ~less(a, right, count);
            case GT -> greater(a, right, count);
            case LE -> ~greater(a, right, count);
          };
    }
    Bits.clearTail(words, rows);
    return words;
  }

  private static long equal(long[] a, long b, int count) {
    long word = 0;
    for (int i = 0; i < count; i++) {
      word |= (a[i] == b ? 1L : 0L) << i;
    }
    return word;
  }

  private static long less(long[] a, long b, int count) {
    long word = 0;
    for (int i = 0; i < count; i++) {
      word |= (a[i] < b ? 1L : 0L) << i;
    }
    return word;
  }

  private static long greater(long[] a, long b, int count) {
    long word = 0;
    for (int i = 0; i < count; i++) {
      word |= (a[i] > b ? 1L : 0L) << i;
    }
    return word;
  }

  /** Rows whose keys compare so with each other. Null rows may be among them. */
  static long[] ofRows(Keys left, ComparisonOperator operator, Keys right, int rows) {
    long[] words = new long[Bits.words(rows)];
    long[] a = new long[BLOCK];
    long[] b = new long[BLOCK];
    for (int first = 0; first < rows; first += BLOCK) {
      int count = Math.min(BLOCK, rows - first);
      left.load(first, count, a);
      right.load(first, count, b);
      words[first >>> 6] =
          switch (operator) {
            case EQ -> equal(a, b, count);
            case NE -> ~equal(a, b, count);
            case LT -> less(a, b, count);
            case GE -> ~less(a, b, count);
            case GT -> less(b, a, count);
            case LE -> ~less(b, a, count);
          };
    }
    Bits.clearTail(words, rows);
    return words;
  }

  private static long equal(long[] a, long[] b, int count) {
    long word = 0;
    for (int i = 0; i < count; i++) {
      word |= (a[i] == b[i] ? 1L : 0L) << i;
    }
    return word;
  }

  private static long less(long[] a, long[] b, int count) {
    long word = 0;
    for (int i = 0; i < count; i++) {
      word |= (a[i] < b[i] ? 1L : 0L) << i;
    }
    return word;
  }

  /** Rows whose key is in a set. */
  static long[] inSet(Keys keys, LongSet set, int rows) {
    long[] words = new long[Bits.words(rows)];
    long[] a = new long[BLOCK];
    for (int first = 0; first < rows; first += BLOCK) {
      int count = Math.min(BLOCK, rows - first);
      keys.load(first, count, a);
      long word = 0;
      for (int i = 0; i < count; i++) {
        word |= (set.contains(a[i]) ? 1L : 0L) << i;
      }
      words[first >>> 6] = word;
    }
    return words;
  }

  /** Whether the sign of a three-way comparison fits an operator. */
  static boolean holds(ComparisonOperator operator, int sign) {
    return switch (operator) {
      case EQ -> sign == 0;
      case NE -> sign != 0;
      case LT -> sign < 0;
      case LE -> sign <= 0;
      case GT -> sign > 0;
      case GE -> sign >= 0;
    };
  }
}
