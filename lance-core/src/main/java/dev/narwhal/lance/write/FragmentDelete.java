package dev.narwhal.lance.write;

import dev.narwhal.lance.deletion.DeletionFile;
import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.deletion.EncodedDeletions;
import dev.narwhal.lance.fragment.Fragment;

/**
 * What deleting some rows makes of a fragment. Worked out without any I/O. Source: table format
 * sheet 4.1, 4.6 and 5.2.
 */
sealed interface FragmentDelete {
  Fragment fragment();

  /** Rows that were alive and are no more. */
  long deletedRows();

  /** No live row was hit: the fragment stays as it is. */
  record Nothing(Fragment fragment) implements FragmentDelete {
    @Override
    public long deletedRows() {
      return 0;
    }
  }

  /** The last live row is gone: the fragment leaves the manifest, and no file is written. */
  record Dropped(Fragment fragment, long deletedRows) implements FragmentDelete {}

  /**
   * Some rows stay: a new deletion file replaces the old one.
   *
   * @param deletions every deleted row, the old ones too
   */
  record Updated(Fragment fragment, long deletedRows, DeletionVector deletions)
      implements FragmentDelete {
    EncodedDeletions encode(LayoutChoice layout) {
      return layout.encode(fragment.deletionFile().map(DeletionFile::encoding), deletions);
    }
  }

  /**
   * The outcome of a delete.
   *
   * @param physicalRows rows of the fragment, deleted ones included
   * @param before rows deleted already
   * @param rows rows to delete, in {@code [0, physicalRows)}
   */
  static FragmentDelete of(
      Fragment fragment, long physicalRows, DeletionVector before, DeletionVector rows) {
    if (rows.max() >= physicalRows) {
      throw new IllegalArgumentException(
          "fragment "
              + fragment.id()
              + ": row offset "
              + rows.max()
              + " is not in [0, "
              + physicalRows
              + ")");
    }
    DeletionVector after = before.union(rows);
    long deletedRows = after.cardinality() - before.cardinality();
    if (deletedRows == 0) {
      return new Nothing(fragment);
    }
    if (after.cardinality() == physicalRows) {
      return new Dropped(fragment, deletedRows);
    }
    return new Updated(fragment, deletedRows, after);
  }
}
