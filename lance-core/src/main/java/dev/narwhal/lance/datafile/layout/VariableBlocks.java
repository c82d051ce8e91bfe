package dev.narwhal.lance.datafile.layout;

import dev.narwhal.lance.datafile.codec.FsstSymbolTable;
import dev.narwhal.lance.datafile.codec.GrowingBytes;
import dev.narwhal.lance.datafile.page.Scratch;
import dev.narwhal.lance.datafile.page.VariableValues;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Byte strings in one buffer. As a chunk's buffer: n + 1 offsets measured from the buffer's start,
 * then the bytes. As a block, with offsets of w bits:
 *
 * <pre>
 * byte          size       order   meaning
 * 0             w / 8      LE      w: 32 or 64
 * w / 8         w / 8      LE      d = position of the bytes
 * w / 4         (n+1)*w/8  LE      offsets, from 0
 * d             rest       -       bytes
 * </pre>
 *
 * <p>Files from before the release of 2.1 have w as one byte, then n and d of w bits, then the
 * same, all unaligned. A count below 2^24 makes bytes 1 to 3 of that form differ from 0, by which
 * the forms are told apart. Source: file format sheet 5.3.
 */
public final class VariableBlocks {
  private static final int PADDING = 0x48;

  private VariableBlocks() {}

  /** The block decoder of an encoding of byte strings. */
  static BlockDecoder of(Encoding encoding) {
    if (encoding instanceof Encoding.Variable variable) {
      return (block, count, scratch) -> block(block, variable.offsetBits(), count, scratch);
    }
    if (encoding instanceof Encoding.Fsst fsst) {
      FsstSymbolTable table = FsstSymbolTable.parse(fsst.symbolTable().asReadOnlyByteBuffer());
      BlockDecoder inner = of(fsst.values());
      return (block, count, scratch) ->
          expand(table, (VariableValues) inner.decode(block, count, scratch), scratch);
    }
    if (encoding instanceof Encoding.General general) {
      BlockDecoder inner = of(general.values());
      return (block, count, scratch) ->
          inner.decode(
              scratch.decompressor(general.scheme()).decompress(block, BlockDecoder.MAX_UNIT_BYTES),
              count,
              scratch);
    }
    throw new UnsupportedFeatureException(
        "byte strings encoded as " + encoding.describe() + " are not supported");
  }

  /** The buffer of a chunk. */
  static VariableValues chunk(ByteBuffer bytes, int offsetBits, int count, Scratch scratch) {
    ByteBuffer in = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
    long header = (count + 1L) * (offsetBits / 8);
    if (header > in.remaining()) {
      throw tooShort(in.remaining(), count, offsetBits);
    }
    int[] offsets = offsets(in, 0, offsetBits, count, scratch);
    if (offsets[0] < header) {
      throw new LanceFormatException(
          "first offset " + offsets[0] + ", expected at least " + header);
    }
    return new VariableValues(in, offsets, count);
  }

  /**
   * Some of the values, one after the other.
   *
   * @param positions strictly ascending
   */
  static VariableValues pick(VariableValues values, int[] positions, int picks, Scratch scratch) {
    int[] from = values.offsets();
    int[] offsets = scratch.ints(picks + 1);
    offsets[0] = 0;
    for (int i = 0; i < picks; i++) {
      offsets[i + 1] = offsets[i] + from[positions[i] + 1] - from[positions[i]];
    }
    ByteBuffer picked = scratch.bytes(offsets[picks]);
    for (int i = 0; i < picks; i++) {
      picked.put(offsets[i], values.bytes(), from[positions[i]], offsets[i + 1] - offsets[i]);
    }
    return new VariableValues(picked, offsets, picks);
  }

  /** Undoes symbol coding. */
  static VariableValues expand(FsstSymbolTable table, VariableValues values, Scratch scratch) {
    int[] offsets = scratch.ints(values.count() + 1);
    byte[] decoded = table.decode(values.bytes(), values.offsets(), values.count(), offsets);
    return new VariableValues(ByteBuffer.wrap(decoded), offsets, values.count());
  }

