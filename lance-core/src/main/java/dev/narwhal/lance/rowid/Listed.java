package dev.narwhal.lance.rowid;

import org.jspecify.annotations.Nullable;

/**
 * Ids one by one, the fourth and the fifth encoding. Whether they ascend is told by the numbers,
 * not by the encoding: an array that only claims to be sorted loses no id. A list that does not
 * ascend is put in order once, when something is first looked for in it.
 */
final class Listed implements U64Segment {
  private final EncodedU64Array ids;
  private volatile @Nullable Search search;

  Listed(EncodedU64Array ids) {
    this.ids = ids;
  }

  @Override
  public long length() {
    return ids.size();
  }

  @Override
  public void copyTo(long from, int count, long[] out, int at) {
    int first = (int) from;
    for (int i = 0; i < count; i++) {
      out[at + i] = ids.get(first + i);
    }
  }

  @Override
  public long first() {
    return search().id(0);
  }

  @Override
  public long last() {
    return search().id(ids.size() - 1);
  }

  @Override
  public long find(long id, long from) {
    return search().find(id, from);
  }

  private Search search() {
    Search known = search;
    if (known == null) {
      known = new Search(ids);
      search = known;
    }
    return known;
  }

  /** The ids in ascending order, equal ones by position. */
  private static final class Search {
    private final EncodedU64Array ids;

    /** Positions; empty when the ids ascend as they are. */
    private final int[] order;

    Search(EncodedU64Array ids) {
      this.ids = ids;
      if (ids.isAscending()) {
        order = new int[0];
        return;
      }
      long[] keys = new long[ids.size()];
      for (int i = 0; i < keys.length; i++) {
        keys[i] = ids.get(i);
      }
      order = UnsignedOrder.of(keys);
    }

    private int position(int rank) {
      return order.length == 0 ? rank : order[rank];
    }

    long id(int rank) {
      return ids.get(position(rank));
    }

    long find(long id, long from) {
      int low = 0;
      int high = ids.size();
      while (low < high) {
        int middle = (low + high) >>> 1;
        int compared = Long.compareUnsigned(id(middle), id);
        if (compared < 0 || (compared == 0 && position(middle) < from)) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low < ids.size() && id(low) == id ? position(low) : -1;
    }
  }
}
