package dev.narwhal.lance.transaction;

import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.error.CommitConflict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.roaringbitmap.RoaringBitmap;

/**
 * The rows that a transaction removes from their places: row offsets by fragment, all of them alive
 * in the version it read. They are what lets a commit be rebased over another one that touched the
 * same fragments, and are never stored in a transaction. Immutable. Source: table format sheet 8.4.
 */
public final class AffectedRows {
  private static final AffectedRows NONE = new AffectedRows(new TreeMap<>());

  private final NavigableMap<Long, DeletionVector> rows;

  private AffectedRows(NavigableMap<Long, DeletionVector> rows) {
    this.rows = rows;
  }

  public static AffectedRows none() {
    return NONE;
  }

  /**
   * Rows by fragment id, in {@code [0, 2^32)}; fragments without a row are left out.
   *
   * @throws IllegalArgumentException when an id is out of range
   */
  public static AffectedRows of(Map<Long, DeletionVector> rows) {
    NavigableMap<Long, DeletionVector> copy = new TreeMap<>();
    rows.forEach(
        (fragment, offsets) -> {
          if (fragment < 0 || fragment > 0xFFFF_FFFFL) {
            throw new IllegalArgumentException(
                "fragment id must be in [0, 2^32): " + Long.toUnsignedString(fragment));
          }
          if (!offsets.isEmpty()) {
            copy.put(fragment, offsets);
          }
        });
    return new AffectedRows(copy);
  }

  /** Ids of the fragments with at least one row, ascending. */
  public List<Long> fragments() {
    return List.copyOf(rows.keySet());
  }

  /** The rows of a fragment; none when it has none. */
  public DeletionVector of(long fragmentId) {
    return rows.getOrDefault(fragmentId, DeletionVector.empty());
  }

  /** Number of rows. */
  public long cardinality() {
    long count = 0;
    for (DeletionVector offsets : rows.values()) {
      count += offsets.cardinality();
    }
    return count;
  }

  /** Rows of either. */
  public AffectedRows union(AffectedRows other) {
    NavigableMap<Long, DeletionVector> all = new TreeMap<>(rows);
    other.rows.forEach((fragment, offsets) -> all.merge(fragment, offsets, DeletionVector::union));
    return new AffectedRows(all);
  }

  /** Row addresses of up to {@link CommitConflict#MAX_ROWS} rows, for messages. */
  static List<Long> sample(long fragmentId, DeletionVector offsets) {
    RoaringBitmap bitmap = offsets.toRoaring();
    int count = (int) Math.min(CommitConflict.MAX_ROWS, offsets.cardinality());
    List<Long> addresses = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      addresses.add(fragmentId << 32 | Integer.toUnsignedLong(bitmap.select(i)));
    }
    return addresses;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof AffectedRows that && rows.equals(that.rows);
  }

  @Override
  public int hashCode() {
    return rows.hashCode();
  }

  @Override
  public String toString() {
    return cardinality() + " rows of fragments " + rows.keySet();
  }
}
