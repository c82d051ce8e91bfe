package dev.narwhal.lance.write;

import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.fragment.RowAddress;
import java.io.IOException;
import java.io.Serializable;
import java.util.List;
import java.util.Map;

/**
 * Which rows a delete is about: those that a predicate is true for, or rows named one by one, by
 * address, by row id, or by offset within a fragment. Addresses and offsets mean rows of one
 * version only; a predicate and stable row ids are looked for anew on each version that a delete is
 * tried on. Immutable, serialisable.
 */
public abstract sealed class RowSelection implements Serializable permits NamedRows, PredicateRows {
  private static final long serialVersionUID = 1L;

  RowSelection() {}

  /** The live rows for which an SQL expression is true; it is parsed when rows are looked for. */
  public static RowSelection where(String predicate) {
    return new PredicateRows(predicate);
  }

  /**
   * Rows by address: the fragment's id in the upper 32 bits, the offset in the lower.
   *
   * @throws IllegalArgumentException when one is named twice
   */
  public static RowSelection addresses(long... addresses) {
    return NamedRows.of(false, addresses, "row address");
  }

  /**
   * Rows by {@code _rowid}, which is the address on tables without stable row ids.
   *
   * @throws IllegalArgumentException when one is named twice
   */
  public static RowSelection rowIds(long... ids) {
    return NamedRows.of(true, ids, "row id");
  }

  /**
   * Rows by their place in each fragment, deleted rows counted.
   *
   * @param offsets by fragment id
   * @throws IllegalArgumentException when an id or offset is not in {@code [0, 2^32)}, or named
   *     twice
   */
  public static RowSelection offsets(Map<Long, long[]> offsets) {
    int count = 0;
    for (long[] ofFragment : offsets.values()) {
      count = Math.addExact(count, ofFragment.length);
    }
    long[] addresses = new long[count];
    int at = 0;
    for (Map.Entry<Long, long[]> entry : offsets.entrySet()) {
      for (long offset : entry.getValue()) {
        addresses[at++] = RowAddress.of(entry.getKey(), offset);
      }
    }
    return addresses(addresses);
  }

  /**
   * Live rows by fragment; fragments without any are left out.
   *
   * @param fragments of the version, where to look
   * @throws IllegalArgumentException when the version cannot have such rows
   */
  abstract List<MatchedRows> find(WriteContext context, List<Fragment> fragments)
      throws IOException;

  /**
   * Live rows of a version by fragment; fragments without any are left out.
   *
   * @param named the version that names of rows are of, unless they hold for newer ones: the same
   *     or an older one, since which no row has moved
   * @throws IllegalArgumentException when that version cannot have such rows
   */
  List<MatchedRows> find(WriteContext context, WriteContext named) throws IOException {
    return find(context, context.manifest().fragments());
  }

  /** Whether all rows of the version are meant, so that nothing needs to be read. */
  abstract boolean isEverything(WriteContext context);

  /** Whether the same rows are meant on versions newer than this one. */
  abstract boolean holdsForNewerVersions(WriteContext context);

  /** What goes into the transaction as the predicate. */
  abstract String text();
}
