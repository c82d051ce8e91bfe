package dev.narwhal.lance.datafile.write;

import dev.narwhal.lance.datafile.codec.ByteStreamSplit;
import dev.narwhal.lance.datafile.codec.Compression;
import dev.narwhal.lance.datafile.codec.FastLanes;
import dev.narwhal.lance.datafile.codec.GrowingBytes;
import dev.narwhal.lance.datafile.codec.InlineBitpacking;
import dev.narwhal.lance.datafile.codec.Rle;
import dev.narwhal.lance.datafile.layout.Encoding;
import dev.narwhal.lance.datafile.layout.VariableBlocks;
import java.util.ArrayList;
import java.util.List;

/**
 * Encodes the values of a page for a mini-block layout: chooses the encoding, cuts chunks. Source:
 * file format sheet 4.2, 5, 5.12.
 */
final class ChunkEncoder {
  /** Most values of a chunk. */
  static final int MAX_VALUES = 4096;

  /** What a chunk of one width, and one of byte strings, aims at. */
  private static final int FIXED_BYTES = 8 << 10;

  private static final int VARIABLE_BYTES = 4 << 10;
  private static final int RUN_VALUES = 2048;

  /** A first buffer of less is not worth compressing. */
  private static final int LEAST_COMPRESSED = 4 << 10;

  private static final int SAMPLE_BYTES = 64 << 10;

  private final EncodingHints hints;
  private final Coders coders;

  ChunkEncoder(EncodingHints hints, Coders coders) {
    this.hints = hints;
    this.coders = coders;
  }

  /**
   * Encodes values.
   *
   * @param maxValues most values of a chunk, a power of two
   */
  ValueChunks encode(LeafValues values, int maxValues) {
    if (values instanceof FixedLeaf fixed) {
      return fixed(fixed.bytes().array(), fixed.width(), fixed.count(), maxValues);
    }
    if (values instanceof BitLeaf bits) {
      return bits(bits, maxValues);
    }
    if (values instanceof VariableLeaf strings) {
      return variable(strings, maxValues);
    }
    if (values instanceof ListLeaf lists) {
      return lists(lists, maxValues);
    }
    if (values instanceof PackedLeaf rows) {
      return packed(rows, maxValues);
    }
    throw new IllegalArgumentException("no chunks for " + values.getClass().getSimpleName());
  }

  private ValueChunks fixed(byte[] values, int width, int count, int maxValues) {
    if (hints.plain() || !isWord(width)) {
      return compressed(flat(values, width, count, maxValues), width);
    }
    if (hints.compression().isPresent() && width >= Integer.BYTES && splits(values, width, count)) {
      return compressed(split(values, width, count, maxValues), width);
    }
    int bits = 8 * width;
    long flat = (long) count * width;
    long runs = Rle.countRuns(values, 0, bits, count) + (long) count / 255 + count / RUN_VALUES + 1;
    long runBytes = runs * (width + 1);
    long packed = maxValues < FastLanes.GROUP ? Long.MAX_VALUE : packedBytes(values, width, count);
    if (runBytes < Math.min(packed, flat)) {
      return compressed(runs(values, width, count, maxValues), width);
    }
    return compressed(
        packed < flat
            ? packed(values, width, count, packed)
            : flat(values, width, count, maxValues),
        width);
  }

  static boolean isWord(int width) {
    return width == 1 || width == 2 || width == 4 || width == 8;
  }

  private long packedBytes(byte[] values, int width, int count) {
    FastLanes lanes = coders.lanes(8 * width);
    long bytes = 0;
    for (int at = 0; at < count; at += FastLanes.GROUP) {
      int least = lanes.load(values, at * width, Math.min(FastLanes.GROUP, count - at));
      bytes += InlineBitpacking.encodedBytes(8 * width, least);
    }
    return bytes;
  }

  private static ValueChunks flat(byte[] values, int width, int count, int maxValues) {
    return fixed(new Encoding.Flat(8 * width), values, width, count, maxValues);
  }

  /** Values as they are. */
  private static ValueChunks fixed(
      Encoding encoding, byte[] values, int width, int count, int maxValues) {
    ValueChunks chunks = new ValueChunks(encoding, 1);
    chunks.buffer(0).reserve((long) count * width);
    int step = Math.min(maxValues, powerOfTwo(FIXED_BYTES / width));
    for (int at = 0; at < count; at += step) {
      int part = Math.min(step, count - at);
      chunks.buffer(0).put(values, at * width, part * width);
      chunks.endChunk(part);
    }
    return chunks;
  }

