package dev.narwhal.puffin;

import static dev.narwhal.puffin.IcebergDvCodec.ONE_KEY_HEADER_BYTES;
import static dev.narwhal.puffin.IcebergDvCodec.ONE_KEY_OVERHEAD_BYTES;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Room for one Iceberg blob with a hole for the Roaring bytes, used again for vector after vector:
 * a file is read straight into the hole, checked there, and framed where it lies, so that no byte
 * of it is ever copied.
 *
 * <pre>
 * reader.readFully(0, frame.body(size));
 * writer.add(dataFile, frame, physicalRows);
 * </pre>
 *
 * <p>Memory is that of the largest vector so far. Not safe for use by many threads.
 */
public final class DvFrame {
  private byte[] bytes = new byte[ONE_KEY_OVERHEAD_BYTES];
  private int portableBytes;
  private boolean sealed;

  /**
   * The hole, for 32-bit portable Roaring bytes to be put into: little-endian, of exactly the given
   * size, its content undefined. What {@link #blob()} gave before is void from here on.
   *
   * @throws IllegalArgumentException for a negative size, or one that leaves no room for the frame
   */
  public ByteBuffer body(int sizeBytes) {
    if (sizeBytes < 0 || sizeBytes > Integer.MAX_VALUE - Byte.SIZE - ONE_KEY_OVERHEAD_BYTES) {
      throw new IllegalArgumentException("sizeBytes must be in [0, 2 GiB): " + sizeBytes);
    }
    if (bytes.length < sizeBytes + ONE_KEY_OVERHEAD_BYTES) {
      bytes = new byte[sizeBytes + ONE_KEY_OVERHEAD_BYTES];
    }
    portableBytes = sizeBytes;
    sealed = false;
    return ByteBuffer.wrap(bytes, ONE_KEY_HEADER_BYTES, sizeBytes)
        .slice()
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Checks the Roaring bytes in one pass and writes the frame around them.
   *
   * @param physicalRows number of rows in the data file, in {@code [0, 2^32]}: positions must be
   *     below it
   * @return the cardinality; at 0 there is nothing to write, since a data file without deletes has
   *     no vector
   * @throws PuffinFormatException when the bytes are not exactly one valid bitmap of such positions
   */
  public long seal(long physicalRows) {
    PortableRoaring.requireRows(physicalRows);
    sealed = false;
    RoaringStructure structure =
        RoaringStructure.checkExactly(
            bytes, ONE_KEY_HEADER_BYTES, ONE_KEY_HEADER_BYTES + portableBytes, physicalRows);
    IcebergDvCodec.sealOneKey(bytes, portableBytes);
    sealed = true;
    return structure.cardinality();
  }

  /**
   * The blob as sealed last: read-only, valid until the next {@link #body(int)}.
   *
   * @throws IllegalStateException when the bytes are not sealed
   */
  public ByteBuffer blob() {
    return sealedBytes().asReadOnlyBuffer();
  }

  /** The blob on its array, for a writer that does not change it. */
  ByteBuffer sealedBytes() {
    if (!sealed) {
      throw new IllegalStateException("the frame is not sealed");
    }
    return ByteBuffer.wrap(bytes, 0, portableBytes + ONE_KEY_OVERHEAD_BYTES).slice();
  }
}
