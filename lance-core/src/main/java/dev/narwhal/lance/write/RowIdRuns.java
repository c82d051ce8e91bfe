package dev.narwhal.lance.write;

import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.rowid.RowIdSequenceCodec;
import dev.narwhal.lance.rowid.StoredSequence;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Stable ids of rows that keep theirs, in the order in which the rows are written, until it is
 * known which fragments they are in. Ids in a row take no more memory than one. One thread.
 */
public final class RowIdRuns {
  private static final int FIRST_CAPACITY = 16;

  private long[] starts = new long[FIRST_CAPACITY];
  private int[] lengths = new int[FIRST_CAPACITY];
  private int runs;
  private long size;

  /** Appends an id, u64. */
  public void add(long id) {
    size++;
    boolean continues =
        runs > 0
            && id == starts[runs - 1] + lengths[runs - 1]
            && lengths[runs - 1] < Integer.MAX_VALUE;
    if (continues) {
      lengths[runs - 1]++;
      return;
    }
    if (runs == starts.length) {
      starts = Arrays.copyOf(starts, 2 * runs);
      lengths = Arrays.copyOf(lengths, 2 * runs);
    }
    starts[runs] = id;
    lengths[runs] = 1;
    runs++;
  }

  /** Number of ids. */
  public long size() {
    return size;
  }

  /**
   * The fragments with the ids of their rows. Rows past the last id are new, and get theirs from
   * the commit.
   *
   * @param fragments with as many rows as there are ids, or more
   */
  public List<Fragment> dealtTo(List<Fragment> fragments) {
    List<Fragment> result = new ArrayList<>(fragments.size());
    long left = size;
    int run = 0;
    int used = 0;
    for (Fragment fragment : fragments) {
      long[] ids = new long[(int) Math.min(left, fragment.physicalRows().orElseThrow())];
      left -= ids.length;
      for (int at = 0; at < ids.length; ) {
        int count = Math.min(ids.length - at, lengths[run] - used);
        for (int i = 0; i < count; i++) {
          ids[at + i] = starts[run] + used + i;
        }
        at += count;
        used += count;
        if (used == lengths[run]) {
          run++;
          used = 0;
        }
      }
      result.add(
          ids.length == 0
              ? fragment
              : fragment.withRowIds(StoredSequence.Inline.of(RowIdSequenceCodec.encode(ids))));
    }
    return result;
  }
}
