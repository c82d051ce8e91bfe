package dev.narwhal.lance.scan;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.error.RowNotFoundException;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.fragment.RowAddress;
import dev.narwhal.lance.rowid.RowIdIndex;
import dev.narwhal.lance.rowid.RowIdSequence;
import dev.narwhal.lance.rowid.UnsignedOrder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * Where the rows of one version are: row addresses from places among the live rows, from addresses
 * that may be stale, and from row ids. Everything is worked out when it is first asked for, and
 * kept; a failure is not.
 *
 * <p>Real Lance passes over a stable row id that no live row has, and fails on a place or address
 * that is none. Here each of them fails, so that nobody takes the rows of one request for those of
 * another.
 *
 * <p>Safe for use by many threads.
 */
public final class RowLocator {
  private final List<Fragment> fragments;
  private final FragmentFiles files;

  /** Fragment ids in ascending order, and where each is in {@link #fragments}. */
  private final long[] ids;

  private final int[] indexes;

  /** Rows of each fragment, deleted ones included; -1 until somebody asks. */
  private final AtomicLongArray physicalRows;

  private volatile long @Nullable [] liveBefore;
  private @Nullable RowIdIndex rowIdIndex;

  /**
   * A locator of one version.
   *
   * @param fragments all fragments of the version, in order
   */
  public RowLocator(List<Fragment> fragments, FragmentFiles files) {
    this.fragments = List.copyOf(fragments);
    this.files = new CachedFragmentFiles(requireNonNull(files, "files"));
    long[] unordered = this.fragments.stream().mapToLong(Fragment::id).toArray();
    indexes = UnsignedOrder.of(unordered);
    physicalRows = new AtomicLongArray(unordered.length);
    for (int i = 0; i < unordered.length; i++) {
      physicalRows.set(i, this.fragments.get(i).physicalRows().orElse(-1));
    }
    ids = Arrays.stream(indexes).mapToLong(index -> unordered[index]).toArray();
  }

  /**
   * Addresses of live rows by their places in the whole table, live rows counted only.
   *
   * @param offsets in any order, duplicates allowed
   * @throws RowNotFoundException when there are not so many live rows
   */
  public long[] ofOffsets(long[] offsets) throws IOException {
    long[] before = liveBefore();
    long rows = before[before.length - 1];
    requireNone(
        "offset",
        Arrays.stream(offsets)
            .filter(offset -> offset < 0 || offset >= rows)
            .mapToObj(Long::toString)
            .toList());
    int[] order = UnsignedOrder.of(offsets);
    long[] addresses = new long[offsets.length];
    for (int from = 0; from < order.length; ) {
      int index = fragmentOf(offsets[order[from]], before);
      int to = from + 1;
      while (to < order.length && offsets[order[to]] < before[index + 1]) {
        to++;
      }
      int[] live = new int[to - from];
      for (int i = from; i < to; i++) {
        live[i - from] = (int) (offsets[order[i]] - before[index]);
      }
      int[] found = deletions(index).liveOffsets(live);
      for (int i = from; i < to; i++) {
        addresses[order[i]] =
            RowAddress.of(fragments.get(index).id(), Integer.toUnsignedLong(found[i - from]));
      }
      from = to;
    }
    return addresses;
  }

  /**
   * The same addresses, once it is clear that each is a live row's.
   *
   * @param addresses in any order, duplicates allowed
   * @throws RowNotFoundException when one is not
   */
  public long[] ofAddresses(long[] addresses) throws IOException {
    requireLive("address", addresses);
    return addresses.clone();
  }

  /**
   * Addresses of live rows by their row ids, which are addresses where ids are not stable.
   *
   * @param rowIds in any order, duplicates allowed
   * @throws RowNotFoundException when no live row has one
   */
  public long[] ofRowIds(long[] rowIds) throws IOException {
    if (!hasStableRowIds()) {
      requireLive("row id", rowIds);
      return rowIds.clone();
    }
    long[] addresses = rowIdIndex().find(rowIds);
    List<String> missing = new ArrayList<>();
    for (int i = 0; i < addresses.length; i++) {
      if (addresses[i] == RowIdIndex.NOT_FOUND) {
        missing.add(Long.toUnsignedString(rowIds[i]));
      }
    }
    requireNone("row id", missing);
    return addresses;
  }

