package dev.narwhal.lance.scan;

import dev.narwhal.lance.datafile.LanceFile;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.fragment.Fragment;
import java.io.IOException;

/**
 * How many rows a fragment has. The manifest tells; files are looked into only where it does not,
 * as that of an old writer. Source: table format sheet 15.1.
 */
final class RowCounts {
  private static final long MAX_ROWS = 1L << 32;

  private RowCounts() {}

  /** Rows, deleted ones included, {@code 0..2^32}. */
  static long physical(Fragment fragment, FragmentFiles files) throws IOException {
    if (fragment.physicalRows().isPresent()) {
      return fragment.physicalRows().getAsLong();
    }
    if (fragment.files().isEmpty()) {
      throw new LanceFormatException(
          "fragment " + fragment.id() + " has no data file and no number of rows");
    }
    try (LanceFile file = files.open(fragment.files().get(0))) {
      if (file.rows() > MAX_ROWS) {
        throw new LanceFormatException(
            "fragment "
                + fragment.id()
                + ": "
                + file.rows()
                + " rows, more than the 2^32 that row offsets can tell apart");
      }
      return file.rows();
    }
  }

  /** Rows that are not deleted. */
  static long live(Fragment fragment, FragmentFiles files) throws IOException {
    if (fragment.liveRows().isPresent()) {
      return fragment.liveRows().getAsLong();
    }
    long physicalRows = physical(fragment, files);
    return physicalRows - files.deletions(fragment, physicalRows).cardinality();
  }
}
