package dev.narwhal.lance.datafile.array;

import dev.narwhal.lance.datafile.page.Scratch;
import java.io.IOException;

/**
 * Decodes the values of one node of a page's tree. Made once per page, immutable afterwards, used
 * by many threads.
 */
interface ArrayDecoder {
  /**
   * Values {@code [first, first + count)}, which the caller knows to be there. Valid until the
   * scratch is reset or read into again: whoever asks two nodes keeps what the first one gave on
   * the heap, which a bitmap always is.
   *
   * @param count {@code >= 1}
   */
  Decoded decode(long first, int count, Scratch scratch) throws IOException;

  /** Bits that a value takes, about; at least 1. It decides how many are read at once. */
  long bitsPerValue();
}
