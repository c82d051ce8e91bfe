package dev.narwhal.lance.deletion;

import dev.narwhal.lance.error.LanceFormatException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.roaringbitmap.RoaringBitmap;

/**
 * A deletion file in array encoding: an Arrow IPC file with one record batch and one column, {@code
 * row_id}, uint32 and not nullable.
 *
 * <p>Read: offsets in any order, duplicates; buffers plain or compressed with ZSTD or LZ4; with or
 * without a validity buffer; metadata versions 4 and 5. Written: ascending offsets, ZSTD, no
 * validity buffer, version 5.
 *
 * <p>Source: table format sheet 4.3.
 */
public final class ArrayCodec {
  private static final int MAX_WRITTEN = 1 << 28;

  private ArrayCodec() {}

  /**
   * The offsets that a file holds.
   *
   * @param bytes the whole file, from position to limit; its position stays
   * @param physicalRows rows of the fragment, in [0, 2^32]; an offset past them is a format error
   */
  public static DeletionVector decode(ByteBuffer bytes, long physicalRows) {
    // a vector has at most as many entries as the fragment has rows, but for duplicates
    long maxEntries = Math.max(physicalRows, bytes.remaining());
    ByteBuffer values = ArrayFileReader.read(bytes, maxEntries);
    int[] offsets = new int[values.remaining() / Integer.BYTES];
    values.asIntBuffer().get(offsets);
    for (int i = 0; i < offsets.length; i++) {
      if (Integer.toUnsignedLong(offsets[i]) >= physicalRows) {
        throw new LanceFormatException(
            "deleted offset "
                + Integer.toUnsignedString(offsets[i])
                + " in a fragment of "
                + physicalRows
                + " rows");
      }
    }
    return DeletionVector.owning(RoaringBitmap.bitmapOfUnordered(offsets));
  }

  /**
   * The file's bytes: read-only, little-endian, position 0.
   *
   * @throws IllegalArgumentException when there are more than 2^28 offsets
   */
  public static ByteBuffer encode(DeletionVector vector) {
    if (vector.cardinality() > MAX_WRITTEN) {
      throw new IllegalArgumentException(
          vector.cardinality() + " offsets are too many for an array, use a bitmap");
    }
    int[] offsets = vector.toArray();
    ByteBuffer values =
        ByteBuffer.allocate(offsets.length * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    values.asIntBuffer().put(offsets);
    return ArrayFileWriter.write(values);
  }
}
