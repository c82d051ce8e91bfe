package dev.narwhal.lance.datafile.codec;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.error.LanceFormatException;
import io.airlift.compress.Decompressor;
import io.airlift.compress.lz4.Lz4Decompressor;
import io.airlift.compress.zstd.ZstdDecompressor;
import io.airlift.compress.zstd.ZstdInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Undoes the general compression of one unit (a buffer, a chunk's buffer or a value, as the page
 * says).
 *
 * <pre>
 * LZ4    u32 uncompressed size, one raw LZ4 block
 * ZSTD   u64 uncompressed size, one Zstandard frame
 *        or, from old writers, the frame alone
 * </pre>
 *
 * <p>A ZSTD unit is a bare frame when it is shorter than 8 bytes, or when it starts with the frame
 * magic and bit 4 of byte 4 is 0. An empty unit is empty.
 *
 * <p>What a unit claims to hold is believed only up to the caller's limit and up to what its bytes
 * could hold at the scheme's best ratio, before anything is allocated; it must then hold exactly
 * that.
 *
 * <p>An instance holds the scheme's working memory: one thread at a time.
 *
 * <p>Source: file format notes, section 5.11.
 */
public final class UnitDecompressor {
  private static final int ZSTD_MAGIC = 0xFD2FB528;
  private static final int ZSTD_UNUSED_BIT = 1 << 4;

  /** An LZ4 match grows by 255 bytes a length byte. */
  private static final long LZ4_MAX_RATIO = 255;

  /** A Zstandard block of 3 header bytes and at least one more holds up to 128 KiB. */
  private static final long ZSTD_MAX_RATIO = (128 << 10) / 4;

  private static final int FIRST_FRAME_PART = 64 << 10;

  private final Compression scheme;
  private final Decompressor decompressor;

  public UnitDecompressor(Compression scheme) {
    this.scheme = requireNonNull(scheme, "scheme");
    decompressor =
        switch (scheme) {
          case LZ4 -> new Lz4Decompressor();
          case ZSTD -> new ZstdDecompressor();
        };
  }

  /**
   * The unit's content: little-endian, on the heap, position 0, of this call's own making.
   *
   * @param unit from position to limit; its position stays
   * @param maxBytes most that the content may take; more is a format error
   */
  public ByteBuffer decompress(ByteBuffer unit, int maxBytes) {
    byte[] in = new byte[unit.remaining()];
    unit.slice().get(in);
    return ByteBuffer.wrap(decompress(in, maxBytes)).order(ByteOrder.LITTLE_ENDIAN);
  }

  private byte[] decompress(byte[] unit, int maxBytes) {
    if (unit.length == 0) {
      return unit;
    }
    ByteBuffer header = ByteBuffer.wrap(unit).order(ByteOrder.LITTLE_ENDIAN);
    if (scheme == Compression.ZSTD && isBareFrame(header)) {
      return readFrame(unit, 0, maxBytes);
    }
    int prefix = scheme == Compression.LZ4 ? Integer.BYTES : Long.BYTES;
    if (unit.length < prefix) {
      throw new LanceFormatException(
          scheme + " unit of " + unit.length + " bytes, expected at least " + prefix);
    }
    long claimed =
        scheme == Compression.LZ4 ? Integer.toUnsignedLong(header.getInt()) : header.getLong();
    int packedBytes = unit.length - prefix;
    byte[] content = new byte[believable(claimed, packedBytes, maxBytes)];
    if (scheme == Compression.ZSTD && content.length == 0) {
      // the library does not look at a frame when there is no room for its content
      return readFrame(unit, prefix, 0);
    }
    int actual;
    try {
      actual = decompressor.decompress(unit, prefix, packedBytes, content, 0, content.length);
    } catch (RuntimeException e) {
      // the library documents MalformedInputException, damaged tables bring others out of it
      throw new LanceFormatException(scheme + " unit is damaged: " + e.getMessage(), e);
    }
    if (actual != content.length) {
      throw new LanceFormatException(
          scheme + " unit holds " + actual + " bytes, claims " + content.length);
    }
    return content;
  }

  private int believable(long claimed, int packedBytes, int maxBytes) {
    long ratio = scheme == Compression.LZ4 ? LZ4_MAX_RATIO : ZSTD_MAX_RATIO;
    if (claimed < 0 || claimed > maxBytes || claimed > packedBytes * ratio) {
      throw new LanceFormatException(
          scheme
              + " unit claims "
              + Long.toUnsignedString(claimed)
              + " bytes from "
              + packedBytes
              + ", at most "
              + Math.min(maxBytes, packedBytes * ratio)
              + " are possible");
    }
    return (int) claimed;
  }

  private static boolean isBareFrame(ByteBuffer unit) {
    return unit.limit() < Long.BYTES
        || (unit.getInt(0) == ZSTD_MAGIC && (unit.get(4) & ZSTD_UNUSED_BIT) == 0);
  }

  /** Old writers streamed their frames: the frame header need not tell the size. */
  private static byte[] readFrame(byte[] unit, int from, int maxBytes) {
    byte[] content = new byte[Math.min(maxBytes, FIRST_FRAME_PART)];
    int size = 0;
    try (ZstdInputStream in =
        new ZstdInputStream(new ByteArrayInputStream(unit, from, unit.length - from))) {
      while (true) {
        if (size == content.length) {
          int next = in.read();
          if (next < 0) {
            break;
          }
          if (size == maxBytes) {
            throw new LanceFormatException("ZSTD frame holds more than " + maxBytes + " bytes");
          }
          content = Arrays.copyOf(content, (int) Math.min(maxBytes, 2L * size + 1));
          content[size++] = (byte) next;
        }
        int read = in.read(content, size, content.length - size);
        if (read < 0) {
          break;
        }
        size += read;
      }
    } catch (LanceFormatException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw new LanceFormatException("ZSTD frame is damaged: " + e.getMessage(), e);
    }
    return size == content.length ? content : Arrays.copyOf(content, size);
  }
}
