package dev.narwhal.puffin;

import static dev.narwhal.puffin.IcebergDvCodec.ONE_KEY_HEADER_BYTES;
import static dev.narwhal.puffin.IcebergDvCodec.ONE_KEY_OVERHEAD_BYTES;
import static dev.narwhal.puffin.PositionSet.KEY_SPAN;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * 32-bit portable Roaring bytes whose structure has been checked in one pass, without decoding them
 * to positions: what a Lance bitmap file holds, and the body of an Iceberg blob with key 0.
 *
 * <p>The bytes are kept as they came, run containers or not. They lie in memory where a blob needs
 * them, so that {@link IcebergDvCodec#splice} only writes the frame around them.
 *
 * <p>Immutable; safe for use by many threads.
 */
public final class PortableRoaring {
  private static final PortableRoaring EMPTY = of(PositionSet.empty().toPortable(), 0);

  /** A blob of one bitmap; its frame is written when first asked for. */
  private final byte[] blob;

  private final RoaringStructure structure;
  private boolean sealed;

  private PortableRoaring(byte[] blob, RoaringStructure structure) {
    this.blob = blob;
    this.structure = structure;
  }

  public static PortableRoaring empty() {
    return EMPTY;
  }

  /**
   * Copies and checks the bytes from the buffer's position to its limit; the buffer stays as it is.
   *
   * @param physicalRows number of rows in the data file, in {@code [0, 2^32]}: positions must be
   *     below it
   * @throws PuffinFormatException when the bytes are not exactly one valid bitmap of such positions
   */
  public static PortableRoaring of(ByteBuffer portable, long physicalRows) {
    requireRows(physicalRows);
    byte[] blob = new byte[Math.addExact(ONE_KEY_OVERHEAD_BYTES, portable.remaining())];
    portable.slice().get(blob, ONE_KEY_HEADER_BYTES, portable.remaining());
    return check(blob, physicalRows);
  }

  /** Takes the bytes of a bitmap that a check has passed out of a larger array. */
  static PortableRoaring ofChecked(byte[] bytes, int at, RoaringStructure structure) {
    int size = structure.sizeBytes();
    byte[] blob = new byte[ONE_KEY_OVERHEAD_BYTES + size];
    System.arraycopy(bytes, at, blob, ONE_KEY_HEADER_BYTES, size);
    return new PortableRoaring(blob, structure);
  }

  static void requireRows(long physicalRows) {
    if (physicalRows < 0 || physicalRows > KEY_SPAN) {
      throw new IllegalArgumentException("physicalRows must be in [0, 2^32]: " + physicalRows);
    }
  }

  public boolean isEmpty() {
    return structure.cardinality() == 0;
  }

  /** In {@code [0, 2^32]}. */
  public long cardinality() {
    return structure.cardinality();
  }

  /** The greatest position, -1 when there is none. */
  public long max() {
    return structure.max();
  }

  public int sizeBytes() {
    return structure.sizeBytes();
  }

  /** The bytes: little-endian, read-only. */
  public ByteBuffer bytes() {
    return ByteBuffer.wrap(blob, ONE_KEY_HEADER_BYTES, structure.sizeBytes())
        .slice()
        .asReadOnlyBuffer()
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  /** The positions, decoded. */
  public PositionSet positions() {
    PositionSet.Parts parts = new PositionSet.Parts();
    parts.add(0, IcebergDvCodec.bitmap(blob, ONE_KEY_HEADER_BYTES, structure.sizeBytes()));
    return parts.toSet();
  }

  /**
   * The positions in {@code [start, endExclusive)}, shifted so that {@code start} becomes 0.
   *
   * <p>When {@code start} is a multiple of 65,536 and {@code endExclusive} is one too or lies
   * beyond every position, whole containers are copied under new keys: no position is looked at.
   * Otherwise the slice is decoded, shifted and encoded anew.
   *
   * @throws IllegalArgumentException unless {@code 0 <= start <= endExclusive}
   */
  public PortableRoaring slice(long start, long endExclusive) {
    if (start < 0 || endExclusive < start) {
      throw new IllegalArgumentException(
          "slice must have 0 <= start <= end: [" + start + ", " + endExclusive + ")");
    }
    if (start == 0 && endExclusive > max()) {
      return this;
    }
    if (ContainerSlice.isAligned(start)
        && (ContainerSlice.isAligned(endExclusive) || endExclusive > max())) {
      long endKey = endExclusive > max() ? RoaringStructure.MAX_CONTAINERS : endExclusive >>> 16;
      return check(ContainerSlice.copy(blob, start >>> 16, endKey), KEY_SPAN);
    }
    return of(positions().slice(start, endExclusive).toPortable(), KEY_SPAN);
  }

  /** The blob; the caller must not change it. */
  synchronized ByteBuffer sealed() {
    if (!sealed) {
      IcebergDvCodec.sealOneKey(blob, structure.sizeBytes());
      sealed = true;
    }
    return ByteBuffer.wrap(blob);
  }

  private static PortableRoaring check(byte[] blob, long physicalRows) {
    return new PortableRoaring(
        blob,
        RoaringStructure.checkExactly(
            blob, ONE_KEY_HEADER_BYTES, blob.length - CrcFrame.CRC_BYTES, physicalRows));
  }
}
