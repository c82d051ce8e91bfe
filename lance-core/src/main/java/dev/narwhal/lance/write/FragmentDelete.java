package dev.narwhal.lance.write;

import dev.narwhal.lance.deletion.DeletionFile.Encoding;
import dev.narwhal.lance.deletion.DeletionVector;
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
  record Updated(Fragment fragment, long deletedRows, DeletionVector deletions, Encoding encoding)
      implements FragmentDelete {}

  /**
   * The outcome of a delete.
   *
   * @param physicalRows rows of the fragment, deleted ones included
   * @param before rows deleted already
   * @param rows rows to delete, in {@code [0, physicalRows)}
   * @param arrayThreshold see {@link DeleteOptions}
   */
  static FragmentDelete of(
      Fragment fragment,
      long physicalRows,
      DeletionVector before,
      DeletionVector rows,
      int arrayThreshold) {
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
    return new Updated(
        fragment, deletedRows, after, encoding(fragment, after.cardinality(), arrayThreshold));
  }

  /**
   * Lance's rule, so that files are of the kind real Lance would have written: a bitmap stays one;
   * a first file is a bitmap from the threshold on; an array becomes one past it.
   */
  private static Encoding encoding(Fragment fragment, long deleted, int arrayThreshold) {
    boolean grown = fragment.deletionFile().isPresent();
    if (grown && fragment.deletionFile().get().encoding() == Encoding.BITMAP) {
      return Encoding.BITMAP;
    }
    boolean bitmap = grown ? deleted > arrayThreshold : deleted >= arrayThreshold;
    return bitmap ? Encoding.BITMAP : Encoding.ARRAY;
  }
}
