package dev.narwhal.lance.datafile.array;

import com.google.protobuf.ByteString;
import dev.narwhal.lance.datafile.page.FixedValues;
import dev.narwhal.lance.datafile.page.PageBuffers;
import dev.narwhal.lance.datafile.page.Scratch;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A page of a 2.0 list column: an end offset of 8 bytes, little-endian, for each list. Offsets
 * count the items of this page alone; that of a null list is raised by an adjustment, one more than
 * the page has items. Immutable, used by many threads.
 *
 * <p>Source: file format sheet 2.3.
 */
public final class OffsetsPage {
  /** Offsets that are read at once. */
  private static final int ROWS_PER_READ = 1 << 17;

  /** Rows that are cheaper to read than to skip. */
  private static final int MAX_GAP_ROWS = 1 << 11;

  private static final long NULL = Long.MIN_VALUE;

  private final long rows;
  private final ArrayDecoder ends;
  private final long nullAdjustment;
  private final long itemCount;

  private OffsetsPage(long rows, ArrayDecoder ends, long nullAdjustment, long itemCount) {
    this.rows = rows;
    this.ends = ends;
    this.nullAdjustment = nullAdjustment;
    this.itemCount = itemCount;
  }

  /**
   * A page whose {@code encoding} is a serialised {@code ArrayEncoding}. Reads nothing.
   *
   * @param rows lists in the page
   * @throws LanceFormatException unless the encoding is that of lists and its numbers make sense
   */
  public static OffsetsPage open(ByteString encoding, long rows, PageBuffers buffers) {
    ArrayNode root = ArrayNodeCodec.decode(encoding);
    ArrayNode node = root instanceof ArrayNode.NoNulls noNulls ? noNulls.values() : root;
    if (!(node instanceof ArrayNode.ListOffsets lists)) {
      throw new LanceFormatException("page of lists encoded as " + root.describe());
    }
    if (lists.itemCount() < 0) {
      throw new LanceFormatException(
          "page of lists with " + Long.toUnsignedString(lists.itemCount()) + " items");
    }
    // without nulls the adjustment is of no use, but real Lance writes it all the same
    if (lists.nullAdjustment() == 0) {
      throw new LanceFormatException("null adjustment 0: no list could be told from a null");
    }
    ArrayDecoder ends;
    try {
      ends = ArrayDecoders.of(buffers).offsets(lists.offsets(), rows);
    } catch (UnsupportedFeatureException e) {
      throw e.in("lists, " + node.describe());
    }
    return new OffsetsPage(rows, ends, lists.nullAdjustment(), lists.itemCount());
  }

  /** Lists in the page. */
  public long rows() {
    return rows;
  }

  /** Items of all lists of the page. */
  public long itemCount() {
    return itemCount;
  }

  /**
   * The first item of a list, counted from the page's first.
   *
   * @param row in {@code [0, rows]}; behind the last list are all items
   */
  public long firstItem(long row, Scratch scratch) throws IOException {
    return row == rows ? itemCount : start(bounds(row, 1, scratch), 0);
  }

  /**
   * Adds rows {@code [firstRow, firstRow + count)} of the page.
   *
   * @param itemBase items of the pages before
   */
  public void read(long firstRow, int count, long itemBase, ListExtents out, Scratch scratch)
      throws IOException {
    for (int done = 0; done < count; ) {
      int part = Math.min(ROWS_PER_READ, count - done);
      long[] bounds = bounds(firstRow + done, part, scratch);
      for (int i = 0; i < part; i++) {
        out.add(itemBase + start(bounds, i), itemBase + end(bounds, i), isNull(bounds, i));
      }
      done += part;
    }
  }

  /**
   * Adds the rows {@code base + offsets[i]} for i in {@code [from, to)}, reading the offsets around
   * them.
   *
   * @param base added to each offset to give a row of the page; may be negative
   * @param offsets strictly ascending in the given part
   * @param itemBase items of the pages before
   */
  public void take(
      long base, int[] offsets, int from, int to, long itemBase, ListExtents out, Scratch scratch)
      throws IOException {
    for (int i = from; i < to; ) {
      int first = offsets[i];
      int end = i + 1;
      while (end < to
          && offsets[end] - offsets[end - 1] <= MAX_GAP_ROWS
          && offsets[end] - first < ROWS_PER_READ) {
        end++;
      }
      long[] bounds = bounds(base + first, offsets[end - 1] - first + 1, scratch);
      for (; i < end; i++) {
        int at = offsets[i] - first;
        out.add(itemBase + start(bounds, at), itemBase + end(bounds, at), isNull(bounds, at));
      }
    }
  }

  /** Where the first list starts, then where each ends, with the top bit set when it is null. */
  private long[] bounds(long first, int count, Scratch scratch) throws IOException {
    scratch.reset();
    // a list starts where the one before ends
    int lead = first == 0 ? 0 : 1;
    Decoded decoded = ends.decode(first - lead, count + lead, scratch);
    ByteBuffer raw = ((FixedValues) decoded.values()).bytes();
    long[] bounds = scratch.longs(count + 1);
    long previous = 0;
    bounds[0] = 0;
    for (int i = 0, at = 1 - lead; i < count + lead; i++, at++) {
      long stored = raw.getLong(8 * i);
      boolean isNull = Long.compareUnsigned(stored, nullAdjustment) >= 0;
      long end = isNull ? stored - nullAdjustment : stored;
      if (end < previous || end > itemCount) {
        throw new LanceFormatException(
            "list "
                + (first - lead + i)
                + " ends at item "
                + Long.toUnsignedString(end)
                + " of "
                + itemCount
                + ", the one before at "
                + previous);
      }
      bounds[at] = isNull ? end | NULL : end;
      previous = end;
    }
    return bounds;
  }

  private static long start(long[] bounds, int row) {
    return bounds[row] & ~NULL;
  }

  private static long end(long[] bounds, int row) {
    return bounds[row + 1] & ~NULL;
  }

  private static boolean isNull(long[] bounds, int row) {
    return bounds[row + 1] < 0;
  }
}
