package dev.narwhal.cli.source;

import io.airlift.compress.zstd.ZstdDecompressor;
import java.nio.ByteBuffer;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.compression.AbstractCompressionCodec;
import org.apache.arrow.vector.compression.CompressionCodec;
import org.apache.arrow.vector.compression.CompressionUtil.CodecType;
import org.apache.arrow.vector.compression.NoCompressionCodec;

/**
 * Reads compressed buffers of Arrow IPC, Zstandard and LZ4 frames, without native code. A buffer
 * begins with its length before compression, 8 bytes, little-endian.
 */
final class IpcCompression implements CompressionCodec.Factory {
  @Override
  public CompressionCodec createCodec(CodecType type) {
    return switch (type) {
      case NO_COMPRESSION -> NoCompressionCodec.INSTANCE;
      case ZSTD, LZ4_FRAME -> new Codec(type);
    };
  }

  @Override
  public CompressionCodec createCodec(CodecType type, int compressionLevel) {
    return createCodec(type);
  }

  private static final class Codec extends AbstractCompressionCodec {
    private static final long MAX_BYTES = Integer.MAX_VALUE - 16;

    /** Zstandard can say in 4 bytes that a block of 128 KiB is all the same, LZ4 less. */
    private static final long MAX_RATIO = 1 << 15;

    private final CodecType type;

    Codec(CodecType type) {
      this.type = type;
    }

    @Override
    public CodecType getCodecType() {
      return type;
    }

    @Override
    protected ArrowBuf doCompress(BufferAllocator allocator, ArrowBuf uncompressed) {
      throw new UnsupportedOperationException("buffers are only read");
    }

    @Override
    protected ArrowBuf doDecompress(BufferAllocator allocator, ArrowBuf compressed) {
      long length = compressed.getLong(0);
      long stored = compressed.writerIndex() - Long.BYTES;
      boolean possible = length >= 0 && length <= MAX_BYTES && stored >= 0 && stored <= MAX_BYTES;
      if (!possible || length / MAX_RATIO > stored) {
        throw new IllegalArgumentException(
            "a compressed buffer of " + stored + " bytes that says it holds " + length);
      }
      byte[] in = new byte[(int) stored];
      compressed.getBytes(Long.BYTES, in);
      byte[] out =
          type == CodecType.ZSTD ? zstd(in, (int) length) : Lz4Frame.decode(in, (int) length);
      ArrowBuf result = allocator.buffer(length);
      result.setBytes(0, ByteBuffer.wrap(out));
      result.writerIndex(length);
      return result;
    }

    private static byte[] zstd(byte[] in, int length) {
      long said = ZstdDecompressor.getDecompressedSize(in, 0, in.length);
      if (said >= 0 && said != length) {
        throw new IllegalArgumentException(
            "a Zstandard frame of " + said + " bytes where there are " + length);
      }
      byte[] out = new byte[length];
      int written = new ZstdDecompressor().decompress(in, 0, in.length, out, 0, length);
      if (written != length) {
        throw new IllegalArgumentException(
            "a Zstandard frame of " + written + " bytes where there are " + length);
      }
      return out;
    }
  }
}
