package dev.narwhal.lance.datafile.page;

import dev.narwhal.lance.error.LanceFormatException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Values of one bit, LSB first. */
public final class BitValues implements Values {
  private final ByteBuffer bits;
  private final int count;

  /**
   * @param bits from its position on; more bytes than needed are ignored, fewer are a
   *     LanceFormatException
   */
  public BitValues(ByteBuffer bits, int count) {
    if (count > 8L * bits.remaining()) {
      throw new LanceFormatException(bits.remaining() + " bytes for " + count + " bits");
    }
    this.bits = bits.slice().order(ByteOrder.LITTLE_ENDIAN);
    this.count = count;
  }

  @Override
  public int count() {
    return count;
  }

  /** Little-endian; value i is bit {@code i & 7} of byte {@code i >> 3}. Not to be changed. */
  public ByteBuffer bits() {
    return bits;
  }
}
