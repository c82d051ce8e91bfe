package dev.narwhal.lance.datafile.layout;

import com.google.protobuf.ByteString;
import dev.narwhal.lance.datafile.page.BitValues;
import dev.narwhal.lance.datafile.page.Bits;
import dev.narwhal.lance.datafile.page.FixedValues;
import dev.narwhal.lance.datafile.page.ListValues;
import dev.narwhal.lance.datafile.page.Scratch;
import dev.narwhal.lance.datafile.page.ValueShape;
import dev.narwhal.lance.datafile.page.Values;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Decodes unzipped values of one width. Source: file format sheet 5, column "per value".
 *
 * <p>A list value is, for each layer of lists whose items have validity, outer first, a bitmap of
 * whole bytes over all items of that layer, then the innermost items.
 */
interface FixedZipValues {
  /** Bytes of a value in the page. */
  int widthBytes();

  /**
   * Decodes values that follow one another.
   *
   * @param bytes {@code count * widthBytes()} bytes from index 0 on
   */
  Values decode(ByteBuffer bytes, int count, Scratch scratch);

  /** The decoder of an encoding for values of a shape, which must agree. */
  static FixedZipValues of(Encoding encoding, ValueShape shape) {
    if (shape instanceof ValueShape.FixedWidth fixed) {
      if (encoding instanceof Encoding.Flat flat) {
        checkBits(flat, 8L * fixed.widthBytes());
        return new Plain(fixed.widthBytes());
      }
      if (encoding instanceof Encoding.Constant constant && constant.value().isPresent()) {
        return new Constant(constant.value().get(), fixed.widthBytes());
      }
    }
    if (shape instanceof ValueShape.Bit && encoding instanceof Encoding.Flat flat) {
      checkBits(flat, Byte.SIZE);
      return new Booleans();
    }
    if (shape instanceof ValueShape.FixedList list) {
      if (encoding instanceof Encoding.FixedSizeList lists) {
        return list(lists, list);
      }
      if (encoding instanceof Encoding.Constant constant && constant.value().isEmpty()) {
        return new NullItems(list);
      }
    }
    throw new UnsupportedFeatureException(
        "zipped values encoded as " + encoding.describe() + " for " + shape + " are not supported");
  }

  private static void checkBits(Encoding.Flat flat, long bits) {
    if (flat.bits() != bits) {
      throw new LanceFormatException(flat.describe() + " for values of " + bits + " bits");
    }
  }

  private static FixedZipValues list(Encoding.FixedSizeList encoding, ValueShape.FixedList shape) {
    Encoding level = encoding;
    ValueShape item = shape;
    long items = 1;
    int bitmapBytes = 0;
    while (level instanceof Encoding.FixedSizeList lists
        && item instanceof ValueShape.FixedList list
        && lists.items() == list.dimension()) {
      items = Math.multiplyExact(items, (long) lists.items());
      if (lists.hasValidity()) {
        bitmapBytes = Math.addExact(bitmapBytes, Bits.bytes(Math.toIntExact(items)));
      }
      level = lists.values();
      item = list.item();
    }
    long itemBits = item instanceof ValueShape.FixedWidth fixed ? 8L * fixed.widthBytes() : 1;
    if (!(level instanceof Encoding.Flat flat)
        || item instanceof ValueShape.FixedList
        || flat.bits() != itemBits) {
      throw new LanceFormatException(encoding.describe() + " for values of " + shape);
    }
    long bits = Math.multiplyExact(items, itemBits);
    if (bits % 8 != 0) {
      throw new UnsupportedFeatureException(
          "zipped lists of " + bits + " bits are not supported: not whole bytes");
    }
    return new Lists(encoding, shape, bitmapBytes, Math.toIntExact(bits / 8));
  }

  /** Values as they are. */
  record Plain(int widthBytes) implements FixedZipValues {
    @Override
    public Values decode(ByteBuffer bytes, int count, Scratch scratch) {
      return new FixedValues(bytes, widthBytes, count);
    }
  }

  /** A byte for each bit, 0 or 1. */
  record Booleans() implements FixedZipValues {
    @Override
    public int widthBytes() {
      return 1;
    }

    @Override
    public Values decode(ByteBuffer bytes, int count, Scratch scratch) {
      ByteBuffer bits = scratch.bytes(Bits.bytes(count));
      int octet = 0;
      int others = 0;
      for (int i = 0; i < count; i++) {
        int value = bytes.get(i);
        others |= value;
        octet |= (value & 1) << (i & 7);
        if ((i & 7) == 7) {
          bits.put(i >>> 3, (byte) octet);
          octet = 0;
        }
      }
      if ((count & 7) != 0) {
        bits.put(count >>> 3, (byte) octet);
      }
      if ((others & ~1) != 0) {
        throw new LanceFormatException("zipped booleans other than 0 and 1");
      }
      return new BitValues(bits, count);
    }
  }

  /**
   * No bytes in the page: every value is the same.
   *
   * @param valueBytes its width
   */
  record Constant(ByteString value, int valueBytes) implements FixedZipValues {
    public Constant {
      if (value.size() != valueBytes) {
        throw new LanceFormatException(
            "constant of " + value.size() + " bytes for values of " + valueBytes + " bytes");
      }
    }

