package dev.narwhal.lance.datafile.array;

import dev.narwhal.lance.datafile.codec.Compression;
import dev.narwhal.lance.datafile.codec.UnitDecompressor;
import dev.narwhal.lance.datafile.page.PageBuffers;
import dev.narwhal.lance.datafile.page.Scratch;
import dev.narwhal.lance.error.LanceFormatException;
import java.io.IOException;
import java.lang.ref.SoftReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** The bytes of one buffer, whatever way they are stored. Safe for use by many threads. */
interface PageBytes {
  /**
   * Part of the bytes: little-endian, from index 0 on, valid until the next read into the same
   * scratch.
   */
  ByteBuffer read(long offset, long sizeBytes, Scratch scratch) throws IOException;

  /** A LanceFormatException unless there may be so many bytes. */
  void require(long sizeBytes);

  /** Stored as they are, read where they are wanted. */
  record Stored(PageBuffers buffers, int buffer) implements PageBytes {
    @Override
    public ByteBuffer read(long offset, long sizeBytes, Scratch scratch) throws IOException {
      return buffers.read(buffer, offset, sizeBytes, scratch);
    }

    @Override
    public void require(long sizeBytes) {
      if (buffers.sizeBytes(buffer) < sizeBytes) {
        throw new LanceFormatException(
            "page buffer "
                + buffer
                + " has "
                + buffers.sizeBytes(buffer)
                + " bytes, expected "
                + sizeBytes);
      }
    }
  }

  /** Stored as they are, read to the heap: for what a decoder keeps. */
  record Kept(Stored stored) implements PageBytes {
    @Override
    public ByteBuffer read(long offset, long sizeBytes, Scratch scratch) throws IOException {
      return stored.buffers().read(stored.buffer(), offset, sizeBytes);
    }

    @Override
    public void require(long sizeBytes) {
      stored.require(sizeBytes);
    }
  }

  /**
   * Compressed as one unit: to read any part is to decompress all. The content stays as long as
   * memory allows, since the next batch of rows needs it again.
   */
  final class Compressed implements PageBytes {
    private static final int MAX_UNIT_BYTES = 256 << 20;

    private final PageBuffers buffers;
    private final int buffer;
    private final Compression scheme;
    private volatile SoftReference<@Nullable ByteBuffer> content = new SoftReference<>(null);

    Compressed(PageBuffers buffers, int buffer, Compression scheme) {
      this.buffers = buffers;
      this.buffer = buffer;
      this.scheme = scheme;
    }

    @Override
    public ByteBuffer read(long offset, long sizeBytes, Scratch scratch) throws IOException {
      ByteBuffer all = content();
      if (offset < 0 || sizeBytes < 0 || offset > all.limit() - sizeBytes) {
        throw new LanceFormatException(
            "page buffer "
                + buffer
                + " holds "
                + all.limit()
                + " bytes, expected "
                + sizeBytes
                + " at offset "
                + offset);
      }
      return all.slice((int) offset, (int) sizeBytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** What is in it shows when it is read. */
    @Override
    public void require(long sizeBytes) {
      if (sizeBytes > 0 && buffers.sizeBytes(buffer) == 0) {
        throw new LanceFormatException(
            "page buffer " + buffer + " is empty, expected " + sizeBytes + " bytes");
      }
    }

    private ByteBuffer content() throws IOException {
      ByteBuffer known = content.get();
      if (known == null) {
        known = new UnitDecompressor(scheme).decompress(buffers.read(buffer), MAX_UNIT_BYTES);
        content = new SoftReference<>(known);
      }
      return known;
    }
  }
}
