package dev.narwhal.lance.manifest;

import dev.narwhal.lance.error.LanceFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.RoaringBitmap;

/**
 * The fragments that an index was built over, as u32 ids in a portable 32-bit Roaring bitmap. The
 * bytes are kept as they were written and looked into on demand: a manifest whose indices nobody
 * asks for is not held up by them. Equality is by bytes. Source: table format sheet 2.3.
 */
public final class FragmentBitmap {
  private final byte[] bytes;
  private volatile @Nullable RoaringBitmap decoded;

  private FragmentBitmap(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Copies the bytes from the buffer's position to its limit. */
  public static FragmentBitmap of(ByteBuffer serialized) {
    byte[] copy = new byte[serialized.remaining()];
    serialized.duplicate().get(copy);
    return new FragmentBitmap(copy);
  }

  /** The ids in {@code [0, 2^32)}, in any order. */
  public static FragmentBitmap ofIds(Iterable<Long> fragmentIds) {
    RoaringBitmap bitmap = new RoaringBitmap();
    for (long id : fragmentIds) {
      if (id >>> 32 != 0) {
        throw new IllegalArgumentException(
            "fragment id must be in [0, 2^32): " + Long.toUnsignedString(id));
      }
      bitmap.add((int) id);
    }
    ByteBuffer out =
        ByteBuffer.allocate(bitmap.serializedSizeInBytes()).order(ByteOrder.LITTLE_ENDIAN);
    bitmap.serialize(out);
    return of(out.flip());
  }

  /** The serialised bitmap, read-only, little-endian, position 0. */
  public ByteBuffer bytes() {
    return ByteBuffer.wrap(bytes).asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Whether the index covers the fragment.
   *
   * @throws LanceFormatException when the bytes are no bitmap; so do the methods below
   */
  public boolean contains(long fragmentId) {
    return (fragmentId >>> 32) == 0 && decoded().contains((int) fragmentId);
  }

  /** Number of fragments, {@code 0..2^32}; some of them may be gone from the table. */
  public long cardinality() {
    return decoded().getLongCardinality();
  }

  /** The ids, ascending. */
  public void forEach(LongConsumer fragmentId) {
    decoded().forEach((int id) -> fragmentId.accept(Integer.toUnsignedLong(id)));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FragmentBitmap that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return "FragmentBitmap[" + bytes.length + " bytes]";
  }

  private RoaringBitmap decoded() {
    RoaringBitmap bitmap = decoded;
    if (bitmap == null) {
      bitmap = decode();
      decoded = bitmap;
    }
    return bitmap;
  }

  private RoaringBitmap decode() {
    RoaringBitmap bitmap = new RoaringBitmap();
    try {
      bitmap.deserialize(bytes());
    } catch (IOException | RuntimeException e) {
      // the library has no one exception for bytes that are no bitmap
      throw new LanceFormatException(
          "fragment bitmap of " + bytes.length + " bytes cannot be decoded: " + e.getMessage(), e);
    }
    if (bitmap.serializedSizeInBytes() != bytes.length) {
      throw new LanceFormatException(
          "fragment bitmap ends after "
              + bitmap.serializedSizeInBytes()
              + " of "
              + bytes.length
              + " bytes");
    }
    return bitmap;
  }
}
