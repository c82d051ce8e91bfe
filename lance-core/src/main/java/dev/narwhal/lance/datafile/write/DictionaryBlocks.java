package dev.narwhal.lance.datafile.write;

import dev.narwhal.lance.datafile.codec.Compression;
import dev.narwhal.lance.datafile.codec.GrowingBytes;
import dev.narwhal.lance.datafile.layout.Encoding;
import dev.narwhal.lance.datafile.layout.VariableBlocks;

/** The entries of a dictionary as one block. Source: file format sheet 4.4. */
final class DictionaryBlocks {
  private static final int LEAST_COMPRESSED = 4 << 10;

  private DictionaryBlocks() {}

  /**
   * @param items values of one width, or byte strings
   * @param compressed whether the block may be compressed
   */
  static MiniBlockEncoder.Dictionary encode(LeafValues items, boolean compressed, Coders coders) {
    GrowingBytes block = new GrowingBytes();
    Encoding encoding;
    if (items instanceof VariableLeaf strings) {
      VariableBlocks.encodeBlock(
          strings.bytes(), strings.offsets(), strings.count(), strings.offsetBits(), block);
      encoding = new Encoding.Variable(strings.offsetBits());
    } else {
      FixedLeaf fixed = (FixedLeaf) items;
      block.put(fixed.bytes());
      encoding = new Encoding.Flat(8 * fixed.width());
    }
    if (compressed && block.size() >= LEAST_COMPRESSED) {
      GrowingBytes unit = new GrowingBytes();
      coders.compressor(Compression.LZ4).compress(block.array(), 0, block.size(), unit);
      if (unit.size() < block.size()) {
        block = unit;
        encoding = new Encoding.General(Compression.LZ4, encoding);
      }
    }
    return new MiniBlockEncoder.Dictionary(encoding, items.count(), block.view());
  }
}
