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

/** Rows named one by one, by address or by row id. */
final class NamedRows extends RowSelection {
  private static final long serialVersionUID = 1L;

  private final boolean byId;

  /** Sorted as unsigned, each once. */
  private final long[] values;

  private NamedRows(boolean byId, long[] values) {
    this.byId = byId;
    this.values = values;
  }

  /**
   * Rows by u64 names.
   *
   * @param byId whether these are row ids, not addresses
   * @param what they are, for the message when one is there twice
   */
  static NamedRows of(boolean byId, long[] names, String what) {
    return new NamedRows(byId, sorted(names, what));
  }

  @Override
  List<MatchedRows> find(WriteContext context, List<Fragment> fragments) throws IOException {
    return live(context, fragments, byFragment(context));
  }

  @Override
  List<MatchedRows> find(WriteContext context, WriteContext named) throws IOException {
    List<Fragment> fragments = context.manifest().fragments();
    if (holdsForNewerVersions(context) || named.version() == context.version()) {
      return find(context, fragments);
    }
    Map<Long, RoaringBitmap> rows = byFragment(named);
    for (Fragment fragment : named.manifest().fragments()) {
      RoaringBitmap wanted = rows.get(fragment.id());
      if (wanted != null) {
        FragmentRows.require(
            fragment, FragmentRows.physicalRows(named, fragment), DeletionVector.of(wanted));
      }
    }
    return live(context, fragments, rows);
  }

  private static List<MatchedRows> live(
      WriteContext context, List<Fragment> fragments, Map<Long, RoaringBitmap> byFragment)
      throws IOException {
    List<MatchedRows> found = new ArrayList<>();
    for (Fragment fragment : fragments) {
      RoaringBitmap named = byFragment.get(fragment.id());
      if (named != null) {
        FragmentRows rows = FragmentRows.of(context, fragment);
        DeletionVector wanted = DeletionVector.of(named);
        FragmentRows.require(fragment, rows.physicalRows(), wanted);
        DeletionVector live = wanted.minus(rows.deletions());
        if (!live.isEmpty()) {
          found.add(new MatchedRows(fragment, rows.physicalRows(), rows.deletions(), live));
        }
      }
    }
    return found;
  }

  @Override
  boolean isEverything(WriteContext context) {
    return false;
  }

  @Override
  boolean holdsForNewerVersions(WriteContext context) {
    return byId && context.manifest().stableRowIds();
  }

  @Override
  String text() {
    return (byId ? "_rowid" : "_rowaddr") + " IN (" + values.length + " rows)";
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
        if (fragment <= context.manifest().maxFragmentId().orElse(-1)) {
          // no id is used twice: the fragment was there, and went with its last row
          continue;
        }
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

  @Override
  public String toString() {
    return values.length + (byId ? " row ids" : " row addresses");
  }
}
