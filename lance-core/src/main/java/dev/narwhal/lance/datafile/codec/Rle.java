package dev.narwhal.lance.datafile.codec;

import dev.narwhal.lance.error.LanceFormatException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Runs: a list of values of 8, 16, 32 or 64 bits and a list of as many lengths, one byte each. The
 * runs may hold more values than the reader was told of, since writers cut a chunk in the middle of
 * a run: decoding stops at the declared count.
 *
 * <p>In a chunk the two lists are two buffers. As a block they are one:
 *
 * <pre>
 * byte   size   order   meaning
 * 0      8      LE      v = bytes of the values
 * 8      v      LE      values
 * 8+v    rest   -       run lengths, 0 to 255
 * </pre>
 *
 * <p>Source: file format notes, section 5.6.
 */
public final class Rle {
  private static final int MAX_RUN = 255;
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private Rle() {}

  /**
   * Puts {@code count} values into {@code target}, little-endian, at its position, which moves
   * behind them.
   *
   * @param values run values, from position to limit; the position stays
   * @param lengths run lengths, from position to limit; the position stays
   * @param valueBits 8, 16, 32 or 64
   * @param count at least 0
   */
  public static void decode(
      ByteBuffer values, ByteBuffer lengths, int valueBits, int count, ByteBuffer target) {
    int valueBytes = FastLanes.requireWordBits(valueBits) / 8;
    int runs = lengths.remaining();
    if (values.remaining() != (long) runs * valueBytes) {
      throw new LanceFormatException(
          runs
              + " run lengths beside "
              + values.remaining()
              + " bytes of "
              + valueBytes
              + "-byte run values");
    }
    byte[] runLengths = new byte[runs];
    lengths.slice().get(runLengths);
    requireCovered(runLengths, count);
    ByteBuffer in = values.slice().order(ByteOrder.LITTLE_ENDIAN);
    ByteBuffer out = target.slice(target.position(), count * valueBytes);
    out.order(ByteOrder.LITTLE_ENDIAN);
    switch (valueBits) {
      case Byte.SIZE -> out.put(expandBytes(in, runLengths, count));
      case Short.SIZE -> out.asShortBuffer().put(expandShorts(in, runLengths, count));
      case Integer.SIZE -> out.asIntBuffer().put(expandInts(in, runLengths, count));
      default -> out.asLongBuffer().put(expandLongs(in, runLengths, count));
    }
    target.position(target.position() + count * valueBytes);
  }

  /** The same from one block; see the class comment for its layout. */
  public static void decodeBlock(ByteBuffer block, int valueBits, int count, ByteBuffer target) {
    if (block.remaining() < Long.BYTES) {
      throw new LanceFormatException(
          "run-length block of " + block.remaining() + " bytes, expected at least 8");
    }
    ByteBuffer in = block.slice().order(ByteOrder.LITTLE_ENDIAN);
    long valuesBytes = in.getLong();
    if (valuesBytes < 0 || valuesBytes > in.remaining()) {
      throw new LanceFormatException(
          "run-length block claims "
              + Long.toUnsignedString(valuesBytes)
              + " bytes of values, "
              + in.remaining()
              + " are left");
    }
    ByteBuffer values = in.slice(Long.BYTES, (int) valuesBytes);
    ByteBuffer lengths = in.position(Long.BYTES + (int) valuesBytes);
    decode(values, lengths, valueBits, count, target);
  }

  private static void requireCovered(byte[] runLengths, int count) {
    long total = 0;
    for (byte length : runLengths) {
      total += length & 0xFF;
    }
    if (total < count) {
      throw new LanceFormatException("runs of " + total + " values in all, expected " + count);
    }
  }

  private static byte[] expandBytes(ByteBuffer values, byte[] runLengths, int count) {
    byte[] out = new byte[count];
    for (int run = 0, at = 0; at < count; run++) {
      int end = Math.min(count, at + (runLengths[run] & 0xFF));
      Arrays.fill(out, at, end, values.get(run));
      at = end;
    }
    return out;
  }

  private static short[] expandShorts(ByteBuffer values, byte[] runLengths, int count) {
    short[] out = new short[count];
    for (int run = 0, at = 0; at < count; run++) {
      int end = Math.min(count, at + (runLengths[run] & 0xFF));
      Arrays.fill(out, at, end, values.getShort(run * Short.BYTES));
      at = end;
    }
    return out;
  }

  private static int[] expandInts(ByteBuffer values, byte[] runLengths, int count) {
    int[] out = new int[count];
    for (int run = 0, at = 0; at < count; run++) {
      int end = Math.min(count, at + (runLengths[run] & 0xFF));
      Arrays.fill(out, at, end, values.getInt(run * Integer.BYTES));
      at = end;
    }
    return out;
  }

  private static long[] expandLongs(ByteBuffer values, byte[] runLengths, int count) {
    long[] out = new long[count];
    for (int run = 0, at = 0; at < count; run++) {
      int end = Math.min(count, at + (runLengths[run] & 0xFF));
      Arrays.fill(out, at, end, values.getLong(run * Long.BYTES));
      at = end;
    }
    return out;
  }

  /**
   * Appends runs of values; runs of more than 255 are several.
   *
   * @param source of {@code valueBits / 8} bytes each, little-endian
   * @param from index of the first byte
   * @param valueBits 8, 16, 32 or 64
   * @param count at least 0
   * @param values run values are appended to it
   * @param lengths run lengths are appended to it
   */
  public static void encode(
      byte[] source,
      int from,
      int valueBits,
      int count,
      GrowingBytes values,
      GrowingBytes lengths) {
    Words words = new Words(source, FastLanes.requireWordBits(valueBits) / 8);
    int at = from;
    int end = from + count * words.width;
    while (at < end) {
      long value = words.get(at);
      int start = at;
      int limit = Math.min(end, at + MAX_RUN * words.width);
      do {
        at += words.width;
      } while (at < limit && words.get(at) == value);
      values.putWord(value, words.width);
      lengths.put((at - start) / words.width);
    }
  }

  /** The same as one block; see the class comment for its layout. */
  public static void encodeBlock(
      byte[] source, int from, int valueBits, int count, GrowingBytes target) {
    GrowingBytes values = new GrowingBytes();
    GrowingBytes lengths = new GrowingBytes();
    encode(source, from, valueBits, count, values, lengths);
    target.putLong(values.size());
    target.put(values);
    target.put(lengths);
  }

  /** How many times a value differs from the one before it, and one for the first. */
  public static int countRuns(byte[] source, int from, int valueBits, int count) {
    if (count == 0) {
      return 0;
    }
    Words words = new Words(source, FastLanes.requireWordBits(valueBits) / 8);
    int runs = 1;
    long previous = words.get(from);
    for (int i = 1, at = from + words.width; i < count; i++, at += words.width) {
      long value = words.get(at);
      runs += value == previous ? 0 : 1;
      previous = value;
    }
    return runs;
  }

  /** Values of 1, 2, 4 or 8 bytes in an array, at byte indices. */
  private static final class Words {
    private final byte[] bytes;
    private final int width;

    Words(byte[] bytes, int width) {
      this.bytes = bytes;
      this.width = width;
    }

    long get(int at) {
      return switch (width) {
        case 1 -> bytes[at];
        case 2 -> (short) SHORT.get(bytes, at);
        case 4 -> (int) INT.get(bytes, at);
        default -> (long) LONG.get(bytes, at);
      };
    }
  }
}
