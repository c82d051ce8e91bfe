package dev.narwhal.lance.datafile.page;

import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.arrow.memory.ArrowBuf;

/** The limits that all builders share. */
final class Slots {
  private Slots() {}

  /** The size of a vector's buffer, below 2 GiB. */
  static int sizeBytes(long sizeBytes) {
    if (sizeBytes > Integer.MAX_VALUE - 64) {
      throw new UnsupportedFeatureException(
          "a vector of " + sizeBytes + " bytes exceeds 2 GiB: read smaller batches");
    }
    return (int) sizeBytes;
  }

  /** All of a buffer below 2 GiB, little-endian. */
  static ByteBuffer view(ArrowBuf buffer, int sizeBytes) {
    return buffer.nioBuffer(0, sizeBytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  static IllegalStateException mismatch(String builder, Values values) {
    return new IllegalStateException(builder + " cannot take " + values.getClass().getSimpleName());
  }
}
