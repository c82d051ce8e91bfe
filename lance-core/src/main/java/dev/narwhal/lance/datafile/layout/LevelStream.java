package dev.narwhal.lance.datafile.layout;

import dev.narwhal.lance.datafile.page.PageBuffers;
import dev.narwhal.lance.datafile.page.Scratch;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.io.IOException;
import java.lang.ref.SoftReference;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All levels of one kind of a constant page: u16 in a buffer of their own, or one compressed block.
 * A block is decoded anew when its levels were given up, because the memory was wanted elsewhere:
 * rows have no index here, so that every read needs them. Safe for use by many threads. Source:
 * file format sheet 4.8.
 */
final class LevelStream {
  /** Of a page; real ones have some 2 million. A small block may claim any number. */
  private static final int MAX_LEVELS = 16 << 20;

  private final int count;
  private final short @Nullable [] levels;
  private final ByteBuffer block;
  private final @Nullable LevelDecoder decoder;
  private SoftReference<short[]> decoded = new SoftReference<>(null);

  private LevelStream(
      int count, short @Nullable [] levels, ByteBuffer block, @Nullable LevelDecoder decoder) {
    this.count = count;
    this.levels = levels;
    this.block = block;
    this.decoder = decoder;
  }

  /**
   * Reads the levels in a buffer, or nothing when there are none.
   *
   * @param declared number of levels in a compressed block
   * @param max highest level that the page's layers allow
   */
  static Optional<LevelStream> open(
      PageBuffers buffers, int buffer, Optional<Encoding> encoding, long declared, int max)
      throws IOException {
    long sizeBytes = buffers.sizeBytes(buffer);
    if (encoding.isEmpty() && sizeBytes == 0) {
      return Optional.empty();
    }
    if (encoding.isEmpty() && sizeBytes % Short.BYTES != 0) {
      throw new LanceFormatException("levels of 16 bits in " + sizeBytes + " bytes");
    }
    long count = encoding.isEmpty() ? sizeBytes / Short.BYTES : declared;
    if (count < 0 || count > MAX_LEVELS) {
      throw new UnsupportedFeatureException(
          "a constant page of "
              + Long.toUnsignedString(count)
              + " levels is not supported, only up to "
              + MAX_LEVELS);
    }
    ByteBuffer bytes = buffers.read(buffer);
    if (encoding.isPresent()) {
      return Optional.of(
          new LevelStream((int) count, null, bytes, new LevelDecoder(encoding.get(), max)));
    }
    short[] levels = new short[(int) count];
    bytes.asShortBuffer().get(levels);
    LevelDecoder.check(levels, levels.length, max);
    return Optional.of(new LevelStream(levels.length, levels, ByteBuffer.allocate(0), null));
  }

  int count() {
    return count;
  }

  /** At least {@link #count} levels. Not to be changed. */
  short[] levels() {
    if (levels != null) {
      return levels;
    }
    if (decoder == null) {
      throw new IllegalStateException("levels are either decoded or can be");
    }
    synchronized (this) {
      short[] known = decoded.get();
      if (known == null) {
        known = decoder.decode(block, count, Scratch.onHeap());
        decoded = new SoftReference<>(known);
      }
      return known;
    }
  }
}
