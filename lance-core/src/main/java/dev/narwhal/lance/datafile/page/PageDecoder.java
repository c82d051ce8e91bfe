package dev.narwhal.lance.datafile.page;

import java.io.IOException;

/**
 * Decodes rows of one page. Made by a factory that takes a {@link PageSource}, parses the page
 * message, refuses with a typed exception what it does not know, and reads what every call needs (a
 * chunk table, a dictionary). Immutable afterwards and used by many threads at once; what a call
 * needs besides is in its {@link Scratch}.
 *
 * <p>The caller guarantees that rows lie in the page. Both methods append exactly one validity and
 * one value slot per row to {@code out}, in order: validity first, by writing at {@code
 * out.rows()}, then the values, which advance it. Damaged bytes are a {@link
 * dev.narwhal.lance.error.LanceFormatException}; then {@code out} is in no defined state and the
 * caller closes it.
 */
public interface PageDecoder {
  /**
   * Appends rows {@code [firstRow, firstRow + count)} of the page.
   *
   * @param firstRow 0-based within the page
   * @param count {@code >= 1}
   */
  void read(long firstRow, int count, VectorBuilder out, Scratch scratch) throws IOException;

  /**
   * Appends the rows {@code base + offsets[i]} for i in {@code [from, to)}, reading and decoding
   * only where they lie.
   *
   * @param base added to each offset to give a row of the page; may be negative
   * @param offsets strictly ascending in the given part
   * @param to greater than {@code from}
   */
  void take(long base, int[] offsets, int from, int to, VectorBuilder out, Scratch scratch)
      throws IOException;
}
