package dev.narwhal.lance.datafile.layout;

import dev.narwhal.lance.datafile.page.Bits;
import dev.narwhal.lance.datafile.page.FixedValues;
import dev.narwhal.lance.datafile.page.Scratch;
import dev.narwhal.lance.datafile.page.ValueShape;
import dev.narwhal.lance.error.LanceFormatException;
import java.nio.ByteBuffer;

/** Decodes repetition or definition levels: blocks of 16-bit values with a known maximum. */
final class LevelDecoder {
  private static final int LEVELS_PER_LONG = Long.BYTES / Short.BYTES;
  private static final long LOWEST_BITS = 0x0001_0001_0001_0001L;

  private final BlockDecoder block;
  private final int max;

  /**
   * @param max highest level that the page's layers allow
   */
  LevelDecoder(Encoding encoding, int max) {
    this.block = BlockDecoder.of(encoding, new ValueShape.FixedWidth(Short.BYTES));
    this.max = max;
  }

  /** At least {@code count} levels, each checked, in scratch memory. */
  short[] decode(ByteBuffer bytes, int count, Scratch scratch) {
    FixedValues values = (FixedValues) block.decode(bytes, count, scratch);
    short[] levels = scratch.shorts(count);
    values.bytes().asShortBuffer().get(levels, 0, count);
    check(levels, count, max);
    return levels;
  }

  /**
   * Levels of at most 1 as a bitmap: bit i is set iff level i is 0, that is, iff value i is valid.
   *
   * @return at least {@code count} bits, LSB first, in scratch memory
   */
  ByteBuffer decodeValidity(ByteBuffer bytes, int count, Scratch scratch) {
    FixedValues values = (FixedValues) block.decode(bytes, count, scratch);
    ByteBuffer levels = values.bytes();
    ByteBuffer bits = scratch.bytes(Bits.bytes(count));
    long seen = 0;
    int done = 0;
    for (; done + Long.SIZE <= count; done += Long.SIZE) {
      long nulls = 0;
      for (int i = 0; i < Long.SIZE; i += LEVELS_PER_LONG) {
        long four = levels.getLong((done + i) * Short.BYTES);
        seen |= four;
        // the lowest bits of the four levels, side by side
        nulls |= ((four | four >>> 15 | four >>> 30 | four >>> 45) & 0xF) << i;
      }
      bits.putLong(done / Byte.SIZE, ~nulls);
    }
    for (; done < count; done++) {
      short level = levels.getShort(done * Short.BYTES);
      seen |= level & 0xFFFFL;
      Bits.fill(bits, done, 1, level == 0);
    }
    if ((seen & ~(max * LOWEST_BITS)) != 0) {
      short[] all = new short[count];
      levels.asShortBuffer().get(all, 0, count);
      check(all, count, max);
    }
    return bits;
  }

  static void check(short[] levels, int count, int max) {
    int highest = 0;
    for (int i = 0; i < count; i++) {
      highest = Math.max(highest, levels[i] & 0xFFFF);
    }
    if (highest > max) {
      throw new LanceFormatException("level " + highest + ", the page's layers allow " + max);
    }
  }
}
