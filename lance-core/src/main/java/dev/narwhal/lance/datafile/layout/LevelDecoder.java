package dev.narwhal.lance.datafile.layout;

import dev.narwhal.lance.datafile.page.FixedValues;
import dev.narwhal.lance.datafile.page.Scratch;
import dev.narwhal.lance.datafile.page.ValueShape;
import dev.narwhal.lance.error.LanceFormatException;
import java.nio.ByteBuffer;

/** Decodes repetition or definition levels: blocks of 16-bit values with a known maximum. */
final class LevelDecoder {
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
