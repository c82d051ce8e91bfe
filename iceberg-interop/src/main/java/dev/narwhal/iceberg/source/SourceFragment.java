package dev.narwhal.iceberg.source;

import dev.narwhal.iceberg.mapping.SourceField;
import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.puffin.PortableRoaring;
import java.io.IOException;
import java.util.List;

/** A fragment: some rows, all columns. Safe for use by many threads. */
public interface SourceFragment {
  /** The id, a u32. */
  long id();

  /** Number of rows, deleted ones included: {@code [0, 2^32)}. */
  long physicalRows();

  /** Offsets of the deleted rows, all below {@link #physicalRows}. */
  DeletionVector deletions() throws IOException;

  /** Whether there may be deleted rows; answered without I/O. */
  boolean hasDeletions();

  /**
   * The same rows as {@link #deletions}, as checked portable Roaring bytes: as they are stored
   * where they are stored so.
   */
  default PortableRoaring portableDeletions() throws IOException {
    return PortableRoaring.of(deletions().toPortableBytes(), physicalRows());
  }

  /**
   * All physical rows in order, deleted ones in their places. The caller closes the result.
   *
   * @param columns which of the dataset's columns the batches have, at least one, in this order
   */
  RowBatches open(List<SourceField> columns) throws IOException;
}
