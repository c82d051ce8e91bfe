package dev.narwhal.lance.datafile.write;

import dev.narwhal.lance.datafile.codec.FastLanes;
import dev.narwhal.lance.datafile.codec.GrowingBytes;
import dev.narwhal.lance.datafile.codec.InlineBitpacking;
import dev.narwhal.lance.datafile.codec.OutOfLineBitpacking;
import dev.narwhal.lance.datafile.codec.Rle;
import dev.narwhal.lance.datafile.layout.Encoding;

/**
 * Repetition or definition levels of a page, encoded slice by slice in the one way that is smallest
 * for all slices. Source: file format sheet 5.12, 5.13.
 */
final class LevelStream {
  private static final int BITS = Short.SIZE;

  private final byte[] levels;
  private final Encoding encoding;
  private final FastLanes lanes;

  private LevelStream(byte[] levels, Encoding encoding, FastLanes lanes) {
    this.levels = levels;
    this.encoding = encoding;
    this.lanes = lanes;
  }

  /**
   * Chooses the encoding.
   *
   * @param starts of the slices, and the end of the last
   * @param withRuns whether the file version has runs of levels
   */
  static LevelStream of(short[] levels, int[] starts, boolean withRuns, Coders coders) {
    byte[] bytes = new byte[levels.length * Short.BYTES];
    int any = 0;
    for (int i = 0; i < levels.length; i++) {
      any |= levels[i];
      bytes[2 * i] = (byte) levels[i];
      bytes[2 * i + 1] = (byte) (levels[i] >>> 8);
    }
    FastLanes lanes = coders.lanes(BITS);
    int width = Integer.SIZE - Integer.numberOfLeadingZeros(any & 0xFFFF);
    int slices = starts.length - 1;
    Encoding best = new Encoding.Flat(BITS);
    long least = (long) levels.length * Short.BYTES;
    long inline = (long) slices * InlineBitpacking.encodedBytes(BITS, width);
    if (levels.length <= FastLanes.GROUP && inline < least) {
      best = new Encoding.InlineBitpacking(BITS);
      least = inline;
    }
    long outOfLine = 0;
    for (int i = 0; i < slices; i++) {
      outOfLine += OutOfLineBitpacking.encodedBytes(BITS, width, starts[i + 1] - starts[i]);
    }
    if (outOfLine < least && levels.length > FastLanes.GROUP) {
      best = new Encoding.OutOfLineBitpacking(BITS, width);
      least = outOfLine;
    }
    if (withRuns && runBytes(bytes, starts) < least) {
      best = new Encoding.Rle(BITS);
    }
    return new LevelStream(bytes, best, lanes);
  }

  private static long runBytes(byte[] levels, int[] starts) {
    long bytes = 0;
    for (int i = 0; i + 1 < starts.length; i++) {
      int count = starts[i + 1] - starts[i];
      int runs = Rle.countRuns(levels, starts[i] * Short.BYTES, BITS, count) + count / 255;
      bytes += Long.BYTES + 3L * runs;
    }
    return bytes;
  }

  Encoding encoding() {
    return encoding;
  }

  /** Appends levels {@code [from, to)}. */
  void encode(int from, int to, GrowingBytes target) {
    int at = from * Short.BYTES;
    int count = to - from;
    if (encoding instanceof Encoding.InlineBitpacking) {
      InlineBitpacking.encode(levels, at, count, lanes, target);
    } else if (encoding instanceof Encoding.OutOfLineBitpacking packed) {
      OutOfLineBitpacking.encode(levels, at, count, lanes, packed.packedBits(), target);
    } else if (encoding instanceof Encoding.Rle) {
      Rle.encodeBlock(levels, at, BITS, count, target);
    } else {
      target.put(levels, at, count * Short.BYTES);
    }
  }
}
