package dev.narwhal.lance.datafile.page;

import dev.narwhal.lance.error.LanceFormatException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Values of one width, back to back, in the byte order of the file (little-endian). */
public final class FixedValues implements Values {
  private final ByteBuffer bytes;
  private final int widthBytes;
  private final int count;

  /**
   * @param bytes from its position on; more bytes than needed are ignored, fewer are a
   *     LanceFormatException
   */
  public FixedValues(ByteBuffer bytes, int widthBytes, int count) {
    if ((long) count * widthBytes > bytes.remaining()) {
      throw new LanceFormatException(
          bytes.remaining() + " bytes for " + count + " values of " + widthBytes + " bytes");
    }
    this.bytes = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
    this.widthBytes = widthBytes;
    this.count = count;
  }

  @Override
  public int count() {
    return count;
  }

  public int widthBytes() {
    return widthBytes;
  }

  /**
   * Little-endian; value i starts at absolute index {@code i * widthBytes()}. Not to be changed.
   */
  public ByteBuffer bytes() {
    return bytes;
  }
}
