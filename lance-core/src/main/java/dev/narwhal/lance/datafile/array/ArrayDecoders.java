package dev.narwhal.lance.datafile.array;

import dev.narwhal.lance.datafile.array.ArrayNode.Binary;
import dev.narwhal.lance.datafile.array.ArrayNode.Bitpacked;
import dev.narwhal.lance.datafile.array.ArrayNode.BitpackedGroups;
import dev.narwhal.lance.datafile.array.ArrayNode.FixedSizeBinary;
import dev.narwhal.lance.datafile.array.ArrayNode.FixedSizeList;
import dev.narwhal.lance.datafile.array.ArrayNode.Flat;
import dev.narwhal.lance.datafile.array.PickingDecoders.Nulls;
import dev.narwhal.lance.datafile.codec.FastLanes;
import dev.narwhal.lance.datafile.codec.FsstSymbolTable;
import dev.narwhal.lance.datafile.page.BitValues;
import dev.narwhal.lance.datafile.page.FixedValues;
import dev.narwhal.lance.datafile.page.PackedRows;
import dev.narwhal.lance.datafile.page.PageBuffers;
import dev.narwhal.lance.datafile.page.Scratch;
import dev.narwhal.lance.datafile.page.ValueShape;
import dev.narwhal.lance.datafile.page.Values;
import dev.narwhal.lance.datafile.page.VariableValues;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes the decoder of a node for values of a shape. Here a page's tree is checked: that its nodes
 * fit the column's type, that their numbers make sense, and that its buffers can hold the rows.
 */
final class ArrayDecoders {
  /** How many dictionary items may come from no bytes at all, such as empty strings. */
  private static final int MAX_FREE_ITEMS = 1 << 16;

  private static final ValueShape END_OFFSET = new ValueShape.FixedWidth(Long.BYTES);

  private final PageBuffers buffers;
  private final Nulls nulls;
  private final boolean kept;

  private ArrayDecoders(PageBuffers buffers, Nulls nulls, boolean kept) {
    this.buffers = buffers;
    this.nulls = nulls;
    this.kept = kept;
  }

  /** For nodes that are decoded call by call and hold no dictionary of a dictionary type. */
  static ArrayDecoders of(PageBuffers buffers) {
    return of(buffers, Nulls.AT_INDEX_0);
  }

  /**
   * For nodes that are decoded call by call.
   *
   * @param nulls where a dictionary of this column keeps them
   */
  static ArrayDecoders of(PageBuffers buffers, Nulls nulls) {
    return new ArrayDecoders(buffers, nulls, false);
  }

  /**
   * The decoder of a page's root.
   *
   * @param count number of values of the node
   */
  ArrayDecoder root(ArrayNode node, ValueShape shape, long count) throws IOException {
    if (node instanceof ArrayNode.NoNulls noNulls) {
      return root(noNulls.values(), shape, count);
    }
    if (node instanceof ArrayNode.SomeNulls nullable) {
      return new FixedDecoders.Nullable(
          bitmap(nullable.validity(), count), root(nullable.values(), shape, count));
    }
    if (kept && (node instanceof ArrayNode.Dictionary || node instanceof ArrayNode.Constant)) {
      throw new UnsupportedFeatureException(node.describe() + " as items of a dictionary");
    }
    if (node instanceof ArrayNode.Dictionary dictionary) {
      return dictionary(dictionary, shape, count);
    }
    if (node instanceof ArrayNode.Constant constant) {
      return new PickingDecoders.Constant(constant(constant, shape));
    }
    if (node instanceof ArrayNode.PackedStruct packed
        && shape instanceof ValueShape.Packed fields) {
      return packed(packed, fields, count);
    }
    return shape instanceof ValueShape.Variable ? variable(node, count) : fixed(node, shape, count);
  }

  /** Numbers of 8 bytes that cannot be null. */
  ArrayDecoder offsets(ArrayNode node, long count) {
    return withoutNulls(node, END_OFFSET, count);
  }

  /** Nodes whose values have one width, which lists may be of. */
  private ArrayDecoder fixed(ArrayNode node, ValueShape shape, long count) {
    if (node instanceof ArrayNode.NoNulls noNulls) {
      return fixed(noNulls.values(), shape, count);
    }
    if (node instanceof ArrayNode.SomeNulls nullable) {
      return new FixedDecoders.Nullable(
          bitmap(nullable.validity(), count), fixed(nullable.values(), shape, count));
    }
    if (node instanceof ArrayNode.AllNulls && !(shape instanceof ValueShape.Nothing)) {
      return new FixedDecoders.AllNulls(shape);
    }
    if (shape instanceof ValueShape.Bit) {
      return bitmap(node, count);
    }
    if (shape instanceof ValueShape.FixedList list && node instanceof FixedSizeList lists) {
      return lists(lists, list, count);
    }
    if (shape instanceof ValueShape.FixedWidth width) {
      return fixed(node, width.widthBytes(), count);
    }
    throw mismatch(node, shape);
  }

