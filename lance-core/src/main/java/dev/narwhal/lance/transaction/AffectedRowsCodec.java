package dev.narwhal.lance.transaction;

import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.error.LanceFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import org.roaringbitmap.RoaringBitmap;

/**
 * Affected rows as bytes, to be handed from a worker to the one that commits. The layout is that of
 * Lance's row address maps.
 *
 * <pre>
 * u32 LE   n, number of fragments
 * n times, fragment ids ascending:
 *   u32 LE   fragment id
 *   u32 LE   length of the bitmap in bytes, at least 1
 *   bytes    row offsets, portable 32-bit Roaring bitmap
 * </pre>
 *
 * <p>Lance has length 0 stand for a whole fragment; nobody hands us such a map, and it is refused.
 * Source: table format sheet 8.4.
 */
public final class AffectedRowsCodec {
  private static final int ENTRY_HEADER_BYTES = 8;

  private AffectedRowsCodec() {}

  /** Encodes; little-endian, read-only, position 0. */
  public static ByteBuffer encode(AffectedRows rows) {
    Map<Long, ByteBuffer> bitmaps = new HashMap<>();
    long size = Integer.BYTES;
    for (long fragment : rows.fragments()) {
      ByteBuffer bitmap = rows.of(fragment).toPortableBytes();
      bitmaps.put(fragment, bitmap);
      size += ENTRY_HEADER_BYTES + bitmap.remaining();
    }
    ByteBuffer out = ByteBuffer.allocate(Math.toIntExact(size)).order(ByteOrder.LITTLE_ENDIAN);
    out.putInt(rows.fragments().size());
    for (long fragment : rows.fragments()) {
      ByteBuffer bitmap = bitmaps.getOrDefault(fragment, ByteBuffer.allocate(0));
      out.putInt((int) fragment).putInt(bitmap.remaining()).put(bitmap);
    }
    return out.flip().asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Decodes from the buffer's position to its limit.
   *
   * @throws LanceFormatException when the bytes are no such map
   */
  public static AffectedRows decode(ByteBuffer bytes) {
    ByteBuffer in = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
    long count = Integer.toUnsignedLong(nextInt(in, "number of fragments"));
    Map<Long, DeletionVector> rows = new HashMap<>();
    long previous = -1;
    for (long i = 0; i < count; i++) {
      long fragment = Integer.toUnsignedLong(nextInt(in, "fragment id"));
      if (fragment <= previous) {
        throw new LanceFormatException(
            "affected rows: fragment " + fragment + " comes after fragment " + previous);
      }
      previous = fragment;
      rows.put(fragment, bitmap(in, fragment));
    }
    if (in.hasRemaining()) {
      throw new LanceFormatException(
          "affected rows: " + in.remaining() + " bytes follow the last fragment");
    }
    return AffectedRows.of(rows);
  }

  private static DeletionVector bitmap(ByteBuffer in, long fragment) {
    long length = Integer.toUnsignedLong(nextInt(in, "length"));
    if (length == 0 || length > in.remaining()) {
      throw new LanceFormatException(
          "affected rows: fragment "
              + fragment
              + " has a bitmap of "
              + length
              + " bytes, expected 1 to "
              + in.remaining()
              + " (at byte "
              + in.position()
              + ')');
    }
    ByteBuffer slice = in.slice(in.position(), (int) length).order(ByteOrder.LITTLE_ENDIAN);
    in.position(in.position() + (int) length);
    RoaringBitmap bitmap = new RoaringBitmap();
    try {
      bitmap.deserialize(slice);
    } catch (IOException | RuntimeException e) {
      // the library has no one exception for bytes that are no bitmap
      throw new LanceFormatException(
          "affected rows: fragment " + fragment + " has no Roaring bitmap: " + e.getMessage(), e);
    }
    return DeletionVector.of(bitmap);
  }

  private static int nextInt(ByteBuffer in, String what) {
    if (in.remaining() < Integer.BYTES) {
      throw new LanceFormatException(
          "affected rows end before the " + what + " (at byte " + in.position() + ')');
    }
    return in.getInt();
  }
}
