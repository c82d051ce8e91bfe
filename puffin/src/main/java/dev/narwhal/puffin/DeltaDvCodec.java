package dev.narwhal.puffin;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * Delta's vectors in files of their own (storage types {@code u} and {@code p}).
 *
 * <pre>
 * byte   size   order   meaning
 * 0      1      -       version 1
 * 1      ...            vectors end to end, each
 *        4      BE        n = length of the payload
 *        n      LE        payload: magic D1 D3 39 64, u64 count, keys and 32-bit portable Roaring
 *        4      BE        CRC-32 of the payload
 * </pre>
 *
 * <p>A vector with size and CRC is, byte for byte, an Iceberg blob ({@link IcebergDvCodec}). The
 * log records as {@code offset} where the size field lies, and as {@code sizeInBytes} the n in it,
 * without size field and CRC.
 *
 * <p>Source: Delta protocol, "deletion vector format" and "deletion vector file storage format";
 * golden files of Delta 4.4.0.
 */
public final class DeltaDvCodec {
  private DeltaDvCodec() {}

  /**
   * A file that holds this one vector: read-only.
   *
   * @throws IllegalArgumentException when it would take 2 GiB or more
   */
  public static ByteBuffer encodeFile(PositionSet positions) {
    return VersionedFile.of(IcebergDvCodec.encode(positions));
  }

  /** All vectors of a file, as a log would record them. */
  public static List<VectorRange> ranges(ByteBuffer file) {
    return VersionedFile.ranges(file, length -> length);
  }

  /**
   * One vector of a whole file.
   *
   * @param range {@code offset} and {@code sizeInBytes} of the log
   * @throws PuffinFormatException when file or vector break the layout in any way; offsets in the
   *     message count from the vector
   */
  public static PositionSet decode(ByteBuffer file, VectorRange range) {
    ByteBuffer blob = VersionedFile.framed(file, range);
    try {
      return IcebergDvCodec.decode(blob);
    } catch (PuffinFormatException e) {
      throw e.in("vector in " + range);
    }
  }
}