  /**
   * Addresses of rows by their row ids, {@link RowAddress#TOMBSTONE} where no live row has the id.
   */
  public long[] find(long[] rowIds) throws IOException {
    if (hasStableRowIds()) {
      return rowIdIndex().find(rowIds);
    }
    long[] addresses = rowIds.clone();
    for (int i = 0; i < addresses.length; i++) {
      if (!isLive(addresses[i])) {
        addresses[i] = RowAddress.TOMBSTONE;
      }
    }
    return addresses;
  }

  /** The fragment of an address that was found here. */
  Fragment fragment(long address) {
    return fragments.get(indexOf(RowAddress.fragmentId(address)));
  }

  /** Live rows of the table before a fragment. */
  long liveRowsBefore(Fragment fragment) throws IOException {
    return liveBefore()[indexOf(fragment.id())];
  }

  /** The files, with what was read once. */
  FragmentFiles files() {
    return files;
  }

  private boolean hasStableRowIds() {
    return !fragments.isEmpty() && fragments.get(0).rowIds().isPresent();
  }

  private void requireLive(String what, long[] addresses) throws IOException {
    List<String> missing = new ArrayList<>();
    for (long address : addresses) {
      if (!isLive(address)) {
        missing.add(Long.toUnsignedString(address));
      }
    }
    requireNone(what, missing);
  }

  private boolean isLive(long address) throws IOException {
    int index = indexOf(RowAddress.fragmentId(address));
    long offset = RowAddress.offset(address);
    return index >= 0 && offset < physicalRows(index) && !deletions(index).contains(offset);
  }

  private int indexOf(long fragmentId) {
    int found = Arrays.binarySearch(ids, fragmentId);
    return found < 0 ? -1 : indexes[found];
  }

  private DeletionVector deletions(int index) throws IOException {
    Fragment fragment = fragments.get(index);
    return fragment.deletionFile().isEmpty()
        ? DeletionVector.empty()
        : files.deletions(fragment, physicalRows(index));
  }

  private long physicalRows(int index) throws IOException {
    long known = physicalRows.get(index);
    if (known < 0) {
      known = RowCounts.physical(fragments.get(index), files);
      physicalRows.set(index, known);
    }
    return known;
  }

  /** Live rows before each fragment, and at the end of all. */
  private long[] liveBefore() throws IOException {
    long[] known = liveBefore;
    if (known == null) {
      known = new long[fragments.size() + 1];
      for (int i = 0; i < fragments.size(); i++) {
        known[i + 1] = known[i] + RowCounts.live(fragments.get(i), files);
      }
      liveBefore = known;
    }
    return known;
  }

  private synchronized RowIdIndex rowIdIndex() throws IOException {
    RowIdIndex known = rowIdIndex;
    if (known == null) {
      List<RowIdSequence> sequences = new ArrayList<>(fragments.size());
      for (int i = 0; i < fragments.size(); i++) {
        sequences.add(files.rowIds(fragments.get(i), physicalRows(i)));
      }
      long[] fragmentIds = fragments.stream().mapToLong(Fragment::id).toArray();
      known = new RowIdIndex(fragmentIds, sequences, this::deletions);
      rowIdIndex = known;
    }
    return known;
  }

  /** The last fragment with at most so many live rows before it, and a live row. */
  private static int fragmentOf(long offset, long[] before) {
    int low = 0;
    int high = before.length - 1;
    while (low + 1 < high) {
      int middle = (low + high) >>> 1;
      if (before[middle] <= offset) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private static void requireNone(String what, List<String> missing) {
    if (!missing.isEmpty()) {
      throw RowNotFoundException.of(what, missing);
    }
  }
}
