package dev.narwhal.lance.datafile.codec;

import dev.narwhal.lance.error.LanceFormatException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Values of k = 4 or 8 bytes, taken apart: byte j of value i of n is at j * n + i.
 *
 * <p>Source: file format notes, section 5.7.
 */
public final class ByteStreamSplit {
  private ByteStreamSplit() {}

  /**
   * Puts {@code count} values into {@code target}, little-endian, at its position, which moves
   * behind them.
   *
   * @param split exactly the encoded bytes, from position to limit; its position stays
   * @param valueBytes 4 or 8
   * @param count at least 0
   */
  public static void decode(ByteBuffer split, int valueBytes, int count, ByteBuffer target) {
    if (valueBytes != Integer.BYTES && valueBytes != Long.BYTES) {
      throw new IllegalArgumentException("value bytes must be 4 or 8: " + valueBytes);
    }
    if (split.remaining() != (long) count * valueBytes) {
      throw new LanceFormatException(
          "byte-stream split of "
              + count
              + " values of "
              + valueBytes
              + " bytes in "
              + split.remaining()
              + " bytes");
    }
    byte[] in = new byte[split.remaining()];
    split.slice().get(in);
    ByteBuffer out = target.slice(target.position(), in.length).order(ByteOrder.LITTLE_ENDIAN);
    if (valueBytes == Integer.BYTES) {
      int[] values = new int[count];
      for (int i = 0; i < count; i++) {
        values[i] = join(in, i, count);
      }
      out.asIntBuffer().put(values);
    } else {
      long[] values = new long[count];
      for (int i = 0; i < count; i++) {
        values[i] =
            Integer.toUnsignedLong(join(in, i, count))
                | (long) join(in, 4 * count + i, count) << Integer.SIZE;
      }
      out.asLongBuffer().put(values);
    }
    target.position(target.position() + in.length);
  }

  /**
   * Appends values, taken apart.
   *
   * @param values little-endian
   * @param from index of the first byte
   * @param valueBytes 4 or 8
   * @param count at least 0
   */
  public static void encode(
      byte[] values, int from, int valueBytes, int count, GrowingBytes target) {
    int at = target.extend(Math.multiplyExact(count, valueBytes));
    byte[] out = target.array();
    for (int j = 0; j < valueBytes; j++) {
      int source = from + j;
      for (int i = 0; i < count; i++, source += valueBytes) {
        out[at++] = values[source];
      }
    }
  }

  /** Four bytes, {@code stride} apart, least significant first. */
  private static int join(byte[] in, int at, int stride) {
    return (in[at] & 0xFF)
        | (in[at + stride] & 0xFF) << 8
        | (in[at + 2 * stride] & 0xFF) << 16
        | in[at + 3 * stride] << 24;
  }
}
