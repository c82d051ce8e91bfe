package dev.narwhal.lance.scan;

import dev.narwhal.lance.datafile.LanceFile;
import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.fragment.DataFile;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.rowid.RowIdSequence;
import dev.narwhal.lance.rowid.RowVersions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** The files behind the fragments of one version. Safe for use by many threads. */
public interface FragmentFiles {
  /** Opens a data file. The caller closes it. */
  LanceFile open(DataFile file) throws IOException;

  /**
   * The deleted rows of a fragment. A deletion file that cannot be read is an error, never an empty
   * vector.
   */
  DeletionVector deletions(Fragment fragment, long physicalRows) throws IOException;

  /**
   * The deletion file of a fragment as it is stored, when it is a bitmap: portable Roaring bytes,
   * unchecked.
   */
  Optional<ByteBuffer> bitmapBytes(Fragment fragment) throws IOException;

  /** The row ids of a fragment that has stable ones. */
  RowIdSequence rowIds(Fragment fragment, long physicalRows) throws IOException;

  /** The version that made each row of a fragment; 1 where the fragment does not tell. */
  RowVersions createdVersions(Fragment fragment, long physicalRows) throws IOException;

  /**
   * The version that wrote each row of a fragment last; that which made it where the fragment does
   * not tell.
   */
  RowVersions lastUpdatedVersions(Fragment fragment, long physicalRows) throws IOException;
}
