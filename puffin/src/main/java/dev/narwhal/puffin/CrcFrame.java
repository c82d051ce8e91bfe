package dev.narwhal.puffin;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * The frame that all layouts share.
 *
 * <pre>
 * byte   size   order   meaning
 * 0      4      BE      n, the number of bytes in the body
 * 4      n      -       body: a magic number and the positions
 * 4+n    4      BE      CRC-32 of the body
 * </pre>
 *
 * <p>An instance is a frame whose length and CRC hold. Only then is anything inside it looked at.
 */
final class CrcFrame {
  static final int BODY_AT = 4;
  static final int MAGIC_BYTES = 4;
  static final int CRC_BYTES = 4;
  static final int OVERHEAD_BYTES = BODY_AT + CRC_BYTES;

  private final byte[] bytes;

  private CrcFrame(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Copies and checks the frame that fills the buffer from its position to its limit.
   *
   * @param magic the first four bytes of the body, read as a little-endian int
   * @throws PuffinFormatException when length, CRC or magic do not hold, looked at in this order
   */
  static CrcFrame open(ByteBuffer frame, int magic) {
    byte[] bytes = new byte[frame.remaining()];
    frame.slice().get(bytes);
    if (bytes.length < OVERHEAD_BYTES + MAGIC_BYTES) {
      throw PuffinFormatException.at(
          0,
          bytes.length + " bytes",
          (OVERHEAD_BYTES + MAGIC_BYTES) + " or more for length, magic and CRC");
    }
    ByteBuffer fields = ByteBuffer.wrap(bytes);
    int length = fields.getInt(0);
    if (length != bytes.length - OVERHEAD_BYTES) {
      throw PuffinFormatException.at(
          0,
          "length " + length,
          (bytes.length - OVERHEAD_BYTES) + " in " + bytes.length + " bytes");
    }
    int crcAt = BODY_AT + length;
    int crc = crc(bytes, length);
    if (fields.getInt(crcAt) != crc) {
      throw PuffinFormatException.at(
          crcAt, "CRC-32 " + Hex.of(fields.getInt(crcAt)), Hex.of(crc) + " of the body");
    }
    int found = LittleEndian.i32(bytes, BODY_AT);
    if (found != magic) {
      throw PuffinFormatException.at(BODY_AT, "magic " + Hex.bytes(found), Hex.bytes(magic));
    }
    return new CrcFrame(bytes);
  }

  /** Writes length and CRC around a body of {@code length} bytes that begins at byte 4. */
  static void seal(byte[] bytes, int length) {
    ByteBuffer fields = ByteBuffer.wrap(bytes);
    fields.putInt(0, length);
    fields.putInt(BODY_AT + length, crc(bytes, length));
  }

  /** The whole frame; nobody changes it. */
  byte[] bytes() {
    return bytes;
  }

  /** Index after the last byte of the body. */
  int bodyEnd() {
    return bytes.length - CRC_BYTES;
  }

  private static int crc(byte[] bytes, int length) {
    CRC32 crc = new CRC32();
    crc.update(bytes, BODY_AT, length);
    return (int) crc.getValue();
  }
}
