package dev.narwhal.puffin;

import static dev.narwhal.puffin.LittleEndian.i32;
import static dev.narwhal.puffin.LittleEndian.i64;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.roaringbitmap.RoaringBitmap;

/**
 * The {@code deletion-vector-v1} blob.
 *
 * <pre>
 * byte   size   order   meaning
 * 0      4      BE      n = length of magic and vector
 * 4      4      -       magic D1 D3 39 64
 * 8      8      LE      number of bitmaps
 * 16     ...            per bitmap, keys strictly ascending:
 *        4      LE        key: the high half of its positions, in [0, 2^31)
 *        ...    LE        the low halves, as 32-bit portable Roaring ({@link RoaringStructure})
 * 4+n    4      BE      CRC-32 of bytes [4, 4+n)
 * </pre>
 *
 * <p>Source: Puffin spec, "deletion-vector-v1 blob type"; RoaringFormatSpec, "extension for 64-bit
 * implementations". Iceberg's own classes stop two keys earlier, at key 2^31-2, and write an empty
 * bitmap for every key below the greatest; empty bitmaps are read here, and never written.
 *
 * <p>The encoding of a set is unique: of array, bitmap and run container the smallest, and a run
 * container only where it is strictly smaller. That is what Iceberg 1.12.0 writes for positions
 * added one by one ({@code IcebergJudgeTest}).
 */
public final class IcebergDvCodec {
  /** The bytes D1 D3 39 64 as a little-endian int. */
  static final int MAGIC = 0x6439_D3D1;

  /** Bytes before the Roaring bytes of a blob that has one bitmap. */
  static final int ONE_KEY_HEADER_BYTES = 20;

  /** What such a blob takes besides its Roaring bytes. */
  static final int ONE_KEY_OVERHEAD_BYTES = ONE_KEY_HEADER_BYTES + CrcFrame.CRC_BYTES;

  private static final int COUNT_AT = 8;
  private static final int BITMAPS_AT = 16;
  private static final int KEY_BYTES = 4;

  private IcebergDvCodec() {}

  /**
   * The blob of a set: big-endian, read-only. The empty set has one too, of 20 bytes, though no
   * table should refer to it.
   *
   * @throws IllegalArgumentException when the blob would take 2 GiB or more
   */
  public static ByteBuffer encode(PositionSet positions) {
    long size = BITMAPS_AT + CrcFrame.CRC_BYTES;
    for (int i = 0; i < positions.keyCount(); i++) {
      size += KEY_BYTES + positions.bitmap(i).serializedSizeInBytes();
    }
    if (size > Integer.MAX_VALUE - Byte.SIZE) {
      throw new IllegalArgumentException(
          "a blob of " + size + " bytes is too large, the limit is 2 GiB");
    }
    ByteBuffer out = ByteBuffer.allocate((int) size).order(ByteOrder.LITTLE_ENDIAN);
    out.putInt(CrcFrame.BODY_AT, MAGIC);
    out.position(COUNT_AT).putLong(positions.keyCount());
    for (int i = 0; i < positions.keyCount(); i++) {
      out.putInt(positions.key(i));
      positions.bitmap(i).serialize(out);
    }
    CrcFrame.seal(out.array(), (int) size - CrcFrame.OVERHEAD_BYTES);
    return ByteBuffer.wrap(out.array()).asReadOnlyBuffer();
  }

  /**
   * The set in the blob that fills the buffer from its position to its limit; the buffer stays as
   * it is.
   *
   * @throws PuffinFormatException when the blob breaks the layout in any way
   */
  public static PositionSet decode(ByteBuffer blob) {
    PositionSet.Parts parts = new PositionSet.Parts();
    walk(
        CrcFrame.open(blob, MAGIC),
        (bytes, key, at, structure) -> parts.add(key, bitmap(bytes, at, structure.sizeBytes())));
    return parts.toSet();
  }

