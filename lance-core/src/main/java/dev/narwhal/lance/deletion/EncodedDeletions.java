package dev.narwhal.lance.deletion;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.deletion.DeletionFile.Encoding;
import java.nio.ByteBuffer;

/**
 * The deleted rows of a fragment as the bytes of a file, still to be stored. Immutable.
 *
 * <p>Source: table format sheet 4.3 and 4.4.
 */
public final class EncodedDeletions {
  private final Encoding encoding;
  private final long rows;
  private final ByteBuffer bytes;

  private EncodedDeletions(Encoding encoding, DeletionVector vector, ByteBuffer bytes) {
    if (vector.isEmpty()) {
      throw new IllegalArgumentException("a fragment without deleted rows has no deletion file");
    }
    this.encoding = encoding;
    this.rows = vector.cardinality();
    this.bytes = requireNonNull(bytes, "bytes");
  }

  /**
   * As an array of offsets.
   *
   * @throws IllegalArgumentException when there are none, or more than 2^28
   */
  public static EncodedDeletions array(DeletionVector vector) {
    return new EncodedDeletions(Encoding.ARRAY, vector, ArrayCodec.encode(vector));
  }

  /**
   * As a bitmap without run containers, as real Lance writes it.
   *
   * @throws IllegalArgumentException when there are none
   */
  public static EncodedDeletions bitmap(DeletionVector vector) {
    return new EncodedDeletions(Encoding.BITMAP, vector, BitmapCodec.encode(vector));
  }

  /**
   * As a bitmap with run containers where these are smaller. Real Lance reads them and writes none.
   *
   * @throws IllegalArgumentException when there are none
   */
  public static EncodedDeletions bitmapWithRuns(DeletionVector vector) {
    return new EncodedDeletions(Encoding.BITMAP, vector, BitmapCodec.encodeWithRuns(vector));
  }

  /** What kind of file it makes. */
  public Encoding encoding() {
    return encoding;
  }

  /** Number of offsets, at least 1. */
  public long rows() {
    return rows;
  }

  public int sizeBytes() {
    return bytes.remaining();
  }

  /** The file's content, read-only, position 0. */
  public ByteBuffer bytes() {
    return bytes.duplicate();
  }

  @Override
  public String toString() {
    return rows + " deleted rows, " + encoding + " of " + sizeBytes() + " bytes";
  }
}