    @Override
    public int widthBytes() {
      return 0;
    }

    @Override
    public Values decode(ByteBuffer bytes, int count, Scratch scratch) {
      ByteBuffer target = scratch.bytes(Math.multiplyExact(count, valueBytes));
      for (int i = 0; i < count; i++) {
        value.copyTo(target);
      }
      return new FixedValues(target.flip(), valueBytes, count);
    }
  }

  /**
   * No bytes in the page: all items of all lists are null. Real Lance 7.0.0 writes such pages, and
   * reads them when control words tell which lists are null themselves; see {@code
   * FullZipPageTest#readsListsWhoseItemsAreAllNull}.
   */
  record NullItems(ValueShape.FixedList shape) implements FixedZipValues {
    @Override
    public int widthBytes() {
      return 0;
    }

    @Override
    public Values decode(ByteBuffer bytes, int count, Scratch scratch) {
      int items = Math.multiplyExact(count, shape.dimension());
      return new ListValues(
          shape.dimension(),
          zeros(shape.item(), items, scratch),
          cleared(Bits.bytes(items), scratch),
          count);
    }

    private static Values zeros(ValueShape shape, int count, Scratch scratch) {
      if (shape instanceof ValueShape.FixedWidth fixed) {
        int width = fixed.widthBytes();
        return new FixedValues(cleared(Math.multiplyExact(count, width), scratch), width, count);
      }
      if (shape instanceof ValueShape.FixedList list) {
        int items = Math.multiplyExact(count, list.dimension());
        return new ListValues(list.dimension(), zeros(list.item(), items, scratch), count);
      }
      return new BitValues(cleared(Bits.bytes(count), scratch), count);
    }

    private static ByteBuffer cleared(int sizeBytes, Scratch scratch) {
      ByteBuffer bytes = scratch.bytes(sizeBytes);
      int start = bytes.arrayOffset();
      Arrays.fill(bytes.array(), start, start + sizeBytes, (byte) 0);
      return bytes;
    }
  }

  /**
   * Lists of lists of items.
   *
   * @param bitmapBytes bytes of validity before the items of one value
   * @param itemBytes bytes of the innermost items of one value
   */
  record Lists(
      Encoding.FixedSizeList encoding, ValueShape.FixedList shape, int bitmapBytes, int itemBytes)
      implements FixedZipValues {
    @Override
    public int widthBytes() {
      return Math.addExact(bitmapBytes, itemBytes);
    }

    @Override
    public Values decode(ByteBuffer bytes, int count, Scratch scratch) {
      ByteBuffer items = bytes;
      if (bitmapBytes > 0) {
        int width = widthBytes();
        items = scratch.bytes(count * itemBytes);
        for (int i = 0; i < count; i++) {
          items.put(i * itemBytes, bytes, i * width + bitmapBytes, itemBytes);
        }
      }
      return lists(encoding, shape, bytes, 0, items, count, 1, scratch);
    }

    /**
     * @param bitmapAt where the bitmap of this layer starts in a value, if it has one
     * @param outer lists of this layer in one value
     */
    private Values lists(
        Encoding.FixedSizeList layer,
        ValueShape.FixedList layerShape,
        ByteBuffer bytes,
        int bitmapAt,
        ByteBuffer items,
        int count,
        int outer,
        Scratch scratch) {
      int perValue = outer * layer.items();
      ByteBuffer validity = null;
      int nextBitmap = bitmapAt;
      if (layer.hasValidity()) {
        validity = bitmap(bytes, bitmapAt, perValue, count, scratch);
        nextBitmap += Bits.bytes(perValue);
      }
      Values inner;
      if (layer.values() instanceof Encoding.FixedSizeList below
          && layerShape.item() instanceof ValueShape.FixedList belowShape) {
        inner = lists(below, belowShape, bytes, nextBitmap, items, count, perValue, scratch);
      } else if (layerShape.item() instanceof ValueShape.FixedWidth fixed) {
        inner = new FixedValues(items, fixed.widthBytes(), Math.multiplyExact(count, perValue));
      } else {
        inner = new BitValues(items, Math.multiplyExact(count, perValue));
      }
      return new ListValues(layer.items(), inner, validity, Math.multiplyExact(count, outer));
    }

    /** The bitmaps of all values, which start at whole bytes, as one. */
    private ByteBuffer bitmap(
        ByteBuffer bytes, int at, int bitsPerValue, int count, Scratch scratch) {
      ByteBuffer bitmap = scratch.bytes(Bits.bytes(Math.multiplyExact(count, bitsPerValue)));
      ByteBuffer in = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
      int width = widthBytes();
      for (int i = 0; i < count; i++) {
        int start = i * width + at;
        Bits.copy(
            in.slice(start, Bits.bytes(bitsPerValue)).order(ByteOrder.LITTLE_ENDIAN),
            0,
            bitmap,
            i * bitsPerValue,
            bitsPerValue);
      }
      return bitmap;
    }
  }
}
