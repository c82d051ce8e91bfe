package dev.narwhal.lance.datafile.array;

import dev.narwhal.lance.datafile.page.BitValues;
import dev.narwhal.lance.datafile.page.Bits;
import dev.narwhal.lance.datafile.page.FixedValues;
import dev.narwhal.lance.datafile.page.ListValues;
import dev.narwhal.lance.datafile.page.PackedRows;
import dev.narwhal.lance.datafile.page.Scratch;
import dev.narwhal.lance.datafile.page.ValueShape;
import dev.narwhal.lance.datafile.page.Values;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Nodes whose values all have one width. Source: file format sheet 2.1, 2.2. */
final class FixedDecoders {
  private FixedDecoders() {}

  /** Whole bytes, back to back. */
  record Plain(PageBytes bytes, int widthBytes) implements ArrayDecoder {
    @Override
    public Decoded decode(long first, int count, Scratch scratch) throws IOException {
      ByteBuffer part = bytes.read(first * widthBytes, (long) count * widthBytes, scratch);
      return Decoded.of(new FixedValues(part, widthBytes, count));
    }

    @Override
    public long bitsPerValue() {
      return 8L * widthBytes;
    }
  }

  /** Structs of fixed width, row by row. */
  record Packed(PageBytes bytes, PackedRows fields) implements ArrayDecoder {
    @Override
    public Decoded decode(long first, int count, Scratch scratch) throws IOException {
      int width = fields.rowBytes();
      ByteBuffer part = bytes.read(first * width, (long) count * width, scratch);
      return Decoded.of(fields.split(part, count, scratch));
    }

    @Override
    public long bitsPerValue() {
      return 8L * fields.rowBytes();
    }
  }

  /** Single bits, LSB first. */
  record Bitmap(PageBytes bytes) implements ArrayDecoder {
    @Override
    public Decoded decode(long first, int count, Scratch scratch) throws IOException {
      return Decoded.of(new BitValues(bits(first, count, scratch), count));
    }

    /** The bits on the heap, the first of them in bit 0. */
    ByteBuffer bits(long first, int count, Scratch scratch) throws IOException {
      int shift = (int) (first & 7);
      ByteBuffer part = bytes.read(first >>> 3, (shift + count + 7L) >>> 3, scratch);
      ByteBuffer bits = scratch.bytes(Bits.bytes(count));
      Bits.copy(part, shift, bits, 0, count);
      return bits;
    }

    @Override
    public long bitsPerValue() {
      return 1;
    }
  }

  /** Values under a bitmap. */
  record Nullable(Bitmap validity, ArrayDecoder values) implements ArrayDecoder {
    @Override
    public Decoded decode(long first, int count, Scratch scratch) throws IOException {
      ByteBuffer bits = validity.bits(first, count, scratch);
      return values.decode(first, count, scratch).withValidity(bits, count);
    }

    @Override
    public long bitsPerValue() {
      return values.bitsPerValue();
    }
  }

  /** Lists of one length; nulls among the items are the items'. */
  record Lists(int dimension, ArrayDecoder items) implements ArrayDecoder {
    @Override
    public Decoded decode(long first, int count, Scratch scratch) throws IOException {
      // one list, or few enough bits for one read
      Decoded decoded = items.decode(first * dimension, count * dimension, scratch);
      return Decoded.of(
          new ListValues(dimension, decoded.values(), decoded.validity().orElse(null), count));
    }

    @Override
    public long bitsPerValue() {
      return dimension * items.bitsPerValue();
    }
  }

  /** Nulls without bytes, below a list. */
  record AllNulls(ValueShape shape) implements ArrayDecoder {
    @Override
    public Decoded decode(long first, int count, Scratch scratch) {
      return Decoded.of(zeros(shape, count, scratch))
          .withValidity(cleared(Bits.bytes(count), scratch), count);
    }

    @Override
    public long bitsPerValue() {
      return bits(shape);
    }

    private static long bits(ValueShape shape) {
      if (shape instanceof ValueShape.FixedWidth fixed) {
        return 8L * fixed.widthBytes();
      }
      return shape instanceof ValueShape.FixedList list ? list.dimension() * bits(list.item()) : 1;
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
      for (int i = 0; i < sizeBytes; i++) {
        bytes.put(i, (byte) 0);
      }
      return bytes;
    }
  }
}
