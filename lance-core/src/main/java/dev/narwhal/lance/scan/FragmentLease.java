package dev.narwhal.lance.scan;

import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.schema.BlobMode;
import dev.narwhal.lance.schema.LanceSchema;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One fragment, shared by the windows that are read from it: opened by the first of them, closed
 * after the last, so that a scan of thousands of fragments keeps few files open.
 */
final class FragmentLease {
  private final Fragment fragment;
  private final LanceSchema schema;
  private final List<String> columns;
  private final long liveRowsBefore;
  private final FragmentFiles files;
  private final BlobMode blobs;

  private @Nullable OpenFragment open;
  private long windows;
  private boolean closed;

  FragmentLease(
      Fragment fragment,
      LanceSchema schema,
      List<String> columns,
      long liveRowsBefore,
      FragmentFiles files,
      BlobMode blobs) {
    this.fragment = fragment;
    this.schema = schema;
    this.columns = columns;
    this.liveRowsBefore = liveRowsBefore;
    this.files = files;
    this.blobs = blobs;
  }

  Fragment fragment() {
    return fragment;
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
