package dev.narwhal.lance.rowid;

import dev.narwhal.lance.error.LanceFormatException;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.LongUnaryOperator;

/**
 * A table version for each physical row of a fragment, deleted ones included: the one that made the
 * row, or that updated it last. Versions are u64. Immutable, safe for use by many threads. Source:
 * table format sheet 10.6.
 */
public final class RowVersions {
  /** The version of rows that nobody kept one for. */
  public static final long UNKNOWN = 1;

  /** Where each run ends, ascending. */
  private final long[] ends;

  private final long[] versions;

  /**
   * Takes the arrays over.
   *
   * @param lengths rows of each run, at least 0
   */
  RowVersions(long[] lengths, long[] versions) {
    this.ends = new long[lengths.length];
    this.versions = versions;
    long end = 0;
    for (int i = 0; i < lengths.length; i++) {
      end += lengths[i];
      if (end > U64Segment.MAX_LENGTH) {
        throw new LanceFormatException(
            "version runs of " + end + " rows, a fragment has at most 2^32");
      }
      ends[i] = end;
    }
  }

  /** Each of some rows with the same version. */
  public static RowVersions uniform(long rows, long version) {
    return new RowVersions(new long[] {rows}, new long[] {version});
  }

  /** A version for each row, u64. */
  public static RowVersions of(long[] versions) {
    int runs = 0;
    for (int i = 0; i < versions.length; i++) {
      runs += i == 0 || versions[i] != versions[i - 1] ? 1 : 0;
    }
    long[] lengths = new long[runs];
    long[] values = new long[runs];
    int run = -1;
    for (int i = 0; i < versions.length; i++) {
      if (i == 0 || versions[i] != versions[i - 1]) {
        values[++run] = versions[i];
      }
      lengths[run]++;
    }
    return new RowVersions(lengths, values);
  }

  /** Number of rows, {@code 0..2^32}. */
  public long length() {
    return ends.length == 0 ? 0 : ends[ends.length - 1];
  }

  /** The least version, as unsigned; 0 when there is no row. */
  public long min() {
    return length() == 0 ? 0 : ~extreme(version -> ~version);
  }

  /** The greatest version, as unsigned; 0 when there is no row. */
  public long max() {
    return length() == 0 ? 0 : extreme(version -> version);
  }

  /**
   * Writes the versions of rows {@code [start, start + count)} to {@code out} from index 0.
   *
   * @throws IndexOutOfBoundsException when there are fewer rows, or {@code out} is shorter
   */
  public void copyTo(long start, int count, long[] out) {
    Objects.checkFromIndexSize(start, count, length());
    Objects.checkFromIndexSize(0, count, out.length);
    int run = runOf(start);
    for (int done = 0; done < count; run++) {
      int end = (int) Math.min(count, ends[run] - start);
      Arrays.fill(out, done, Math.max(done, end), versions[run]);
      done = Math.max(done, end);
    }
  }

  /**
   * Writes the versions of rows {@code start + offsets[i]} to {@code out[i]}.
   *
   * @throws IndexOutOfBoundsException when there are fewer rows, or {@code out} is shorter
   */
  public void copyTo(long start, int[] offsets, long[] out) {
    for (int i = 0; i < offsets.length; i++) {
      out[i] = versions[runOf(Objects.checkIndex(start + offsets[i], length()))];
    }
  }

  /**
   * The version of one row.
   *
   * @throws IndexOutOfBoundsException when there is no such row
   */
  public long get(long offset) {
    return versions[runOf(Objects.checkIndex(offset, length()))];
  }

  /** The version of each row. */
  public long[] toArray() {
    long[] all = new long[Math.toIntExact(length())];
    copyTo(0, all.length, all);
    return all;
  }

  int runCount() {
    return versions.length;
  }

  /** The row after the last one of a run. */
  long runEnd(int run) {
    return ends[run];
  }

  long runVersion(int run) {
    return versions[run];
  }

  @Override
  public String toString() {
    return "RowVersions[" + length() + " rows, " + versions.length + " runs]";
  }

  private long extreme(LongUnaryOperator key) {
    long extreme = 0;
    for (int i = 0; i < versions.length; i++) {
      long value = key.applyAsLong(versions[i]);
      boolean empty = ends[i] == (i == 0 ? 0 : ends[i - 1]);
      if (!empty && Long.compareUnsigned(value, extreme) > 0) {
        extreme = value;
      }
    }
    return extreme;
  }

  /** The first run that ends after a row; {@code ends.length} at the end. */
  private int runOf(long row) {
    int low = 0;
    int high = ends.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ends[middle] <= row) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
