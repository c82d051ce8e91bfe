package dev.narwhal.lance.datafile.layout;

import dev.narwhal.lance.datafile.page.RowRanges;
import dev.narwhal.lance.datafile.page.Scratch;
import java.io.IOException;

/**
 * Decodes rows of one page of a leaf in a tree: levels and values. Immutable and used by many
 * threads at once. Damaged bytes are a {@link dev.narwhal.lance.error.LanceFormatException}; then
 * {@code out} is in no defined state and the caller closes it.
 */
public interface LevelPage {
  /**
   * Appends rows, reading and decoding only where they lie.
   *
   * @param rows of the page, at least one; under a structural fixed-size list, its items
   */
  void read(RowRanges rows, LeafBuilder out, Scratch scratch) throws IOException;

  /**
   * About how many levels the rows {@code [firstRow, endRow)} of the page have, without reading
   * any.
   */
  long levels(long firstRow, long endRow);
}
