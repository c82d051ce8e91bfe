package dev.narwhal.lance.datafile.page;

import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

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

  /** A number of slots, below 2^31. */
  static int count(long slots) {
    if (slots > Integer.MAX_VALUE - 64) {
      throw new UnsupportedFeatureException(
          "a vector of " + slots + " values exceeds 2^31: read smaller batches");
    }
    return (int) slots;
  }

  /** All of a buffer below 2 GiB, little-endian. */
  static ByteBuffer view(ArrowBuf buffer, int sizeBytes) {
    return buffer.nioBuffer(0, sizeBytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * A larger buffer with the first bytes of another, which is closed. It at least doubles, so that
   * growing step by step copies little.
   *
   * @param usedBytes bytes that are kept; the others are undefined
   * @param neededBytes more than the buffer has
   */
  static ArrowBuf grow(
      ArrowBuf buffer, long usedBytes, int neededBytes, BufferAllocator allocator) {
    long doubled = Math.min(2 * buffer.capacity(), Integer.MAX_VALUE - 64);
    ArrowBuf larger = allocator.buffer(Math.max(neededBytes, doubled));
    larger.setBytes(0, buffer, 0, usedBytes);
    buffer.close();
    return larger;
  }

  static IllegalStateException mismatch(String builder, Values values) {
    return new IllegalStateException(builder + " cannot take " + values.getClass().getSimpleName());
  }
}