  private ValueChunks packed(byte[] values, int width, int count, long sizeBytes) {
    ValueChunks chunks = new ValueChunks(new Encoding.InlineBitpacking(8 * width), 1);
    chunks.buffer(0).reserve(sizeBytes);
    FastLanes lanes = coders.lanes(8 * width);
    for (int at = 0; at < count; at += FastLanes.GROUP) {
      int part = Math.min(FastLanes.GROUP, count - at);
      InlineBitpacking.encode(values, at * width, part, lanes, chunks.buffer(0));
      chunks.endChunk(part);
    }
    return chunks;
  }

  private static ValueChunks runs(byte[] values, int width, int count, int maxValues) {
    ValueChunks chunks = new ValueChunks(new Encoding.Rle(8 * width), 2);
    int step = Math.min(maxValues, RUN_VALUES);
    for (int at = 0; at < count; at += step) {
      int part = Math.min(step, count - at);
      Rle.encode(values, at * width, 8 * width, part, chunks.buffer(0), chunks.buffer(1));
      chunks.endChunk(part);
    }
    return chunks;
  }

  private static ValueChunks split(byte[] values, int width, int count, int maxValues) {
    ValueChunks chunks = new ValueChunks(new Encoding.ByteStreamSplit(8 * width), 1);
    int step = Math.min(maxValues, 4096 / width);
    for (int at = 0; at < count; at += step) {
      int part = Math.min(step, count - at);
      ByteStreamSplit.encode(values, at * width, width, part, chunks.buffer(0));
      chunks.endChunk(part);
    }
    return chunks;
  }

  /** Whether bytes of equal significance are to be put together, by a try when that is not said. */
  private boolean splits(byte[] values, int width, int count) {
    return switch (hints.split()) {
      case OFF -> false;
      case ON -> true;
      case AUTO -> {
        int some = Math.min(count, SAMPLE_BYTES / width);
        Compression scheme = hints.compression().orElseThrow();
        ValueChunks plain = general(flat(values, width, some, MAX_VALUES), scheme);
        ValueChunks split = general(split(values, width, some, MAX_VALUES), scheme);
        yield split.sizeBytes() < plain.sizeBytes();
      }
    };
  }

  /** Puts the general scheme around, if one is asked for and it pays. */
  private ValueChunks compressed(ValueChunks chunks, int width) {
    boolean mustSplit = chunks.encoding() instanceof Encoding.ByteStreamSplit;
    if (hints.compression().isEmpty()
        || (!mustSplit && chunks.buffer(0).size() < LEAST_COMPRESSED)) {
      return chunks;
    }
    ValueChunks smaller = general(chunks, hints.compression().get());
    return mustSplit || smaller.buffer(0).size() < chunks.buffer(0).size() || width == 0
        ? smaller
        : chunks;
  }

  private ValueChunks general(ValueChunks chunks, Compression scheme) {
    ValueChunks out =
        new ValueChunks(new Encoding.General(scheme, chunks.encoding()), chunks.bufferCount());
    for (int chunk = 0; chunk < chunks.chunks(); chunk++) {
      byte[] content = chunks.buffer(0).array();
      coders
          .compressor(scheme)
          .compress(content, chunks.start(chunk, 0), chunks.size(chunk, 0), out.buffer(0));
      for (int i = 1; i < chunks.bufferCount(); i++) {
        out.buffer(i).put(chunks.buffer(i).array(), chunks.start(chunk, i), chunks.size(chunk, i));
      }
      out.endChunk(chunks.count(chunk));
    }
    return out;
  }

  private static ValueChunks bits(BitLeaf values, int maxValues) {
    ValueChunks chunks = new ValueChunks(new Encoding.Flat(1), 1);
    int count = values.count();
    for (int at = 0; at < count; at += maxValues) {
      int part = Math.min(maxValues, count - at);
      values.bits().copyTo(chunks.buffer(0), at, part);
      chunks.endChunk(part);
    }
    return chunks;
  }

