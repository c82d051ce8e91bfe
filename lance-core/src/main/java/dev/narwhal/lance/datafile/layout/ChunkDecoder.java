package dev.narwhal.lance.datafile.layout;

import dev.narwhal.lance.datafile.codec.ByteStreamSplit;
import dev.narwhal.lance.datafile.codec.FsstSymbolTable;
import dev.narwhal.lance.datafile.codec.InlineBitpacking;
import dev.narwhal.lance.datafile.codec.Rle;
import dev.narwhal.lance.datafile.page.BitValues;
import dev.narwhal.lance.datafile.page.FixedValues;
import dev.narwhal.lance.datafile.page.ListValues;
import dev.narwhal.lance.datafile.page.PackedRows;
import dev.narwhal.lance.datafile.page.Scratch;
import dev.narwhal.lance.datafile.page.ValueShape;
import dev.narwhal.lance.datafile.page.Values;
import dev.narwhal.lance.datafile.page.VariableValues;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the value buffers of a mini-block chunk. Source: file format sheet 5, column
 * "mini-block".
 */
interface ChunkDecoder {
  /** Most that a compressed unit of a chunk below 32 KiB may claim to hold. */
  int MAX_UNIT_BYTES = 16 << 20;

  /** Buffers of a chunk that it takes. */
  int bufferCount();

  /**
   * Decodes all values of a chunk.
   *
   * @param buffers of the chunk, little-endian; their positions stay
   * @param first index of the first one that is this decoder's
   * @param count values in the chunk
   * @return a view on the buffers or on scratch memory
   */
  Values decode(ByteBuffer[] buffers, int first, int count, Scratch scratch);

  /** Whether {@link #decodeSome} costs what it gives, and not what the chunk holds. */
  default boolean decodesSome() {
    return false;
  }

  /**
   * Decodes the values at some places of a chunk only.
   *
   * @param positions below {@code count}, strictly ascending
   * @param picks how many of them there are
   * @return {@code picks} values, one after the other
   * @throws UnsupportedOperationException unless it {@link #decodesSome}
   */
  default Values decodeSome(
      ByteBuffer[] buffers, int first, int count, int[] positions, int picks, Scratch scratch) {
    throw new UnsupportedOperationException("decodes whole chunks only");
  }

  /**
   * The decoder of an encoding for values of a shape, which must agree.
   *
   * @param maxUnitBytes most that a compressed buffer may claim to hold
   */
  static ChunkDecoder of(Encoding encoding, ValueShape shape, int maxUnitBytes) {
    if (encoding instanceof Encoding.General general) {
      return new General(general, of(general.values(), shape, maxUnitBytes), maxUnitBytes);
    }
    if (shape instanceof ValueShape.FixedWidth fixed) {
      return new FixedWidth(checkFixed(encoding, fixed.widthBytes()), fixed.widthBytes());
    }
    if (shape instanceof ValueShape.Bit
        && encoding instanceof Encoding.Flat flat
        && flat.bits() == 1) {
      return new Bit();
    }
    if (shape instanceof ValueShape.Variable) {
      return variable(encoding);
    }
    if (shape instanceof ValueShape.FixedList list
        && encoding instanceof Encoding.FixedSizeList lists) {
      if (lists.items() != list.dimension()) {
        throw new LanceFormatException(
            lists.describe() + " for lists of " + list.dimension() + " items");
      }
      if (!(lists.values() instanceof Encoding.Flat
          || lists.values() instanceof Encoding.FixedSizeList)) {
        throw unsupported(encoding, shape);
      }
      return new FixedList(
          list.dimension(), lists.hasValidity(), of(lists.values(), list.item(), maxUnitBytes));
    }
    if (shape instanceof ValueShape.Packed packed
        && encoding instanceof Encoding.PackedStruct rows) {
      PackedRows fields = new PackedRows(packed, rows.fieldBytes());
      ValueShape row = new ValueShape.FixedWidth(fields.rowBytes());
      return new Packed(fields, of(rows.values(), row, maxUnitBytes));
    }
    throw unsupported(encoding, shape);
  }

  private static Encoding checkFixed(Encoding encoding, int width) {
    boolean known =
        encoding instanceof Encoding.Flat
            || encoding instanceof Encoding.InlineBitpacking
            || encoding instanceof Encoding.Rle
            || encoding instanceof Encoding.ByteStreamSplit;
    if (!known) {
      throw unsupported(encoding, new ValueShape.FixedWidth(width));
    }
    if (encoding.valueBits().orElse(0) != 8L * width) {
      throw new LanceFormatException(
          encoding.describe() + " for values of " + 8L * width + " bits");
    }
    return encoding;
  }

  private static ChunkDecoder variable(Encoding encoding) {
    if (encoding instanceof Encoding.Variable variable) {
      return new Variable(variable.offsetBits(), null);
    }
    if (encoding instanceof Encoding.Fsst fsst
        && fsst.values() instanceof Encoding.Variable variable) {
      return new Variable(
          variable.offsetBits(), FsstSymbolTable.parse(fsst.symbolTable().asReadOnlyByteBuffer()));
    }
    throw unsupported(encoding, new ValueShape.Variable(32));
  }

