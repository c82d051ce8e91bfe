package dev.narwhal.lance.rowid;

/**
 * Ranges of unsigned 64-bit ids, in the order of their first ids, which may overlap. The ranges
 * that hold an id are found in O(log n) each: above the ranges lies a tree of the greatest last ids
 * of every eight, so that a long range far to the left costs no walk over the short ones between.
 * Immutable.
 */
final class IdRanges {
  private static final int FANOUT_SHIFT = 3;
  private static final int LAST_CHILD = (1 << FANOUT_SHIFT) - 1;

  private final long[] firsts;

  /** The last ids, then their maxima by eight, and so on; the top has one. */
  private final long[][] lasts;

  /**
   * Takes the arrays over.
   *
   * @param firsts ascending
   * @param lastIds included; each at least its first
   */
  IdRanges(long[] firsts, long[] lastIds) {
    this.firsts = firsts;
    int levels = 1;
    for (int size = lastIds.length; size > 1; size = parents(size)) {
      levels++;
    }
    lasts = new long[levels][];
    lasts[0] = lastIds;
    for (int level = 1; level < levels; level++) {
      lasts[level] = maxima(lasts[level - 1]);
    }
  }

  /** The last range that begins at or before an id, -1 when there is none: it may end before. */
  int lastBeginningBy(long id) {
    int low = 0;
    int high = firsts.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Long.compareUnsigned(firsts[middle], id) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }

  /** The greatest index up to {@code from} whose range does not end before an id; -1 for none. */
  int lastReaching(long id, int from) {
    int level = 0;
    int node = from;
    while (node >= 0) {
      if (Long.compareUnsigned(lasts[level][node], id) >= 0) {
        if (level == 0) {
          return node;
        }
        level--;
        node = Math.min((node << FANOUT_SHIFT) + LAST_CHILD, lasts[level].length - 1);
      } else if ((node & LAST_CHILD) == 0 && level + 1 < lasts.length) {
        node = (node >>> FANOUT_SHIFT) - 1;
        level++;
      } else {
        node--;
      }
    }
    return -1;
  }

  private static int parents(int size) {
    return (size + LAST_CHILD) >>> FANOUT_SHIFT;
  }

  private static long[] maxima(long[] below) {
    long[] maxima = new long[parents(below.length)];
    for (int i = 0; i < below.length; i++) {
      int parent = i >>> FANOUT_SHIFT;
      if (Long.compareUnsigned(below[i], maxima[parent]) > 0) {
        maxima[parent] = below[i];
      }
    }
    return maxima;
  }
}