  /**
   * Frames Roaring bytes as a blob of one bitmap with key 0, as they are: the splice.
   *
   * @throws IllegalArgumentException when there are no positions: nothing deleted is no blob
   */
  public static ByteBuffer splice(PortableRoaring portable) {
    if (portable.isEmpty()) {
      throw new IllegalArgumentException("no positions: a data file without deletes has no vector");
    }
    return portable.sealed().asReadOnlyBuffer();
  }

  /**
   * The Roaring bytes of a blob, as they are: the splice the other way.
   *
   * @param physicalRows number of rows in the data file, in {@code [0, 2^32]}: positions must be
   *     below it, so that nothing may be left under a key but 0
   * @throws PuffinFormatException when the blob breaks the layout, or has such a position
   */
  public static PortableRoaring portable(ByteBuffer blob, long physicalRows) {
    PortableRoaring[] found = {PortableRoaring.empty()};
    walk(
        CrcFrame.open(blob, MAGIC),
        (bytes, key, at, structure) -> {
          long max = structure.max() + ((long) key << 32);
          if (structure.cardinality() > 0 && max >= physicalRows) {
            throw new PuffinFormatException("position " + max + ", expected below " + physicalRows);
          }
          if (key == 0) {
            found[0] = PortableRoaring.ofChecked(bytes, at, structure);
          }
        });
    return found[0];
  }

  /** Writes all of a blob but its Roaring bytes, which lie at byte 20 already. */
  static void sealOneKey(byte[] bytes, int portableBytes) {
    ByteBuffer out = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    out.putInt(CrcFrame.BODY_AT, MAGIC).putLong(COUNT_AT, 1).putInt(BITMAPS_AT, 0);
    CrcFrame.seal(bytes, ONE_KEY_HEADER_BYTES - CrcFrame.BODY_AT + portableBytes);
  }

  /** A bitmap from bytes whose structure has been checked. */
  static RoaringBitmap bitmap(byte[] bytes, int at, int size) {
    RoaringBitmap bitmap = new RoaringBitmap();
    try {
      bitmap.deserialize(ByteBuffer.wrap(bytes, at, size).slice().order(ByteOrder.LITTLE_ENDIAN));
    } catch (java.io.IOException e) {
      throw new AssertionError("checked Roaring bytes were refused", e);
    }
    return bitmap;
  }

  private static void walk(CrcFrame frame, BitmapVisitor visitor) {
    byte[] bytes = frame.bytes();
    int end = frame.bodyEnd();
    if (end < BITMAPS_AT) {
      throw PuffinFormatException.at(
          COUNT_AT, (end - COUNT_AT) + " bytes left for the number of bitmaps", "8");
    }
    long count = i64(bytes, COUNT_AT);
    int limit = (end - BITMAPS_AT) / (KEY_BYTES + RoaringStructure.MIN_SIZE_BYTES);
    if (count < 0 || count > limit) {
      throw PuffinFormatException.at(
          COUNT_AT,
          Long.toUnsignedString(count) + " bitmaps",
          "at most " + limit + " in " + (end - BITMAPS_AT) + " bytes");
    }
    int at = BITMAPS_AT;
    int previous = -1;
    for (long i = 0; i < count; i++) {
      if (end - at < KEY_BYTES) {
        throw PuffinFormatException.at(at, (end - at) + " bytes left for a key", "4");
      }
      int key = i32(bytes, at);
      if (key <= previous) {
        throw PuffinFormatException.at(
            at, "key " + Integer.toUnsignedString(key), "above " + previous + " and below 2^31");
      }
      previous = key;
      at += KEY_BYTES;
      RoaringStructure structure = check(bytes, at, end);
      visitor.visit(bytes, key, at, structure);
      at += structure.sizeBytes();
    }
    if (at != end) {
      throw PuffinFormatException.at(at, (end - at) + " bytes after the last bitmap", "none");
    }
  }

  private static RoaringStructure check(byte[] bytes, int at, int end) {
    try {
      return RoaringStructure.check(bytes, at, end, PositionSet.KEY_SPAN);
    } catch (PuffinFormatException e) {
      throw e.in("bitmap at byte " + at);
    }
  }

  private interface BitmapVisitor {
    void visit(byte[] bytes, int key, int at, RoaringStructure structure);
  }
}
