package dev.narwhal.lance.scan;

import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.schema.BlobMode;
import dev.narwhal.lance.schema.LanceSchema;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One fragment, or some neighbouring rows of it, shared by the windows that are read from it:
 * opened by the first of them, closed after the last, so that a scan of thousands of fragments
 * keeps few files open.
 */
final class FragmentLease {
  private final Fragment fragment;
  private final LanceSchema schema;
  private final List<String> columns;
  private final long liveRowsBefore;
  private final FragmentFiles files;
  private final BlobMode blobs;
  private final long firstRow;
  private final long rows;

  private @Nullable OpenFragment open;
  private long windows;
  private boolean closed;

  /**
   * A lease; nothing is opened yet.
   *
   * @param firstRow rows of the fragment to be passed over, of those that the scan would give
   * @param rows that the scan gives after them; {@code Long.MAX_VALUE} with 0 before is all
   */
  FragmentLease(
      Fragment fragment,
      LanceSchema schema,
      List<String> columns,
      long liveRowsBefore,
      FragmentFiles files,
      BlobMode blobs,
      long firstRow,
      long rows) {
    this.fragment = fragment;
    this.schema = schema;
    this.columns = columns;
    this.liveRowsBefore = liveRowsBefore;
    this.files = files;
    this.blobs = blobs;
    this.firstRow = firstRow;
    this.rows = rows;
  }

  Fragment fragment() {
    return fragment;
  }

  /** Row offsets that are read, from the first to behind the last. */
  record Span(long start, long end) {}

  /**
   * The offsets of the lease's rows; the file is opened where the manifest does not tell.
   *
   * @param deletedRows whether deleted rows are counted as if they were alive
   */
  Span span(boolean deletedRows) throws IOException {
    if (firstRow == 0 && rows == Long.MAX_VALUE) {
      OptionalLong known = fragment.physicalRows();
      return new Span(0, known.isPresent() ? known.getAsLong() : acquire().physicalRows());
    }
    long last = firstRow + rows - 1;
    if (deletedRows) {
      return new Span(firstRow, last + 1);
    }
    DeletionVector deletions = acquire().deletions();
    return new Span(deletions.liveOffset(firstRow), deletions.liveOffset(last) + 1);
  }

  /** How many windows will call {@link #release}. To be said before the first is read. */
  synchronized void expect(long count) {
    windows = count;
  }

  synchronized OpenFragment acquire() throws IOException {
    if (closed) {
      throw new IllegalStateException("the scan was closed");
    }
    OpenFragment fragmentOpen = open;
    if (fragmentOpen == null) {
      fragmentOpen = OpenFragment.open(fragment, schema, columns, liveRowsBefore, files, blobs);
      open = fragmentOpen;
    }
    return fragmentOpen;
  }

  /** A window is done, well or badly. */
  synchronized void release() throws IOException {
    windows--;
    if (windows == 0) {
      close();
    }
  }

  /** Closes the files whatever is left to read. */
  synchronized void close() throws IOException {
    closed = true;
    OpenFragment fragmentOpen = open;
    open = null;
    if (fragmentOpen != null) {
      fragmentOpen.close();
    }
  }

  /** Closes all of them; the last failure is thrown after every one was tried. */
  static void closeAll(List<FragmentLease> leases) throws IOException {
    IOException failure = null;
    for (FragmentLease lease : leases) {
      try {
        lease.close();
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
