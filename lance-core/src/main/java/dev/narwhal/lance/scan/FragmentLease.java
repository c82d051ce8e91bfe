package dev.narwhal.lance.scan;

import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.fragment.Fragment;
import java.io.Closeable;
import java.io.IOException;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One fragment, or some neighbouring rows of it, shared by the windows that are read from it:
 * opened by the first user, closed after the last, so that a scan of thousands of fragments keeps
 * few files open.
 */
final class FragmentLease implements Closeable {
  private final Fragment fragment;
  private final Opener opener;
  private final Part part;

  private @Nullable OpenFragment open;
  private long users;
  private boolean closed;

  /** A lease; nothing is opened yet. */
  FragmentLease(Fragment fragment, Part part, Opener opener) {
    this.fragment = fragment;
    this.part = part;
    this.opener = opener;
  }

  /** Opens the fragment. */
  interface Opener {
    OpenFragment open() throws IOException;
  }

  /**
   * Which of the rows that a scan would give of a fragment are read.
   *
   * @param skipped rows that are passed over
   * @param taken rows after them; empty for all
   */
  record Part(long skipped, OptionalLong taken) {
    static final Part ALL = new Part(0, OptionalLong.empty());
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
    if (part.taken().isEmpty()) {
      OptionalLong known = fragment.physicalRows();
      return new Span(0, known.isPresent() ? known.getAsLong() : acquire().physicalRows());
    }
    long first = part.skipped();
    long last = first + part.taken().getAsLong() - 1;
    if (deletedRows) {
      return new Span(first, last + 1);
    }
    DeletionVector deletions = acquire().deletions();
    return new Span(deletions.liveOffset(first), deletions.liveOffset(last) + 1);
  }

  /** One user more, who will {@link #release}. */
  synchronized void retain() {
    users++;
  }

  synchronized OpenFragment acquire() throws IOException {
    if (closed) {
      throw new IllegalStateException("the scan was closed");
    }
    OpenFragment fragmentOpen = open;
    if (fragmentOpen == null) {
      fragmentOpen = opener.open();
      open = fragmentOpen;
    }
    return fragmentOpen;
  }

  /** A user is done, well or badly. */
  synchronized void release() throws IOException {
    users--;
    if (users == 0) {
      close();
    }
  }

  /** Releases after a failure, which stays the one that is told. */
  void release(Throwable failure) {
    try {
      release();
    } catch (IOException | RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  /** Closes the files whatever is left to read. */
  @Override
  public synchronized void close() throws IOException {
    closed = true;
    OpenFragment fragmentOpen = open;
    open = null;
    if (fragmentOpen != null) {
      fragmentOpen.close();
    }
  }
}
