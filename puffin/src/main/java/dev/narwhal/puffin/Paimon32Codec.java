package dev.narwhal.puffin;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Paimon's 32-bit vectors, the default, in index files of their own.
 *
 * <pre>
 * byte   size   order   meaning
 * 0      1      -       version 1
 * 1      ...            vectors end to end, each
 *        4      BE        n = length of magic and bitmap
 *        4      -         magic 5E 43 F2 D0
 *        n-4    LE        positions, 32-bit portable Roaring ({@link RoaringStructure})
 *        4      BE        CRC-32 of magic and bitmap
 * </pre>
 *
 * <p>Paimon's index manifest records for each vector the offset of its length field, and the n in
 * it, without length field and CRC.
 *
 * <p>Source: Paimon spec, "table index", "deletion vectors index"; golden files of Paimon 1.4.2.
 */
public final class Paimon32Codec {
  /** The bytes 5E 43 F2 D0 as a little-endian int. */
  static final int MAGIC = 0xD0F2_435E;

  private static final int BITMAP_AT = CrcFrame.BODY_AT + CrcFrame.MAGIC_BYTES;

  private Paimon32Codec() {}

  /**
   * One vector with length and CRC: read-only.
   *
   * @throws IllegalArgumentException for a position of 2^31 or more: Paimon keeps 32-bit vectors
   *     for files of fewer rows
   */
  public static ByteBuffer encode(PositionSet positions) {
    if (positions.max() > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "position "
              + positions.max()
              + " is too large for Paimon's 32-bit vectors, the limit is"
              + " 2^31-1; use 64-bit vectors");
    }
    ByteBuffer portable = positions.toPortable();
    byte[] bytes = new byte[BITMAP_AT + portable.remaining() + CrcFrame.CRC_BYTES];
    ByteBuffer.wrap(bytes)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(CrcFrame.BODY_AT, MAGIC)
        .position(BITMAP_AT)
        .put(portable);
    CrcFrame.seal(bytes, bytes.length - CrcFrame.OVERHEAD_BYTES);
    return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
  }

  /**
   * The set in a vector that fills the buffer from its position to its limit.
   *
   * @throws PuffinFormatException when the vector breaks the layout in any way
   */
  public static PositionSet decode(ByteBuffer vector) {
    CrcFrame frame = CrcFrame.open(vector, MAGIC);
    ByteBuffer bitmap = ByteBuffer.wrap(frame.bytes(), BITMAP_AT, frame.bodyEnd() - BITMAP_AT);
    try {
      return PositionSet.fromPortable(bitmap);
    } catch (PuffinFormatException e) {
      throw e.in("bitmap at byte " + BITMAP_AT);
    }
  }

  /** A file that holds this one vector: read-only; limits as in {@link #encode}. */
  public static ByteBuffer encodeFile(PositionSet positions) {
    return VersionedFile.of(encode(positions));
  }

  /** All vectors of a file, as Paimon would record them. */
  public static List<VectorRange> ranges(ByteBuffer file) {
    return VersionedFile.ranges(file, length -> length);
  }

  /**
   * One vector of a whole file.
   *
   * @throws PuffinFormatException when file or vector break the layout in any way; offsets in the
   *     message count from the vector
   */
  public static PositionSet decode(ByteBuffer file, VectorRange range) {
    ByteBuffer vector = VersionedFile.framed(file, range);
    try {
      return decode(vector);
    } catch (PuffinFormatException e) {
      throw e.in("vector in " + range);
    }
  }
}
