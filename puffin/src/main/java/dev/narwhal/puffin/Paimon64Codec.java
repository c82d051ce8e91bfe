package dev.narwhal.puffin;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * Paimon's 64-bit vectors ({@code deletion-vectors.bitmap64}), in index files of their own.
 *
 * <pre>
 * byte   size   order   meaning
 * 0      1      -       version 1
 * 1      ...            vectors end to end, each a whole Iceberg blob ({@link IcebergDvCodec})
 * </pre>
 *
 * <p>Paimon's index manifest records for each vector the offset of its first byte, the length
 * field, and the size of the whole blob.
 *
 * <p>Source: Paimon spec, "table index", "deletion vectors index"; golden files of Paimon 1.4.2.
 * Byte for byte such a file could be one of Delta's ({@link DeltaDvCodec}); only the recorded
 * lengths differ.
 */
public final class Paimon64Codec {
  private Paimon64Codec() {}

  /**
   * A file that holds this one vector: read-only.
   *
   * @throws IllegalArgumentException when it would take 2 GiB or more
   */
  public static ByteBuffer encodeFile(PositionSet positions) {
    return VersionedFile.of(IcebergDvCodec.encode(positions));
  }

  /** All vectors of a file, as Paimon would record them. */
  public static List<VectorRange> ranges(ByteBuffer file) {
    return VersionedFile.ranges(file, length -> length + CrcFrame.OVERHEAD_BYTES);
  }

  /**
   * One vector of a whole file.
   *
   * @throws PuffinFormatException when file or vector break the layout in any way; offsets in the
   *     message count from the vector
   */
  public static PositionSet decode(ByteBuffer file, VectorRange range) {
    ByteBuffer blob = VersionedFile.frame(file, range.offset(), range.length());
    try {
      return IcebergDvCodec.decode(blob);
    } catch (PuffinFormatException e) {
      throw e.in("vector in " + range);
    }
  }
}
