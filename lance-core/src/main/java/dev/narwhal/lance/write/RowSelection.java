package dev.narwhal.lance.write;

import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.fragment.RowAddress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.roaringbitmap.RoaringBitmap;

/**
 * Rows named one by one: by address, by row id, or by offset within a fragment. Addresses and
 * offsets mean rows of one version only; stable row ids mean the same rows in every version.
 * Immutable.
 */
public final class RowSelection {
  private final boolean byId;

  /** Sorted as unsigned, each once. */
  private final long[] values;

  private RowSelection(boolean byId, long[] values) {
    this.byId = byId;
    this.values = values;
  }

  /**
   * Rows by address: the fragment's id in the upper 32 bits, the offset in the lower.
   *
   * @throws IllegalArgumentException when one is named twice
   */
  public static RowSelection addresses(long... addresses) {
    return new RowSelection(false, sorted(addresses, "row address"));
  }

  /**
   * Rows by {@code _rowid}, which is the address on tables without stable row ids.
   *
   * @throws IllegalArgumentException when one is named twice
   */
  public static RowSelection rowIds(long... ids) {
    return new RowSelection(true, sorted(ids, "row id"));
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
      long fragment = requireU32(entry.getKey(), "fragment id");
      for (long offset : entry.getValue()) {
        addresses[at++] = fragment << 32 | requireU32(offset, "row offset");
      }
    }
    return addresses(addresses);
  }

  /** Number of rows named. */
  public int size() {
    return values.length;
  }

  RowSource source() {
    return new Source();
  }

  private final class Source implements RowSource {
    @Override
    public List<MatchedRows> find(WriteContext context, List<Fragment> fragments)
        throws IOException {
      Map<Long, RoaringBitmap> byFragment = byFragment(context);
      List<MatchedRows> found = new ArrayList<>();
      for (Fragment fragment : fragments) {
        RoaringBitmap named = byFragment.get(fragment.id());
        if (named != null) {
          FragmentRows rows = FragmentRows.of(context, fragment);
          DeletionVector wanted = DeletionVector.of(named);
          rows.require(wanted);
          DeletionVector live = wanted.minus(rows.deletions());
          if (!live.isEmpty()) {
            found.add(new MatchedRows(fragment, rows.physicalRows(), rows.deletions(), live));
          }
        }
      }
      return found;
    }

    @Override
    public boolean isEverything(WriteContext context) {
      return false;
    }

    @Override
    public boolean holdsForNewerVersions() {
      return byId;
    }

    @Override
    public String text() {
      return (byId ? "_rowid" : "_rowaddr") + " IN (" + values.length + " rows)";
    }
  }

  private Map<Long, RoaringBitmap> byFragment(WriteContext context) throws IOException {
    boolean stableIds = byId && context.manifest().stableRowIds();
    Set<Long> known = new HashSet<>();
    context.manifest().fragments().forEach(fragment -> known.add(fragment.id()));
    Map<Long, RoaringBitmap> rows = new TreeMap<>();
    for (long address : stableIds ? find(context) : values) {
      long fragment = RowAddress.fragmentId(address);
      if (stableIds && address == RowAddress.TOMBSTONE) {
        continue;
      }
      if (!known.contains(fragment)) {
        throw new IllegalArgumentException(
            context.store().uri()
                + ": row address "
                + Long.toUnsignedString(address)
                + " is in fragment "
                + fragment
                + ", which version "
                + Long.toUnsignedString(context.version())
                + " does not have");
      }
      rows.computeIfAbsent(fragment, id -> new RoaringBitmap())
          .add((int) RowAddress.offset(address));
    }
    return rows;
  }

  /**
   * Where the rows are by their stable ids, {@link RowAddress#TOMBSTONE} for a row that is gone. An
   * id that was never handed out is a mistake.
   */
  private long[] find(WriteContext context) throws IOException {
    long next = context.manifest().nextRowId();
    if (values.length > 0 && Long.compareUnsigned(values[values.length - 1], next) >= 0) {
      throw new IllegalArgumentException(
          context.store().uri()
              + ": row id "
              + Long.toUnsignedString(values[values.length - 1])
              + " was never handed out, the next one is "
              + Long.toUnsignedString(next));
    }
    return context.rows().find(values);
  }

  private static long[] sorted(long[] values, String what) {
    long[] sorted = values.clone();
    // unsigned order is signed order with the sign bit turned over
    for (int i = 0; i < sorted.length; i++) {
      sorted[i] ^= Long.MIN_VALUE;
    }
    Arrays.sort(sorted);
    for (int i = 0; i < sorted.length; i++) {
      sorted[i] ^= Long.MIN_VALUE;
      if (i > 0 && sorted[i] == sorted[i - 1]) {
        throw new IllegalArgumentException(
            what + " " + Long.toUnsignedString(sorted[i]) + " is named twice");
      }
    }
    return sorted;
  }

  private static long requireU32(long value, String what) {
    if (value < 0 || value > 0xFFFF_FFFFL) {
      throw new IllegalArgumentException(what + " must be in [0, 2^32): " + value);
    }
    return value;
  }

  @Override
  public String toString() {
    return values.length + (byId ? " row ids" : " row addresses");
  }
}