  private ArrayDecoder fixed(ArrayNode node, int widthBytes, long count) {
    if (node instanceof Flat flat && flat.bits() == 8L * widthBytes) {
      return new FixedDecoders.Plain(bytes(flat, product(count, widthBytes)), widthBytes);
    }
    if (node instanceof Bitpacked packed) {
      int bits = packedBits(packed.bits(), packed.valueBits(), widthBytes);
      if (bits == 0) {
        throw new LanceFormatException(packed.describe() + " of no bits");
      }
      PageBytes bytes = stored(packed.buffer(), bytesOf(product(count, bits)));
      return new PackedDecoders.Sequential(bytes, bits, 8 * widthBytes, packed.signed());
    }
    if (node instanceof BitpackedGroups packed) {
      int bits = packedBits(packed.bits(), packed.valueBits(), widthBytes);
      long groups = count / FastLanes.GROUP + (count % FastLanes.GROUP == 0 ? 0 : 1);
      PageBytes bytes = stored(packed.buffer(), product(groups, FastLanes.packedBytes(bits)));
      return new PackedDecoders.Groups(bytes, bits, 8 * widthBytes);
    }
    throw mismatch(node, new ValueShape.FixedWidth(widthBytes));
  }

  private FixedDecoders.Bitmap bitmap(ArrayNode node, long count) {
    if (node instanceof ArrayNode.NoNulls noNulls) {
      return bitmap(noNulls.values(), count);
    }
    if (node instanceof Flat flat && flat.bits() == 1) {
      return new FixedDecoders.Bitmap(bytes(flat, bytesOf(count)));
    }
    throw mismatch(node, new ValueShape.Bit());
  }

  private ArrayDecoder lists(FixedSizeList node, ValueShape.FixedList shape, long count) {
    if (node.dimension() != shape.dimension()) {
      throw new LanceFormatException(
          "lists of "
              + Integer.toUnsignedString(node.dimension())
              + " items, the type has "
              + shape.dimension());
    }
    if (node.hasValidity()) {
      throw new UnsupportedFeatureException("fixed-size lists with a validity of their own");
    }
    ArrayDecoder items = fixed(node.items(), shape.item(), product(count, shape.dimension()));
    return new FixedDecoders.Lists(shape.dimension(), items);
  }

  private ArrayDecoder packed(ArrayNode.PackedStruct node, ValueShape.Packed shape, long count) {
    List<Integer> widths = new ArrayList<>();
    for (ArrayNode field : node.fields()) {
      long bits = fieldBits(field, 1);
      if (bits % 8 != 0 || bits / 8 > Integer.MAX_VALUE) {
        throw new LanceFormatException(field.describe() + " in packed structs");
      }
      widths.add((int) (bits / 8));
    }
    PackedRows rows = new PackedRows(shape, widths);
    return new FixedDecoders.Packed(stored(node.buffer(), product(count, rows.rowBytes())), rows);
  }

  /** What a field takes in a row, {@code factor} times. */
  private static long fieldBits(ArrayNode field, long factor) {
    if (field instanceof ArrayNode.NoNulls noNulls) {
      return fieldBits(noNulls.values(), factor);
    }
    if (field instanceof FixedSizeList lists && lists.dimension() > 0) {
      return fieldBits(lists.items(), product(factor, lists.dimension()));
    }
    if (field instanceof Flat flat && flat.bits() > 0 && flat.bits() <= Integer.MAX_VALUE) {
      return product(factor, (int) flat.bits());
    }
    throw new UnsupportedFeatureException(field.describe() + " in packed structs");
  }

  private ArrayDecoder variable(ArrayNode node, long count) {
    if (node instanceof ArrayNode.NoNulls noNulls) {
      return variable(noNulls.values(), count);
    }
    if (node instanceof Binary binary) {
      return strings(binary, count);
    }
    if (node instanceof ArrayNode.Fsst fsst) {
      return new BinaryDecoders.Fsst(
          variable(fsst.binary(), count),
          FsstSymbolTable.parse(fsst.symbolTable().asReadOnlyByteBuffer()));
    }
    if (node instanceof FixedSizeBinary binary) {
      int width = binary.widthBytes();
      if (width < 0) {
        throw new UnsupportedFeatureException("values of 2 GiB and more");
      }
      Flat flat = flat(binary.bytes());
      if (flat.bits() != 8 && flat.bits() != 8L * width) {
        throw new LanceFormatException(flat.describe() + " in " + binary.describe());
      }
      return new BinaryDecoders.OneLength(bytes(flat, product(count, width)), width);
    }
    throw mismatch(node, new ValueShape.Variable(Integer.SIZE));
  }

  private ArrayDecoder strings(Binary node, long count) {
    ArrayDecoder ends = withoutNulls(node.indices(), END_OFFSET, count);
    Flat flat = flat(node.bytes());
    if (flat.bits() != 8) {
      throw new LanceFormatException(flat.describe() + " for the bytes of strings");
    }
    long adjustment = node.nullAdjustment();
    if (adjustment == 0) {
      throw new LanceFormatException("null adjustment 0: no row could be told from a null");
    }
    // a guess for the size of reads only: the offsets say what there is
    long stored = buffers.sizeBytes(flat.buffer());
    return new BinaryDecoders.Strings(
        ends, bytes(flat, 0), adjustment, stored / Math.max(count, 1));
  }

