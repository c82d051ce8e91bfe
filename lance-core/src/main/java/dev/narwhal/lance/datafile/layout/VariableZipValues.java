package dev.narwhal.lance.datafile.layout;

import dev.narwhal.lance.datafile.codec.Compression;
import dev.narwhal.lance.datafile.codec.FsstSymbolTable;
import dev.narwhal.lance.datafile.page.Scratch;
import dev.narwhal.lance.datafile.page.VariableValues;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.nio.ByteBuffer;

/**
 * Decodes unzipped byte strings, each on its own. Source: file format sheet 5, column "per value".
 */
interface VariableZipValues extends ZipValues {
  @Override
  VariableValues decode(VariableValues zipped, short[] levels, Scratch scratch);

  static VariableZipValues of(Encoding encoding) {
    if (encoding instanceof Encoding.Variable) {
      return (zipped, levels, scratch) -> zipped;
    }
    if (encoding instanceof Encoding.Fsst fsst) {
      FsstSymbolTable table = FsstSymbolTable.parse(fsst.symbolTable().asReadOnlyByteBuffer());
      VariableZipValues inner = of(fsst.values());
      return (zipped, levels, scratch) ->
          VariableBlocks.expand(table, inner.decode(zipped, levels, scratch), scratch);
    }
    if (encoding instanceof Encoding.General general) {
      Compression scheme = general.scheme();
      VariableZipValues inner = of(general.values());
      return (zipped, levels, scratch) ->
          inner.decode(decompress(scheme, zipped, levels, scratch), levels, scratch);
    }
    throw new UnsupportedFeatureException(
        "zipped byte strings encoded as " + encoding.describe() + " are not supported");
  }

  private static VariableValues decompress(
      Compression scheme, VariableValues zipped, short[] levels, Scratch scratch) {
    int[] units = zipped.offsets();
    int[] offsets = scratch.ints(zipped.count() + 1);
    ByteBuffer content = ByteBuffer.allocate(0);
    int size = 0;
    offsets[0] = 0;
    for (int i = 0; i < zipped.count(); i++) {
      if (levels[i] == 0) {
        ByteBuffer unit = zipped.bytes().slice(units[i], units[i + 1] - units[i]);
        ByteBuffer value =
            scratch.decompressor(scheme).decompress(unit, Integer.MAX_VALUE - 8 - size);
        content = reserve(content, size, size + value.remaining());
        content.put(size, value, 0, value.remaining());
        size += value.remaining();
      }
      offsets[i + 1] = size;
    }
    return new VariableValues(content.limit(size), offsets, zipped.count());
  }

  private static ByteBuffer reserve(ByteBuffer content, int size, int needed) {
    if (needed <= content.capacity()) {
      return content;
    }
    int capacity = (int) Math.max(needed, Math.min(2L * content.capacity(), Integer.MAX_VALUE - 8));
    return ByteBuffer.allocate(capacity).put(0, content, 0, size);
  }
}
