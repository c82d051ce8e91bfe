package dev.narwhal.lance.datafile;

import com.google.protobuf.ByteString;
import dev.narwhal.lance.datafile.page.ByteRange;
import dev.narwhal.lance.error.LanceFormatException;
import java.util.List;

/**
 * What a file says about one column.
 *
 * @param kind what the pages hold
 * @param pages in row order
 * @param buffers buffers of the whole column; no default writer has any
 */
public record ColumnMetadata(Kind kind, List<Page> pages, List<ByteRange> buffers) {
  public ColumnMetadata {
    pages = List.copyOf(pages);
    buffers = List.copyOf(buffers);
  }

  /**
   * Checks that the pages together have so many rows.
   *
   * @throws LanceFormatException naming both numbers
   */
  void requireRows(long expected) {
    long rows = 0;
    for (Page page : pages) {
      rows += page.rows();
      if (rows < 0 || rows > expected) {
        break;
      }
    }
    if (rows != expected) {
      throw new LanceFormatException(
          "pages of " + Long.toUnsignedString(rows) + " rows or more for a column of " + expected);
    }
  }

  /** What the pages of a column hold. */
  public enum Kind {
    /** The values. */
    VALUES,
    /** Positions and sizes of values elsewhere in the file (2.0 only). */
    BLOB
  }

  /**
   * One page.
   *
   * @param rows values of the column (2.0) or top-level rows (2.1 and later), {@code >= 0}
   * @param priority top-level row number of the first row; always 0 in 2.0
   * @param buffers ranges before the footer
   * @param encoding serialised page message, its type URL checked
   */
  public record Page(long rows, long priority, List<ByteRange> buffers, ByteString encoding) {
    public Page {
      buffers = List.copyOf(buffers);
    }
  }
}