  private ArrayDecoder dictionary(ArrayNode.Dictionary node, ValueShape shape, long count)
      throws IOException {
    if (nulls == Nulls.AT_INDEX_0 && !(shape instanceof ValueShape.Variable)) {
      throw mismatch(node, shape);
    }
    Flat indices = flat(node.indices());
    if (indices.bits() != 8
        && indices.bits() != 16
        && indices.bits() != 32
        && indices.bits() != 64) {
      throw new LanceFormatException("dictionary indices encoded as " + indices.describe());
    }
    long itemCount = Integer.toUnsignedLong(node.itemCount());
    if (itemCount == 0 || itemCount >= Integer.MAX_VALUE) {
      throw new LanceFormatException("a dictionary of " + itemCount + " items");
    }
    if (itemCount > Math.max(MAX_FREE_ITEMS, Byte.SIZE * buffers.totalBytes())) {
      throw new LanceFormatException(
          "a dictionary of "
              + itemCount
              + " items in a page of "
              + buffers.totalBytes()
              + " bytes");
    }
    ArrayDecoder items =
        new ArrayDecoders(buffers, nulls, true).root(node.items(), shape, itemCount);
    Decoded decoded = items.decode(0, (int) itemCount, Scratch.onHeap());
    ValueShape index = new ValueShape.FixedWidth((int) indices.bits() / 8);
    return new PickingDecoders.Dictionary(
        withoutNulls(node.indices(), index, count), decoded, nulls);
  }

  private static Values constant(ArrayNode.Constant node, ValueShape shape) {
    ByteBuffer value = node.value().asReadOnlyByteBuffer();
    int sizeBytes = value.remaining();
    if (shape instanceof ValueShape.Variable) {
      return new VariableValues(value, new int[] {0, sizeBytes}, 1);
    }
    if (shape instanceof ValueShape.FixedWidth fixed && fixed.widthBytes() == sizeBytes) {
      return new FixedValues(value, sizeBytes, 1);
    }
    if (shape instanceof ValueShape.Bit && sizeBytes == 1) {
      return new BitValues(value, 1);
    }
    throw mismatch(node, shape);
  }

  /** Offsets and indices: numbers that cannot be null. */
  private ArrayDecoder withoutNulls(ArrayNode node, ValueShape shape, long count) {
    ArrayNode values = node instanceof ArrayNode.NoNulls noNulls ? noNulls.values() : node;
    if (values instanceof ArrayNode.SomeNulls || values instanceof ArrayNode.AllNulls) {
      throw new LanceFormatException("offsets or indices that are null");
    }
    return fixed(values, shape, count);
  }

  private static Flat flat(ArrayNode node) {
    ArrayNode values = node instanceof ArrayNode.NoNulls noNulls ? noNulls.values() : node;
    if (values instanceof Flat flat) {
      return flat;
    }
    throw new UnsupportedFeatureException(
        "bytes encoded as " + node.describe() + ", expected them flat");
  }

  /** The bytes of a flat node, of which at least so many are needed. */
  private PageBytes bytes(Flat flat, long sizeBytes) {
    if (flat.compression().isEmpty()) {
      return stored(flat.buffer(), sizeBytes);
    }
    PageBytes bytes = new PageBytes.Compressed(buffers, flat.buffer(), flat.compression().get());
    bytes.require(sizeBytes);
    return bytes;
  }

  private PageBytes stored(int buffer, long sizeBytes) {
    PageBytes.Stored stored = new PageBytes.Stored(buffers, buffer);
    stored.require(sizeBytes);
    return kept ? new PageBytes.Kept(stored) : stored;
  }

  private static int packedBits(long bits, long valueBits, int widthBytes) {
    if (valueBits != 8L * widthBytes
        || (widthBytes & -widthBytes) != widthBytes
        || widthBytes > 8) {
      throw new LanceFormatException(
          "bit-packed values of "
              + Long.toUnsignedString(valueBits)
              + " bits for a type of "
              + 8L * widthBytes);
    }
    if (bits < 0 || bits > valueBits) {
      throw new LanceFormatException(
          "values of " + valueBits + " bits packed to " + Long.toUnsignedString(bits));
    }
    return (int) bits;
  }

  private static long product(long count, int factor) {
    if (count > Long.MAX_VALUE / Math.max(factor, 1)) {
      throw new LanceFormatException(count + " values of " + factor + " exceed any file");
    }
    return count * factor;
  }

  private static long bytesOf(long bits) {
    return (bits >>> 3) + ((bits & 7) == 0 ? 0 : 1);
  }

  /** Whether a file is wrong or a writer new cannot be told; the message names both sides. */
  private static UnsupportedFeatureException mismatch(ArrayNode node, ValueShape shape) {
    return new UnsupportedFeatureException(node.describe() + " for values of " + shape);
  }
}