  private static VariableValues block(
      ByteBuffer block, int offsetBits, int count, Scratch scratch) {
    ByteBuffer in = block.slice().order(ByteOrder.LITTLE_ENDIAN);
    int width = offsetBits / 8;
    if (in.remaining() < 2 * width) {
      throw tooShort(in.remaining(), count, offsetBits);
    }
    int header;
    long declaredBits;
    long dataStart;
    if ((in.getInt(0) & 0xFFFFFF00) == 0) {
      header = 2 * width;
      declaredBits = word(in, 0, width);
      dataStart = word(in, width, width);
    } else {
      header = 1 + 2 * width;
      if (in.remaining() < header) {
        throw tooShort(in.remaining(), count, offsetBits);
      }
      declaredBits = in.get(0);
      if (word(in, 1, width) != count) {
        throw new LanceFormatException(
            "block of " + Long.toUnsignedString(word(in, 1, width)) + " values, expected " + count);
      }
      dataStart = word(in, 1 + width, width);
    }
    long offsetsEnd = header + (count + 1L) * width;
    if (declaredBits != offsetBits || dataStart < offsetsEnd || dataStart > in.remaining()) {
      throw new LanceFormatException(
          "block of byte strings with offsets of "
              + declaredBits
              + " bits and bytes at "
              + dataStart
              + ", expected "
              + offsetBits
              + " and "
              + offsetsEnd
              + " to "
              + in.remaining());
    }
    int[] offsets = offsets(in, header, offsetBits, count, scratch);
    return new VariableValues(in.position((int) dataStart), offsets, count);
  }

  /**
   * Appends values as a chunk's buffer. It is padded to whole offsets, for real Lance 7.0.0 ends
   * the process on a buffer that is not.
   *
   * @param bytes those of all values
   * @param offsets where each value starts in {@code bytes}, and where the last one ends
   * @param from index of the first value
   * @param offsetBits 32 or 64
   */
  public static void encodeChunk(
      byte[] bytes, int[] offsets, int from, int count, int offsetBits, GrowingBytes target) {
    int header = (count + 1) * (offsetBits / 8);
    int size = offsets[from + count] - offsets[from];
    encodeOffsets(offsets, from, count, header, offsetBits, target);
    target.put(bytes, offsets[from], size);
    target.fill(PADDING, Math.floorMod(-size, offsetBits / 8));
  }

  /** Appends values as a block; the arguments are those of a chunk. */
  public static void encodeBlock(
      byte[] bytes, int[] offsets, int count, int offsetBits, GrowingBytes target) {
    int width = offsetBits / 8;
    target.putWord(offsetBits, width);
    target.putWord((count + 3L) * width, width);
    encodeOffsets(offsets, 0, count, 0, offsetBits, target);
    target.put(bytes, offsets[0], offsets[count] - offsets[0]);
  }

  /** Appends offsets of which the first is {@code first}. */
  private static void encodeOffsets(
      int[] offsets, int from, int count, int first, int offsetBits, GrowingBytes target) {
    int base = first - offsets[from];
    if (offsetBits == Integer.SIZE) {
      int at = target.extend((count + 1) * Integer.BYTES);
      for (int i = 0; i <= count; i++, at += Integer.BYTES) {
        target.setInt(at, base + offsets[from + i]);
      }
    } else {
      for (int i = 0; i <= count; i++) {
        target.putLong((long) base + offsets[from + i]);
      }
    }
  }

  private static int[] offsets(
      ByteBuffer in, int start, int offsetBits, int count, Scratch scratch) {
    int[] offsets = scratch.ints(count + 1);
    ByteBuffer from = in.duplicate().position(start).order(ByteOrder.LITTLE_ENDIAN);
    if (offsetBits == 32) {
      from.asIntBuffer().get(offsets, 0, count + 1);
      return offsets;
    }
    long[] wide = scratch.longs(count + 1);
    from.asLongBuffer().get(wide, 0, count + 1);
    for (int i = 0; i <= count; i++) {
      long offset = wide[i];
      if (offset < 0 || offset > Integer.MAX_VALUE) {
        throw new LanceFormatException(
            "offset "
                + Long.toUnsignedString(offset)
                + " of value "
                + i
                + " exceeds a buffer of "
                + in.limit()
                + " bytes");
      }
      offsets[i] = (int) offset;
    }
    return offsets;
  }

  private static long word(ByteBuffer in, int at, int width) {
    return width == Integer.BYTES ? Integer.toUnsignedLong(in.getInt(at)) : in.getLong(at);
  }

  private static LanceFormatException tooShort(int bytes, int count, int offsetBits) {
    return new LanceFormatException(
        bytes + " bytes for " + count + " byte strings with offsets of " + offsetBits + " bits");
  }
}
