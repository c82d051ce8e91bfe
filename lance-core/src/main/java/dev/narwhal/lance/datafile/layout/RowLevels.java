package dev.narwhal.lance.datafile.layout;

import dev.narwhal.lance.datafile.page.PageBuffers;
import dev.narwhal.lance.datafile.page.PageSource;
import dev.narwhal.lance.datafile.page.Scratch;
import dev.narwhal.lance.error.LanceFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Definition levels of a constant page without repetition, one a row: u16 in a buffer of their own,
 * or one compressed block, which is decoded once. Source: file format sheet 4.8.
 */
interface RowLevels {
  /** At least {@code count} checked levels, in scratch memory or not to be changed. */
  short[] read(long firstRow, int count, Scratch scratch) throws IOException;

  /**
   * Checks the level buffers of a page.
   *
   * @param buffer of the definition levels; the one before has repetition levels
   * @param max highest level that the page's layers allow
   */
  static RowLevels open(PageSource page, Layout.Constant layout, int buffer, int max)
      throws IOException {
    PageBuffers buffers = page.buffers();
    if (buffers.sizeBytes(buffer - 1) != 0) {
      throw new LanceFormatException(
          buffers.sizeBytes(buffer - 1) + " bytes of repetition levels in a page without lists");
    }
    if (layout.definition().isPresent()) {
      return compressed(page, layout.definition().get(), layout.definitionLevels(), buffer, max);
    }
    if (buffers.sizeBytes(buffer) == 0) {
      return (firstRow, count, scratch) -> new short[count];
    }
    if (buffers.sizeBytes(buffer) / Short.BYTES != page.rows()
        || buffers.sizeBytes(buffer) % Short.BYTES != 0) {
      throw new LanceFormatException(
          "levels of " + buffers.sizeBytes(buffer) + " bytes for " + page.rows() + " rows");
    }
    return (firstRow, count, scratch) -> {
      ByteBuffer bytes =
          buffers.read(buffer, firstRow * Short.BYTES, (long) count * Short.BYTES, scratch);
      short[] levels = scratch.shorts(count);
      bytes.asShortBuffer().get(levels, 0, count);
      LevelDecoder.check(levels, count, max);
      return levels;
    };
  }

  private static RowLevels compressed(
      PageSource page, Encoding encoding, long levels, int buffer, int max) throws IOException {
    if (levels != page.rows() || levels > Integer.MAX_VALUE - 8) {
      throw new LanceFormatException(
          Long.toUnsignedString(levels) + " levels for " + page.rows() + " rows");
    }
    short[] all =
        new LevelDecoder(encoding, max)
            .decode(page.buffers().read(buffer), (int) levels, Scratch.onHeap());
    return (firstRow, count, scratch) -> {
      short[] part = scratch.shorts(count);
      System.arraycopy(all, (int) firstRow, part, 0, count);
      return part;
    };
  }
}