  private ValueChunks variable(VariableLeaf values, int maxValues) {
    CodedStrings strings = CodedStrings.of(values, hints);
    ValueChunks chunks = new ValueChunks(strings.encoding(), 1);
    int width = values.offsetBits() / 8;
    int[] offsets = strings.offsets();
    int count = values.count();
    chunks.buffer(0).reserve(size(offsets, 0, count, width) * 17 / 16);
    int at = 0;
    while (at < count) {
      int left = count - at;
      int part = maxValues;
      if (left > part || size(offsets, at, left, width) > VARIABLE_BYTES) {
        while (part > 1 && (part > left || size(offsets, at, part, width) > VARIABLE_BYTES)) {
          part >>>= 1;
        }
      } else {
        part = left;
      }
      VariableBlocks.encodeChunk(
          strings.bytes(), offsets, at, part, values.offsetBits(), chunks.buffer(0));
      chunks.endChunk(part);
      at += part;
    }
    return compressed(chunks, 1);
  }

  private static long size(int[] offsets, int from, int count, int width) {
    return (long) offsets[from + count] - offsets[from] + (count + 1L) * width;
  }

  private static ValueChunks lists(ListLeaf lists, int maxValues) {
    List<BitBuffer> validity = new ArrayList<>();
    Encoding encoding = listEncoding(lists, validity);
    int bitmaps = validity.size();
    ValueChunks chunks = new ValueChunks(encoding, bitmaps + 1);
    int dimension = lists.totalDimension();
    long rowBits = (long) dimension * itemBits(lists.leaf());
    int step = Math.min(maxValues, powerOfTwo((int) Math.max(1, 8L * FIXED_BYTES / rowBits)));
    int count = lists.count();
    chunks.buffer(bitmaps).reserve(count * rowBits / 8);
    for (int at = 0; at < count; at += step) {
      int part = Math.min(step, count - at);
      for (int i = 0; i < bitmaps; i++) {
        int bits = validity.get(i).size() / count;
        validity.get(i).copyTo(chunks.buffer(i), at * bits, part * bits);
      }
      copyItems(lists.leaf(), at * dimension, part * dimension, chunks.buffer(bitmaps));
      chunks.endChunk(part);
    }
    return chunks;
  }

  /**
   * The encoding of lists and what is below them.
   *
   * @param validity is given the bitmaps that are stored, outer ones first
   */
  static Encoding listEncoding(ListLeaf lists, List<BitBuffer> validity) {
    boolean nulls = lists.hasItemNulls();
    if (nulls) {
      validity.add(lists.validItems());
    }
    Encoding items =
        lists.items() instanceof ListLeaf inner
            ? listEncoding(inner, validity)
            : new Encoding.Flat(itemBits(lists.items()));
    return new Encoding.FixedSizeList(lists.dimension(), nulls, items);
  }

  /** Bits of an item of one width. */
  static int itemBits(LeafValues items) {
    return items instanceof FixedLeaf fixed ? 8 * fixed.width() : 1;
  }

  private static void copyItems(LeafValues items, int from, int count, GrowingBytes target) {
    if (items instanceof FixedLeaf fixed) {
      target.put(fixed.bytes().array(), from * fixed.width(), count * fixed.width());
    } else if (items instanceof BitLeaf bits) {
      bits.bits().copyTo(target, from, count);
    }
  }

  private static ValueChunks packed(PackedLeaf values, int maxValues) {
    PackedFixedRows rows = PackedFixedRows.of(values);
    Encoding flat = new Encoding.Flat(8 * rows.rowBytes());
    return fixed(
        new Encoding.PackedStruct(rows.widths(), flat),
        rows.bytes(),
        rows.rowBytes(),
        values.count(),
        maxValues);
  }

  /** Rows of packed structs whose fields have these widths. */
  static ValueChunks rows(FixedLeaf rows, List<Integer> widths) {
    return fixed(
        new Encoding.PackedStruct(widths, new Encoding.Flat(8 * rows.width())),
        rows.bytes().array(),
        rows.width(),
        rows.count(),
        MAX_VALUES);
  }

  /** The greatest power of two up to {@code value}, at least 1. */
  private static int powerOfTwo(int value) {
    return Math.min(MAX_VALUES, Integer.highestOneBit(Math.max(1, value)));
  }
}
