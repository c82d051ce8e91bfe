package dev.narwhal.lance.rowid;

import dev.narwhal.lance.error.LanceFormatException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The stable row ids of a fragment's physical rows, in order; deleted rows keep their slot. Ids are
 * u64. Immutable, safe for use by many threads. Source: table format sheet 10.2.
 */
public final class RowIdSequence {
  private final U64Segment[] segments;

  /** Positions where the segments start, and at the end the length. */
  private final long[] starts;

  RowIdSequence(List<U64Segment> segments) {
    this.segments = segments.toArray(new U64Segment[0]);
    this.starts = new long[segments.size() + 1];
    for (int i = 0; i < this.segments.length; i++) {
      starts[i + 1] = starts[i] + this.segments[i].length();
      if (starts[i + 1] > U64Segment.MAX_LENGTH) {
        throw new LanceFormatException(
            "row id sequence of " + starts[i + 1] + " ids, a fragment has at most 2^32 rows");
      }
    }
  }

  /** Number of ids: the physical rows of the fragment, {@code 0..2^32}. */
  public long length() {
    return starts[segments.length];
  }

  /** The id of the row at an offset of the fragment. */
  public long get(long offset) {
    long[] one = new long[1];
    copyTo(offset, 1, one);
    return one[0];
  }

  /**
   * Writes the ids of rows {@code [start, start + count)} to {@code out} from index 0.
   *
   * @throws IndexOutOfBoundsException when the sequence is shorter, or {@code out} is
   */
  public void copyTo(long start, int count, long[] out) {
    Objects.checkFromIndexSize(start, count, length());
    Objects.checkFromIndexSize(0, count, out.length);
    int segment = segmentOf(start);
    int done = 0;
    while (done < count) {
      long from = start + done - starts[segment];
      int part = (int) Math.min(count - done, segments[segment].length() - from);
      segments[segment].copyTo(from, part, out, done);
      done += part;
      segment++;
    }
  }

  /**
   * Writes the ids of rows {@code start + offsets[i]} to {@code out[i]}.
   *
   * @param offsets ascending, at least 0
   * @throws IndexOutOfBoundsException when the sequence is shorter, or {@code out} is
   */
  public void copyTo(long start, int[] offsets, long[] out) {
    int segment = 0;
    for (int i = 0; i < offsets.length; i++) {
      long row = Objects.checkIndex(start + offsets[i], length());
      if (i == 0) {
        segment = segmentOf(row);
      }
      while (row >= starts[segment + 1]) {
        segment++;
      }
      segments[segment].copyTo(row - starts[segment], 1, out, i);
    }
  }

  /**
   * Finds ids without looking at every one of the sequence.
   *
   * @param ids ascending, as unsigned
   * @return for each the offset of its row, the first of several; -1 where the sequence lacks it
   */
  public long[] offsetsOf(long[] ids) {
    long[] offsets = new long[ids.length];
    Arrays.fill(offsets, -1);
    for (int s = 0; s < segments.length; s++) {
      U64Segment segment = segments[s];
      if (segment.length() == 0) {
        continue;
      }
      long last = segment.last();
      int i = UnsignedOrder.lowerBound(ids, segment.first());
      for (; i < ids.length && Long.compareUnsigned(ids[i], last) <= 0; i++) {
        long position = offsets[i] < 0 ? segment.find(ids[i], 0) : -1;
        if (position >= 0) {
          offsets[i] = starts[s] + position;
        }
      }
    }
    return offsets;
  }

  /**
   * The least id and the greatest, as unsigned; no tighter than the segments tell without listing
   * their ids. Empty for a sequence without ids.
   */
  public Optional<IdRange> range() {
    Optional<IdRange> range = Optional.empty();
    for (U64Segment segment : segments) {
      if (segment.length() > 0) {
        IdRange next = new IdRange(segment.first(), segment.last());
        range = Optional.of(range.map(before -> before.with(next)).orElse(next));
      }
    }
    return range;
  }

  /**
   * Ids from the first to the last, both included, u64.
   *
   * @param first at most {@code last}, as unsigned
   */
  public record IdRange(long first, long last) {
    private IdRange with(IdRange other) {
      return new IdRange(
          Long.compareUnsigned(first, other.first) <= 0 ? first : other.first,
          Long.compareUnsigned(last, other.last) >= 0 ? last : other.last);
    }
  }

  int segmentCount() {
    return segments.length;
  }

  U64Segment segment(int index) {
    return segments[index];
  }

  /** Position of a segment's first id. */
  long start(int segment) {
    return starts[segment];
  }

  @Override
  public String toString() {
    return "RowIdSequence[" + length() + " ids, " + segments.length + " segments]";
  }

  /** The last segment that starts at or before a position: never an empty one before its end. */
  private int segmentOf(long position) {
    int found = Arrays.binarySearch(starts, 0, segments.length, position);
    if (found < 0) {
      return Math.max(0, -found - 2);
    }
    while (found + 1 < segments.length && starts[found + 1] == position) {
      found++;
    }
    return found;
  }
}
