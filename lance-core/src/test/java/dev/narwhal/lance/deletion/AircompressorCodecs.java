package dev.narwhal.lance.deletion;

import io.airlift.compress.lz4.Lz4Compressor;
import io.airlift.compress.lz4.Lz4Decompressor;
import io.airlift.compress.zstd.ZstdCompressor;
import io.airlift.compress.zstd.ZstdDecompressor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.compression.AbstractCompressionCodec;
import org.apache.arrow.vector.compression.CompressionCodec;
import org.apache.arrow.vector.compression.CompressionUtil.CodecType;
import org.apache.arrow.vector.compression.NoCompressionCodec;

/** Lets Arrow's own reader and writer compress, so that they can judge ours. */
final class AircompressorCodecs implements CompressionCodec.Factory {
  @Override
  public CompressionCodec createCodec(CodecType type) {
    return type == CodecType.NO_COMPRESSION ? NoCompressionCodec.INSTANCE : new Codec(type);
  }

  @Override
  public CompressionCodec createCodec(CodecType type, int level) {
    return createCodec(type);
  }

  /** An LZ4 frame of independent blocks of 64 KiB, the first one stored as it is. */
  static byte[] lz4Frame(byte[] content) {
    ByteBuffer out = ByteBuffer.allocate(2 * content.length + 1000).order(ByteOrder.LITTLE_ENDIAN);
    out.putInt(0x184D2204).put((byte) 0x60).put((byte) 0x40).put((byte) 0);
    for (int from = 0; from < content.length; from += 1 << 16) {
      int length = Math.min(1 << 16, content.length - from);
      if (from == 0) {
        out.putInt(length | 1 << 31).put(content, 0, length);
      } else {
        byte[] block = new byte[new Lz4Compressor().maxCompressedLength(length)];
        int size = new Lz4Compressor().compress(content, from, length, block, 0, block.length);
        out.putInt(size).put(block, 0, size);
      }
    }
    out.putInt(0).flip();
    byte[] frame = new byte[out.limit()];
    out.get(frame);
    return frame;
  }

  private static final class Codec extends AbstractCompressionCodec {
    private final CodecType type;

    Codec(CodecType type) {
      this.type = type;
    }

    @Override
    public CodecType getCodecType() {
      return type;
    }

    @Override
    protected ArrowBuf doCompress(BufferAllocator allocator, ArrowBuf plain) {
      byte[] content = bytes(plain, 0, plain.writerIndex());
      byte[] packed;
      if (type == CodecType.ZSTD) {
        byte[] room = new byte[new ZstdCompressor().maxCompressedLength(content.length)];
        int size = new ZstdCompressor().compress(content, 0, content.length, room, 0, room.length);
        packed = Arrays.copyOf(room, size);
      } else {
        packed = lz4Frame(content);
      }
      ArrowBuf out = allocator.buffer(8L + packed.length);
      out.setLong(0, content.length);
      out.setBytes(8, packed);
      out.writerIndex(8L + packed.length);
      return out;
    }

    @Override
    protected ArrowBuf doDecompress(BufferAllocator allocator, ArrowBuf packed) {
      int size = (int) packed.getLong(0);
      byte[] in = bytes(packed, 8, packed.writerIndex() - 8);
      byte[] content = new byte[size];
      int actual =
          type == CodecType.ZSTD
              ? new ZstdDecompressor().decompress(in, 0, in.length, content, 0, size)
              : new Lz4Decompressor().decompress(in, 0, in.length, content, 0, size);
      ArrowBuf out = allocator.buffer(actual);
      out.setBytes(0, content);
      out.writerIndex(actual);
      return out;
    }

    private static byte[] bytes(ArrowBuf buffer, long from, long length) {
      byte[] bytes = new byte[(int) length];
      buffer.getBytes(from, bytes);
      return bytes;
    }
  }
}
