package dev.narwhal.lance.deletion;

import dev.narwhal.lance.error.LanceFormatException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Decodes an LZ4 frame, as Arrow IPC compresses with.
 *
 * <pre>
 * u32     magic 0x184D2204
 * byte    flags: bits 7-6 version 1, 5 blocks are independent, 4 block checksums, 3 content size,
 *         2 content checksum, 0 dictionary id
 * byte    block size limit
 * u64     content size                      if flagged
 * byte    header checksum
 * blocks  u32 size (bit 31: stored as is), bytes, u32 checksum if flagged
 * u32     0
 * u32     content checksum                  if flagged
 * </pre>
 *
 * <p>The length is known from outside and must be met exactly. Checksums are passed over. The
 * library's decoder knows only blocks that do not refer to earlier ones, so blocks are decoded
 * here.
 */
final class Lz4Frame {
  private static final int MAGIC = 0x184D2204;
  private static final int STORED = 1 << 31;
  private static final int MIN_MATCH = 4;
  private static final String TOO_LONG = "more content than expected";

  /** A length byte of 255 adds at most that many bytes. */
  private static final long MAX_RATIO = 255;

  private final ByteBuffer in;
  private final byte[] out;
  private int at;

  private Lz4Frame(ByteBuffer frame, int length) {
    in = frame.slice().order(ByteOrder.LITTLE_ENDIAN);
    require(length <= in.limit() * MAX_RATIO, "a content of " + length + " bytes is impossible");
    out = new byte[length];
  }

  /** The frame's content, which must have exactly the given length. */
  static byte[] decode(ByteBuffer frame, int length) {
    Lz4Frame decoder = new Lz4Frame(frame, length);
    decoder.decode();
    return decoder.out;
  }

  private void decode() {
    requireBytes(7);
    require(in.getInt() == MAGIC, "no magic");
    int flags = in.get();
    require((flags & 0xC0) == 0x40, "unknown version");
    require((flags & 1) == 0, "a dictionary is needed");
    boolean independent = (flags & 1 << 5) != 0;
    boolean blockChecksums = (flags & 1 << 4) != 0;
    in.get();
    if ((flags & 1 << 3) != 0) {
      requireBytes(Long.BYTES);
      require(in.getLong() == out.length, "a content size other than " + out.length);
    }
    skip(1);
    for (int size = blockSize(); size != 0; size = blockSize()) {
      int bytes = size & ~STORED;
      requireBytes(bytes);
      int end = in.position() + bytes;
      if ((size & STORED) != 0) {
        copyLiterals(bytes);
      } else {
        decodeBlock(end, independent ? at : 0);
      }
      if (blockChecksums) {
        skip(Integer.BYTES);
      }
    }
    if ((flags & 1 << 2) != 0) {
      skip(Integer.BYTES);
    }
    require(at == out.length, at + " bytes of content, expected " + out.length);
    require(!in.hasRemaining(), in.remaining() + " bytes are left");
  }

  /**
   * Sequences of a token (literals in the high, match in the low 4 bits), literals, a u16 distance
   * back and a match of at least 4 bytes; the last one ends after its literals.
   */
  private void decodeBlock(int end, int historyStart) {
    while (in.position() < end) {
      int token = in.get() & 0xFF;
      int literals = length(token >>> 4, end);
      require(literals <= end - in.position(), "literals leave their block");
      copyLiterals(literals);
      if (in.position() == end) {
        return;
      }
      require(end - in.position() >= Short.BYTES, "a match without a distance");
      int distance = in.getChar();
      require(distance > 0 && distance <= at - historyStart, "a match before the start");
      int match = length(token & 15, end) + MIN_MATCH;
      require(match <= out.length - at, TOO_LONG);
      for (int i = 0; i < match; i++, at++) {
        // may overlap what it writes: byte by byte
        out[at] = out[at - distance];
      }
    }
  }

  private int length(int nibble, int end) {
    int length = nibble;
    if (nibble == 15) {
      int more;
      do {
        require(in.position() < end, "a length leaves its block");
        more = in.get() & 0xFF;
        length += more;
        require(length <= out.length, TOO_LONG);
      } while (more == 255);
    }
    return length;
  }

  private void copyLiterals(int bytes) {
    require(bytes <= out.length - at, TOO_LONG);
    in.get(out, at, bytes);
    at += bytes;
  }

  private int blockSize() {
    requireBytes(Integer.BYTES);
    return in.getInt();
  }

  private void skip(int bytes) {
    requireBytes(bytes);
    in.position(in.position() + bytes);
  }

  private void requireBytes(int bytes) {
    require(bytes >= 0 && in.remaining() >= bytes, "it is cut off");
  }

  private static void require(boolean holds, String found) {
    if (!holds) {
      throw new LanceFormatException("LZ4 frame is damaged: " + found);
    }
  }
}
