package dev.narwhal.lance.write;

import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.scan.Scan;
import dev.narwhal.lance.scan.ScanOptions;
import java.io.IOException;
import java.util.List;

/**
 * The rows of a fragment of one version.
 *
 * @param physicalRows deleted ones included
 */
record FragmentRows(Fragment fragment, long physicalRows, DeletionVector deletions) {
  static FragmentRows of(WriteContext context, Fragment fragment) throws IOException {
    long rows = physicalRows(context, fragment);
    return new FragmentRows(fragment, rows, context.files().deletions(fragment, rows));
  }

  static long physicalRows(WriteContext context, Fragment fragment) throws IOException {
    return new Scan(
            context.manifest().schema(),
            List.of(fragment),
            context.files(),
            ScanOptions.of(List.of()))
        .physicalRows(fragment);
  }

  long liveRows() {
    return physicalRows - deletions.cardinality();
  }

  /**
   * Throws when an offset is none of a fragment's.
   *
   * @throws IllegalArgumentException naming it
   */
  static void require(Fragment fragment, long physicalRows, DeletionVector offsets) {
    if (offsets.max() >= physicalRows) {
      throw new IllegalArgumentException(
          "fragment "
              + fragment.id()
              + ": row offset "
              + offsets.max()
              + " is not in [0, "
              + physicalRows
              + ")");
    }
  }
}
