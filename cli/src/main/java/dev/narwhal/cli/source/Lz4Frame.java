package dev.narwhal.cli.source;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The LZ4 frame format; blocks may refer to those before. Checksums are skipped.
 *
 * <pre>
 * 4 bytes   magic 0x184D2204, little-endian
 * 1 byte    flags: version 01 in bits 7..6, 5 independent blocks, 4 block checksums,
 *           3 content size, 2 content checksum, 0 dictionary id
 * 1 byte    largest block
 * 8 bytes   content size, if flagged
 * 4 bytes   dictionary id, if flagged
 * 1 byte    checksum of the header
 * blocks    4 bytes length, bit 31 set for a block that is stored; its bytes; 4 bytes checksum, if
 *           flagged. Length 0 ends
 * 4 bytes   checksum of the content, if flagged
 * </pre>
 *
 * <p>Source: LZ4 Frame Format Description 1.6.
 */
final class Lz4Frame {
  private static final int MAGIC = 0x184D2204;
  private static final int MIN_MATCH = 4;

  private final ByteBuffer in;
  private final byte[] out;
  private int at;

  private Lz4Frame(byte[] in, int length) {
    this.in = ByteBuffer.wrap(in).order(ByteOrder.LITTLE_ENDIAN);
    this.out = new byte[length];
  }

  /**
   * Decodes a frame.
   *
   * @param length of its content
   * @throws IllegalArgumentException when the bytes break the format, or have another length
   */
  static byte[] decode(byte[] frame, int length) {
    return new Lz4Frame(frame, length).decode();
  }

  private byte[] decode() {
    require(in.remaining() >= 7 && in.getInt() == MAGIC, "does not begin with an LZ4 frame");
    int flags = in.get();
    require((flags >> 6 & 3) == 1, "an LZ4 frame of an unknown version");
    boolean blockChecksums = (flags & 0x10) != 0;
    int rest = 2 + ((flags & 0x08) != 0 ? 8 : 0) + ((flags & 0x01) != 0 ? 4 : 0);
    skip(rest);
    while (true) {
      require(in.remaining() >= 4, "an LZ4 frame that is cut off");
      int size = in.getInt();
      if (size == 0) {
        break;
      }
      boolean stored = size < 0;
      int bytes = size & 0x7FFF_FFFF;
      require(bytes <= in.remaining(), "an LZ4 block that is cut off");
      int end = in.position() + bytes;
      if (stored) {
        copy(bytes);
      } else {
        block(end);
      }
      if (blockChecksums) {
        skip(4);
      }
    }
    require(at == out.length, "an LZ4 frame of " + at + " bytes, expected " + out.length);
    return out;
  }

  private void block(int end) {
    while (in.position() < end) {
      int token = in.get() & 0xFF;
      int literals = length(token >> 4, end);
      require(literals <= end - in.position(), "LZ4 literals past the end of their block");
      copy(literals);
      if (in.position() == end) {
        return; // the last sequence has no match
      }
      require(end - in.position() >= 2, "an LZ4 match that is cut off");
      int offset = in.getShort() & 0xFFFF;
      int match = length(token & 15, end) + MIN_MATCH;
      require(offset > 0 && offset <= at, "an LZ4 match before the beginning");
      require(match > 0 && match <= out.length - at, "more LZ4 content than " + out.length);
      for (int i = 0; i < match; i++, at++) {
        out[at] = out[at - offset];
      }
    }
  }

  private int length(int nibble, int end) {
    long length = nibble;
    if (nibble == 15) {
      int more;
      do {
        require(in.position() < end, "an LZ4 length that is cut off");
        more = in.get() & 0xFF;
        length += more;
      } while (more == 255);
    }
    require(length < Integer.MAX_VALUE - MIN_MATCH, "an LZ4 length of " + length);
    return (int) length;
  }

  private void copy(int bytes) {
    require(bytes <= out.length - at, "more LZ4 content than " + out.length);
    in.get(out, at, bytes);
    at += bytes;
  }

  private void skip(int bytes) {
    require(in.remaining() >= bytes, "an LZ4 frame that is cut off");
    in.position(in.position() + bytes);
  }

  private static void require(boolean holds, String failure) {
    if (!holds) {
      throw new IllegalArgumentException("compressed buffer: " + failure);
    }
  }
}
