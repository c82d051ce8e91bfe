package dev.narwhal.lance.datafile.layout;

import com.google.protobuf.ByteString;
import dev.narwhal.lance.datafile.codec.InlineBitpacking;
import dev.narwhal.lance.datafile.codec.OutOfLineBitpacking;
import dev.narwhal.lance.datafile.codec.Rle;
import dev.narwhal.lance.datafile.page.FixedValues;
import dev.narwhal.lance.datafile.page.Scratch;
import dev.narwhal.lance.datafile.page.ValueShape;
import dev.narwhal.lance.datafile.page.Values;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.nio.ByteBuffer;

/**
 * Decodes one buffer of a known number of values: levels, dictionaries. Source: file format sheet
 * 5, column "block".
 */
interface BlockDecoder {
  /** Most that a compressed block may claim to hold. */
  int MAX_UNIT_BYTES = 256 << 20;

  /**
   * How many values may come from no bytes at all (a constant, a bit width of 0): as many as a
   * chunk has levels.
   */
  int MAX_FREE_VALUES = 1 << 16;

  /**
   * Decodes all values of a block.
   *
   * @param block exactly the encoded bytes, little-endian; its position stays
   * @param count {@code >= 0}
   * @return a view on the block or on scratch memory
   */
  Values decode(ByteBuffer block, int count, Scratch scratch);

  /** The decoder of an encoding for values of a shape, which must agree. */
  static BlockDecoder of(Encoding encoding, ValueShape shape) {
    if (encoding instanceof Encoding.General general) {
      BlockDecoder inner = of(general.values(), shape);
      return (block, count, scratch) ->
          inner.decode(
              scratch.decompressor(general.scheme()).decompress(block, MAX_UNIT_BYTES),
              count,
              scratch);
    }
    if (shape instanceof ValueShape.FixedWidth fixed) {
      return fixed(encoding, fixed.widthBytes());
    }
    if (shape instanceof ValueShape.Variable) {
      return VariableBlocks.of(encoding);
    }
    throw unsupported(encoding, shape.toString());
  }

  private static BlockDecoder fixed(Encoding encoding, int width) {
    int bits = 8 * width;
    if (encoding instanceof Encoding.Constant constant && constant.value().isPresent()) {
      ByteString value = constant.value().get();
      return (block, count, scratch) -> repeated(value, width, count, scratch);
    }
    if (encoding.valueBits().orElse(bits) != bits) {
      throw new LanceFormatException(encoding.describe() + " for values of " + bits + " bits");
    }
    if (encoding instanceof Encoding.Flat) {
      return (block, count, scratch) -> new FixedValues(block, width, count);
    }
    if (encoding instanceof Encoding.InlineBitpacking) {
      return (block, count, scratch) -> {
        ByteBuffer target = scratch.bytes(sizeBytes(count, width, 1024));
        InlineBitpacking.decode(block, scratch.lanes(bits), count, target);
        return new FixedValues(target.flip(), width, count);
      };
    }
    if (encoding instanceof Encoding.OutOfLineBitpacking packed) {
      return (block, count, scratch) -> {
        // 8 values a byte at 1 bit each, and a padded group
        long most = packed.packedBits() == 0 ? MAX_FREE_VALUES : 8L * block.remaining();
        ByteBuffer target = scratch.bytes(sizeBytes(count, width, most));
        OutOfLineBitpacking.decode(block, scratch.lanes(bits), packed.packedBits(), count, target);
        return new FixedValues(target.flip(), width, count);
      };
    }
    if (encoding instanceof Encoding.Rle) {
      return (block, count, scratch) -> {
        ByteBuffer target = scratch.bytes(sizeBytes(count, width, 255L * block.remaining()));
        Rle.decodeBlock(block, bits, count, target);
        return new FixedValues(target.flip(), width, count);
      };
    }
    throw unsupported(encoding, "values of " + bits + " bits");
  }

  private static Values repeated(ByteString value, int width, int count, Scratch scratch) {
    if (value.size() != width) {
      throw new LanceFormatException(
          "constant of " + value.size() + " bytes for values of " + width + " bytes");
    }
    ByteBuffer target = scratch.bytes(sizeBytes(count, width, MAX_FREE_VALUES));
    for (int i = 0; i < count; i++) {
      value.copyTo(target);
    }
    return new FixedValues(target.flip(), width, count);
  }

  private static int sizeBytes(int count, int width, long most) {
    long size = (long) count * width;
    if (count > most || size > Integer.MAX_VALUE - 8) {
      throw new LanceFormatException(
          count + " values in a block, at most " + most + " fit into its bytes");
    }
    return (int) size;
  }

  private static UnsupportedFeatureException unsupported(Encoding encoding, String values) {
    return new UnsupportedFeatureException(
        "a block encoded as " + encoding.describe() + " for " + values + " is not supported");
  }
}
