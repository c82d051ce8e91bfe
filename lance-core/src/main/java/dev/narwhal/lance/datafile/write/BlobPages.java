package dev.narwhal.lance.datafile.write;

import dev.narwhal.lance.datafile.array.ArrayNode;
import dev.narwhal.lance.datafile.array.ArrayNodeCodec;
import dev.narwhal.lance.datafile.codec.GrowingBytes;
import dev.narwhal.lance.datafile.layout.Layout;
import dev.narwhal.lance.datafile.layout.LayoutCodec;
import dev.narwhal.lance.datafile.page.ByteRange;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Pages of blobs of the first kind: the bytes of each value are a buffer of the file, the page has
 * position and size of each, two u64. Source: file format sheet 2.7, 7.1.
 *
 * <pre>
 * position          size   meaning
 * of the buffer     &gt; 0    value
 * 0                 0      empty value
 * 1                 0      null (2.0)
 * rep, def &lt;&lt; 16    0      null, and what the levels say besides (2.1 and later)
 * </pre>
 */
final class BlobPages {
  private static final int DESCRIPTOR_BYTES = 2 * Long.BYTES;

  private BlobPages() {}

  /** A page of 2.0; at least one value. */
  static ColumnPage array(int column, VariableLeaf values, BitBuffer valid) {
    List<ByteBuffer> payloads = payloads(values);
    int[] sizes = sizes(values);
    boolean[] present = new boolean[sizes.length];
    for (int i = 0; i < present.length; i++) {
      present[i] = valid.get(i);
    }
    return new ColumnPage(
        column,
        payloads,
        places -> {
          GrowingBytes rows = new GrowingBytes(sizes.length * DESCRIPTOR_BYTES);
          int next = 0;
          for (int i = 0; i < sizes.length; i++) {
            rows.putLong(sizes[i] > 0 ? places.get(next++).position() : present[i] ? 0 : 1);
            rows.putLong(sizes[i]);
          }
          ArrayNode word =
              new ArrayNode.NoNulls(new ArrayNode.Flat(Long.SIZE, 0, Optional.empty()));
          return new EncodedPage(
              sizes.length,
              ArrayNodeCodec.encode(new ArrayNode.PackedStruct(List.of(word, word), 0)),
              List.of(rows.view()));
        });
  }

  /** A page of 2.1 and later; at least one level. */
  static ColumnPage layout(
      PageLevels levels, VariableLeaf values, boolean largeChunks, Coders coders) {
    int[] sizes = sizes(values);
    return new ColumnPage(
        0,
        payloads(values),
        places -> {
          FixedLeaf rows = new FixedLeaf(DESCRIPTOR_BYTES);
          fill(rows.bytes(), levels, sizes, places);
          return page(levels, rows, largeChunks, coders);
        });
  }

  private static void fill(
      GrowingBytes rows, PageLevels levels, int[] sizes, List<ByteRange> places) {
    short[] rep = levels.repetition();
    short[] def = levels.definition();
    int slot = 0;
    int next = 0;
    for (int i = 0; i < levels.count(); i++) {
      long size = levels.isValid(i) ? sizes[slot] : 0;
      if (size > 0) {
        rows.putLong(places.get(next++).position());
      } else if (levels.isValid(i) || def == null) {
        rows.putLong(0);
      } else {
        rows.putLong((rep == null ? 0 : rep[i]) | (long) def[i] << Short.SIZE);
      }
      rows.putLong(size);
      slot += levels.isVisible(i) ? 1 : 0;
    }
  }

  private static EncodedPage page(
      PageLevels levels, FixedLeaf rows, boolean largeChunks, Coders coders) {
    ValueChunks chunks = ChunkEncoder.rows(rows, List.of(Long.BYTES, Long.BYTES));
    Layout inner = MiniBlockEncoder.layout(levels.withoutLevels(), chunks, largeChunks, coders);
    EncodedPage page =
        MiniBlockEncoder.encode(
                levels.withoutLevels(), chunks, Optional.empty(), largeChunks, false, coders)
            .orElseThrow();
    return new EncodedPage(
        levels.rows(), LayoutCodec.encode(new Layout.Blob(inner, levels.layers())), page.buffers());
  }

  /** Bytes of each value. */
  static int[] sizes(VariableLeaf values) {
    int[] sizes = new int[values.count()];
    for (int i = 0; i < sizes.length; i++) {
      sizes[i] = values.offsets()[i + 1] - values.offsets()[i];
    }
    return sizes;
  }

  /** Copies of values that are not empty: the memory of the page is used again. */
  static List<ByteBuffer> payloads(VariableLeaf values) {
    List<ByteBuffer> payloads = new ArrayList<>();
    GrowingBytes bytes = new GrowingBytes();
    bytes.put(values.bytes(), 0, values.offsets()[values.count()]);
    ByteBuffer all = bytes.view();
    for (int i = 0; i < values.count(); i++) {
      int start = values.offsets()[i];
      int size = values.offsets()[i + 1] - start;
      if (size > 0) {
        payloads.add(all.slice(start, size));
      }
    }
    return payloads;
  }
}
