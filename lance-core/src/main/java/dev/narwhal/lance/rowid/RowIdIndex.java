package dev.narwhal.lance.rowid;

import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.error.LanceFormatException;
import java.io.IOException;
import java.util.List;

/**
 * Where the rows of one version are, by their stable row ids: a map from ranges of ids to a segment
 * of ids and the row addresses beside it.
 *
 * <p>To make it costs O(fragments + segments), whatever the number of rows: an id's place within
 * its segment is computed when it is looked for. Ranges may overlap, since a row that was updated
 * leaves its id in the old, deleted slot; each range that holds the id is asked, in O(log segments)
 * each, and deleted rows are passed over. Deletion vectors are asked for as fragments come up.
 *
 * <p>Immutable, safe for use by many threads. Source: table format sheet 10.4.
 */
public final class RowIdIndex {
  /** No live row has the id: the address of no row. */
  public static final long NOT_FOUND = -1;

  private final long[] fragmentIds;
  private final List<RowIdSequence> sequences;
  private final Deletions deletions;
  private final IdRanges ranges;

  /** For each range the sequence it is of, and which of its segments. */
  private final int[] owners;

  private final int[] segments;

  /** Deleted rows of the fragments. */
  @FunctionalInterface
  public interface Deletions {
    /**
     * The deleted rows of a fragment. What cannot be read is an error, never an empty vector.
     *
     * @param fragment index in the list of sequences
     */
    DeletionVector of(int fragment) throws IOException;
  }

  /**
   * The index of some fragments.
   *
   * @param fragmentIds u32
   * @param sequences the ids of each fragment's physical rows
   */
  public RowIdIndex(long[] fragmentIds, List<RowIdSequence> sequences, Deletions deletions) {
    if (fragmentIds.length != sequences.size()) {
      throw new IllegalArgumentException(
          sequences.size() + " sequences for " + fragmentIds.length + " fragments");
    }
    this.fragmentIds = fragmentIds.clone();
    this.sequences = List.copyOf(sequences);
    this.deletions = deletions;
    int count = 0;
    for (RowIdSequence sequence : this.sequences) {
      for (int i = 0; i < sequence.segmentCount(); i++) {
        count += sequence.segment(i).length() > 0 ? 1 : 0;
      }
    }
    long[] firsts = new long[count];
    long[] lasts = new long[count];
    int[] of = new int[count];
    int[] which = new int[count];
    int at = 0;
    for (int owner = 0; owner < fragmentIds.length; owner++) {
      RowIdSequence sequence = this.sequences.get(owner);
      for (int i = 0; i < sequence.segmentCount(); i++) {
        if (sequence.segment(i).length() > 0) {
          firsts[at] = sequence.segment(i).first();
          lasts[at] = sequence.segment(i).last();
          of[at] = owner;
          which[at] = i;
          at++;
        }
      }
    }
    int[] order = UnsignedOrder.of(firsts);
    ranges = new IdRanges(ordered(firsts, order), ordered(lasts, order));
    owners = ordered(of, order);
    segments = ordered(which, order);
  }

  /**
   * The address of the live row that has an id.
   *
   * @return {@link #NOT_FOUND} when there is none: the id was never given, or its row is deleted
   * @throws LanceFormatException when two live rows have the id
   */
  public long find(long rowId) throws IOException {
    long found = NOT_FOUND;
    int range = ranges.lastReaching(rowId, ranges.lastBeginningBy(rowId));
    while (range >= 0) {
      long address = find(rowId, owners[range], segments[range], found);
      if (address != NOT_FOUND) {
        found = address;
      }
      range = ranges.lastReaching(rowId, range - 1);
    }
    return found;
  }

  /** The addresses of many rows, in the order of their ids. */
  public long[] find(long[] rowIds) throws IOException {
    long[] addresses = new long[rowIds.length];
    for (int i = 0; i < rowIds.length; i++) {
      addresses[i] = find(rowIds[i]);
    }
    return addresses;
  }

  /** The same within a segment, which must not have a second live row. */
  private long find(long rowId, int owner, int index, long before) throws IOException {
    RowIdSequence sequence = sequences.get(owner);
    U64Segment segment = sequence.segment(index);
    long found = NOT_FOUND;
    long position = segment.find(rowId, 0);
    while (position >= 0) {
      long offset = sequence.start(index) + position;
      if (!deletions.of(owner).contains(offset)) {
        long address = fragmentIds[owner] << 32 | offset;
        if (before != NOT_FOUND || found != NOT_FOUND) {
          throw twice(rowId, before == NOT_FOUND ? found : before, address);
        }
        found = address;
      }
      position = segment.find(rowId, position + 1);
    }
    return found;
  }

  private static LanceFormatException twice(long rowId, long one, long other) {
    return new LanceFormatException(
        "row id "
            + Long.toUnsignedString(rowId)
            + " belongs to two live rows, at the addresses "
            + Long.toUnsignedString(one)
            + " and "
            + Long.toUnsignedString(other));
  }

  private static long[] ordered(long[] values, int[] order) {
    long[] ordered = new long[values.length];
    for (int i = 0; i < order.length; i++) {
      ordered[i] = values[order[i]];
    }
    return ordered;
  }

  private static int[] ordered(int[] values, int[] order) {
    int[] ordered = new int[values.length];
    for (int i = 0; i < order.length; i++) {
      ordered[i] = values[order[i]];
    }
    return ordered;
  }
}
