package dev.narwhal.lance.datafile.write;

import com.google.protobuf.ByteString;
import dev.narwhal.lance.datafile.codec.GrowingBytes;
import dev.narwhal.lance.datafile.codec.Rle;
import dev.narwhal.lance.datafile.layout.Encoding;
import dev.narwhal.lance.datafile.layout.Layer;
import dev.narwhal.lance.datafile.layout.Layout;
import dev.narwhal.lance.datafile.layout.LayoutCodec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Pages that hold no value, or one. Source: file format sheet 4.8. */
final class ConstantEncoder {
  private static final int MAX_INLINE_BYTES = 32;

  private ConstantEncoder() {}

  /**
   * A page without a valid value.
   *
   * @param withRuns whether levels may be runs
   */
  static EncodedPage nulls(PageLevels levels, boolean withRuns) {
    if (levels.layers().equals(List.of(Layer.NULLABLE_ITEM))) {
      return simple(levels.rows());
    }
    short[] rep = levels.repetition();
    short[] def = levels.definition();
    Optional<Encoding> repetition = Optional.empty();
    Optional<Encoding> definition = Optional.empty();
    ByteBuffer repetitionBytes = raw(rep);
    ByteBuffer definitionBytes = raw(def);
    if (withRuns) {
      ByteBuffer runs = runs(rep);
      if (runs.remaining() < repetitionBytes.remaining()) {
        repetitionBytes = runs;
        repetition = Optional.of(new Encoding.Rle(Short.SIZE));
      }
      runs = runs(def);
      if (runs.remaining() < definitionBytes.remaining()) {
        definitionBytes = runs;
        definition = Optional.of(new Encoding.Rle(Short.SIZE));
      }
    }
    Layout layout =
        new Layout.Constant(
            levels.layers(),
            Optional.empty(),
            repetition,
            definition,
            repetition.isPresent() ? levels.count() : 0,
            definition.isPresent() ? levels.count() : 0);
    return new EncodedPage(
        levels.rows(), LayoutCodec.encode(layout), List.of(repetitionBytes, definitionBytes));
  }

  /** Rows that are null one and all, and structs without fields. */
  static EncodedPage simple(long rows) {
    Layout layout =
        new Layout.Constant(
            List.of(Layer.NULLABLE_ITEM),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            0,
            0);
    return new EncodedPage(rows, LayoutCodec.encode(layout), List.of());
  }

  /** A page whose valid values, of which there is one at least, are equal; else empty. */
  static Optional<EncodedPage> value(PageLevels levels, LeafValues values) {
    if (values instanceof FixedLeaf fixed) {
      return fixed(levels, fixed);
    }
    if (values instanceof BitLeaf bits) {
      return bit(levels, bits);
    }
    return values instanceof VariableLeaf strings ? variable(levels, strings) : Optional.empty();
  }

  private static Optional<EncodedPage> fixed(PageLevels levels, FixedLeaf values) {
    byte[] bytes = values.bytes().array();
    int width = values.width();
    int first = firstValid(levels);
    Equality equal =
        slot ->
            Arrays.equals(
                bytes,
                slot * width,
                slot * width + width,
                bytes,
                first * width,
                first * width + width);
    if (!allEqual(levels, equal)) {
      return Optional.empty();
    }
    if (width <= MAX_INLINE_BYTES) {
      return Optional.of(inline(levels, ByteString.copyFrom(bytes, first * width, width)));
    }
    GrowingBytes value = new GrowingBytes();
    value.putInt(1);
    value.putInt(width);
    value.put(bytes, first * width, width);
    return Optional.of(buffered(levels, value));
  }

  private static Optional<EncodedPage> bit(PageLevels levels, BitLeaf values) {
    boolean value = values.bits().get(firstValid(levels));
    if (!allEqual(levels, slot -> values.bits().get(slot) == value)) {
      return Optional.empty();
    }
    return Optional.of(inline(levels, ByteString.copyFrom(new byte[] {(byte) (value ? 1 : 0)})));
  }

  private static Optional<EncodedPage> variable(PageLevels levels, VariableLeaf values) {
    byte[] bytes = values.bytes();
    int[] offsets = values.offsets();
    int first = firstValid(levels);
    int start = offsets[first];
    int end = offsets[first + 1];
    Equality equal =
        slot -> Arrays.equals(bytes, offsets[slot], offsets[slot + 1], bytes, start, end);
    if (!allEqual(levels, equal)) {
      return Optional.empty();
    }
    int width = values.offsetBits() / 8;
    GrowingBytes value = new GrowingBytes();
    value.putInt(2);
    value.putInt(2 * width);
    value.putInt(end - start);
    value.putWord(0, width);
    value.putWord(end - start, width);
    value.put(bytes, start, end - start);
    return Optional.of(buffered(levels, value));
  }

  /** Whether the value in a slot is the first one's. */
  @FunctionalInterface
  private interface Equality {
    boolean test(int slot);
  }

  private static int firstValid(PageLevels levels) {
    int slot = 0;
    for (int i = 0; !levels.isValid(i); i++) {
      slot += levels.isVisible(i) ? 1 : 0;
    }
    return slot;
  }

  private static boolean allEqual(PageLevels levels, Equality equal) {
    int slot = 0;
    for (int i = 0; i < levels.count(); i++) {
      if (levels.isValid(i) && !equal.test(slot)) {
        return false;
      }
      slot += levels.isVisible(i) ? 1 : 0;
    }
    return true;
  }

  private static EncodedPage inline(PageLevels levels, ByteString value) {
    return page(levels, Optional.of(value), List.of());
  }

  private static EncodedPage buffered(PageLevels levels, GrowingBytes value) {
    return page(levels, Optional.empty(), List.of(value.view()));
  }

  private static EncodedPage page(
      PageLevels levels, Optional<ByteString> inline, List<ByteBuffer> value) {
    List<ByteBuffer> buffers = new ArrayList<>(value);
    if (levels.repetition() != null || levels.definition() != null) {
      buffers.add(raw(levels.repetition()));
      buffers.add(raw(levels.definition()));
    }
    Layout layout =
        new Layout.Constant(levels.layers(), inline, Optional.empty(), Optional.empty(), 0, 0);
    return new EncodedPage(levels.rows(), LayoutCodec.encode(layout), buffers);
  }

  private static ByteBuffer raw(short @Nullable [] levels) {
    return bytes(levels).view();
  }

  private static ByteBuffer runs(short @Nullable [] levels) {
    GrowingBytes bytes = bytes(levels);
    GrowingBytes runs = new GrowingBytes();
    if (levels != null) {
      Rle.encodeBlock(bytes.array(), 0, Short.SIZE, levels.length, runs);
    }
    return runs.view();
  }

  private static GrowingBytes bytes(short @Nullable [] levels) {
    GrowingBytes bytes = new GrowingBytes(levels == null ? 0 : 2 * levels.length);
    if (levels != null) {
      for (short level : levels) {
        bytes.putShort(level);
      }
    }
    return bytes;
  }
}