  private static UnsupportedFeatureException unsupported(Encoding encoding, ValueShape shape) {
    return new UnsupportedFeatureException(
        "a chunk encoded as " + encoding.describe() + " for " + shape + " is not supported");
  }

  /** Values of whole bytes. */
  record FixedWidth(Encoding encoding, int width) implements ChunkDecoder {
    @Override
    public int bufferCount() {
      return encoding instanceof Encoding.Rle ? 2 : 1;
    }

    @Override
    public Values decode(ByteBuffer[] buffers, int first, int count, Scratch scratch) {
      if (encoding instanceof Encoding.Flat) {
        return new FixedValues(buffers[first], width, count);
      }
      ByteBuffer target = scratch.bytes(Math.multiplyExact(count, width));
      if (encoding instanceof Encoding.InlineBitpacking) {
        InlineBitpacking.decode(buffers[first], scratch.lanes(8 * width), count, target);
      } else if (encoding instanceof Encoding.Rle) {
        Rle.decode(buffers[first], buffers[first + 1], 8 * width, count, target);
      } else {
        ByteStreamSplit.decode(buffers[first], width, count, target);
      }
      return new FixedValues(target.flip(), width, count);
    }
  }

  /** Booleans. */
  record Bit() implements ChunkDecoder {
    @Override
    public int bufferCount() {
      return 1;
    }

    @Override
    public Values decode(ByteBuffer[] buffers, int first, int count, Scratch scratch) {
      return new BitValues(buffers[first], count);
    }
  }

  /** Byte strings, with a symbol table when they are coded. */
  record Variable(int offsetBits, @Nullable FsstSymbolTable symbols) implements ChunkDecoder {
    @Override
    public int bufferCount() {
      return 1;
    }

    @Override
    public Values decode(ByteBuffer[] buffers, int first, int count, Scratch scratch) {
      VariableValues values = VariableBlocks.chunk(buffers[first], offsetBits, count, scratch);
      return symbols == null ? values : VariableBlocks.expand(symbols, values, scratch);
    }

    @Override
    public boolean decodesSome() {
      return symbols != null;
    }

    @Override
    public Values decodeSome(
        ByteBuffer[] buffers, int first, int count, int[] positions, int picks, Scratch scratch) {
      VariableValues values = VariableBlocks.chunk(buffers[first], offsetBits, count, scratch);
      VariableValues some = VariableBlocks.pick(values, positions, picks, scratch);
      return symbols == null ? some : VariableBlocks.expand(symbols, some, scratch);
    }
  }

  /** Lists of one length, outer bitmaps first. */
  record FixedList(int dimension, boolean hasValidity, ChunkDecoder items) implements ChunkDecoder {
    @Override
    public int bufferCount() {
      return items.bufferCount() + (hasValidity ? 1 : 0);
    }

    @Override
    public Values decode(ByteBuffer[] buffers, int first, int count, Scratch scratch) {
      int itemCount = Math.multiplyExact(count, dimension);
      if (!hasValidity) {
        return new ListValues(dimension, items.decode(buffers, first, itemCount, scratch), count);
      }
      return new ListValues(
          dimension, items.decode(buffers, first + 1, itemCount, scratch), buffers[first], count);
    }
  }

  /** Structs of fixed width, row by row. */
  record Packed(PackedRows fields, ChunkDecoder rows) implements ChunkDecoder {
    @Override
    public int bufferCount() {
      return rows.bufferCount();
    }

    @Override
    public Values decode(ByteBuffer[] buffers, int first, int count, Scratch scratch) {
      FixedValues decoded = (FixedValues) rows.decode(buffers, first, count, scratch);
      return fields.split(decoded.bytes(), count, scratch);
    }
  }

  /** The first buffer is a compressed unit, the others are as they are. */
  record General(Encoding.General encoding, ChunkDecoder values, int maxUnitBytes)
      implements ChunkDecoder {
    @Override
    public int bufferCount() {
      return values.bufferCount();
    }

    @Override
    public Values decode(ByteBuffer[] buffers, int first, int count, Scratch scratch) {
      return values.decode(plain(buffers, first, scratch), first, count, scratch);
    }

    @Override
    public boolean decodesSome() {
      return values.decodesSome();
    }

    @Override
    public Values decodeSome(
        ByteBuffer[] buffers, int first, int count, int[] positions, int picks, Scratch scratch) {
      ByteBuffer[] plain = plain(buffers, first, scratch);
      return values.decodeSome(plain, first, count, positions, picks, scratch);
    }

    private ByteBuffer[] plain(ByteBuffer[] buffers, int first, Scratch scratch) {
      ByteBuffer[] plain = buffers.clone();
      plain[first] =
          scratch.decompressor(encoding.scheme()).decompress(buffers[first], maxUnitBytes);
      return plain;
    }
  }
}
