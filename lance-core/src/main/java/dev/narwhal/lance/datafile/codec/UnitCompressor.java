package dev.narwhal.lance.datafile.codec;

import static java.util.Objects.requireNonNull;

import io.airlift.compress.Compressor;
import io.airlift.compress.lz4.Lz4Compressor;
import io.airlift.compress.zstd.ZstdCompressor;

/**
 * Makes the units that {@link UnitDecompressor} undoes. An instance holds the scheme's working
 * memory: one thread at a time.
 *
 * <p>Source: file format notes, section 5.11.
 */
public final class UnitCompressor {
  private final Compression scheme;
  private final Compressor compressor;

  public UnitCompressor(Compression scheme) {
    this.scheme = requireNonNull(scheme, "scheme");
    compressor =
        switch (scheme) {
          case LZ4 -> new Lz4Compressor();
          case ZSTD -> new ZstdCompressor();
        };
  }

  /**
   * Appends one unit.
   *
   * @param content bytes {@code [from, from + count)} of it
   */
  public void compress(byte[] content, int from, int count, GrowingBytes target) {
    switch (scheme) {
      case LZ4 -> target.putInt(count);
      case ZSTD -> target.putLong(count);
    }
    int room = compressor.maxCompressedLength(count);
    int at = target.extend(room);
    int written = compressor.compress(content, from, count, target.array(), at, room);
    target.truncate(at + written);
  }
}
