package dev.narwhal.lance.datafile.layout;

import java.nio.ByteBuffer;

/**
 * The word before each value of a full-zip page without repetition.
 *
 * @param sizeBytes 0, 1, 2 or 4
 * @param definitionBits low bits that are the definition level
 * @param maxDefinition highest level that the page's layers allow
 */
record ControlWord(int sizeBytes, int definitionBits, int maxDefinition) {
  /** The definition level in the word at an absolute position; 0 when there is no word. */
  short definition(ByteBuffer bytes, int at) {
    int word =
        switch (sizeBytes) {
          case 0 -> 0;
          case 1 -> bytes.get(at) & 0xFF;
          case 2 -> bytes.getShort(at) & 0xFFFF;
          default -> bytes.getInt(at);
        };
    int level = definitionBits == 32 ? word : word & ((1 << definitionBits) - 1);
    // levels past 16 bits are past every maximum too
    return (short) Math.min(Integer.toUnsignedLong(level), 0xFFFF);
  }

  void check(short[] levels, int count) {
    LevelDecoder.check(levels, count, maxDefinition);
  }
}
