package dev.narwhal.lance.datafile.layout;

import com.google.protobuf.ByteString;
import dev.narwhal.lance.datafile.page.AllNullPage;
import dev.narwhal.lance.datafile.page.BitValues;
import dev.narwhal.lance.datafile.page.FixedValues;
import dev.narwhal.lance.datafile.page.PageBuffers;
import dev.narwhal.lance.datafile.page.PageDecoder;
import dev.narwhal.lance.datafile.page.PageSource;
import dev.narwhal.lance.datafile.page.Scratch;
import dev.narwhal.lance.datafile.page.ValueShape;
import dev.narwhal.lance.datafile.page.Values;
import dev.narwhal.lance.datafile.page.VariableValues;
import dev.narwhal.lance.datafile.page.VectorBuilder;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * A page whose valid rows all have one value, or that has no valid row. What it is follows from the
 * inline value and the number of buffers:
 *
 * <pre>
 * inline   buffers
 * no       none                              all rows are null
 * no       repetition, definition            all rows are null
 * yes      none                              one value
 * yes      repetition, definition            one value and nulls
 * no       value                             one value
 * no       value, repetition, definition     one value and nulls
 * </pre>
 *
 * <p>The value buffer: u32 k, k times u32 length, k Arrow buffers of an array of one value: its
 * bytes (k = 1), or offsets and bytes (k = 2). Source: file format sheet 4.8.
 */
final class ConstantPage implements PageDecoder {
  /** Rows whose levels are cheaper to read than to skip. */
  private static final int MAX_GAP_ROWS = 4096;

  private final Values value;
  private final @Nullable RowLevels levels;

  private ConstantPage(Values value, @Nullable RowLevels levels) {
    this.value = value;
    this.levels = levels;
  }

  /**
   * @param layer the only layer of the page
   */
  static PageDecoder open(PageSource page, Layout.Constant layout, Layer layer) throws IOException {
    Values value = value(page, layout);
    if (value == null) {
      return new AllNullPage();
    }
    int count = page.buffers().count();
    return new ConstantPage(
        value, count < 2 ? null : RowLevels.open(page, layout, count - 1, layer.levels()));
  }

  /** The value of all valid rows; null when there is none. */
  static @Nullable Values value(PageSource page, Layout.Constant layout) throws IOException {
    PageBuffers buffers = page.buffers();
    boolean inline = layout.inlineValue().isPresent();
    int count = buffers.count();
    if (!inline && (count == 0 || count == 2)) {
      return null;
    }
    if (inline ? count != 0 && count != 2 : count != 1 && count != 3) {
      throw new LanceFormatException(
          "constant page with "
              + count
              + " buffers and "
              + (inline ? "an" : "no")
              + " inline value");
    }
    return inline
        ? inline(layout.inlineValue().get(), page.shape())
        : buffered(buffers.read(0), page.shape());
  }

  @Override
  public void read(long firstRow, int count, VectorBuilder out, Scratch scratch)
      throws IOException {
    if (levels != null) {
      scratch.reset();
      short[] read = levels.read(firstRow, count, scratch);
      out.validity().fromLevels(out.rows(), read, 0, count);
    }
    out.repeat(value, 0, count);
  }

  @Override
  public void take(long base, int[] offsets, int from, int to, VectorBuilder out, Scratch scratch)
      throws IOException {
    if (levels != null) {
      int at = out.rows();
      for (int i = from; i < to; ) {
        int end = i + 1;
        while (end < to && offsets[end] - offsets[end - 1] <= MAX_GAP_ROWS) {
          end++;
        }
        at = takeLevels(levels, base, offsets, i, end, at, out, scratch);
        i = end;
      }
    }
    out.repeat(value, 0, to - from);
  }

  private static int takeLevels(
      RowLevels levels,
      long base,
      int[] offsets,
      int from,
      int to,
      int at,
      VectorBuilder out,
      Scratch scratch)
      throws IOException {
    scratch.reset();
    int first = offsets[from];
    short[] read = levels.read(base + first, offsets[to - 1] - first + 1, scratch);
    short[] picked = scratch.shorts(to - from);
    for (int i = from; i < to; i++) {
      picked[i - from] = read[offsets[i] - first];
    }
    out.validity().fromLevels(at, picked, 0, to - from);
    return at + to - from;
  }

  private static Values inline(ByteString value, ValueShape shape) {
    ByteBuffer bytes = value.asReadOnlyByteBuffer();
    if (shape instanceof ValueShape.Bit && value.size() == 1 && (value.byteAt(0) & ~1) == 0) {
      return new BitValues(bytes, 1);
    }
    if (shape instanceof ValueShape.FixedWidth fixed && value.size() == fixed.widthBytes()) {
      return new FixedValues(bytes, fixed.widthBytes(), 1);
    }
    throw new LanceFormatException(
        "inline value of " + value.size() + " bytes for values of " + shape);
  }

  private static Values buffered(ByteBuffer buffer, ValueShape shape) {
    long parts = buffer.remaining() < 4 ? -1 : Integer.toUnsignedLong(buffer.getInt(0));
    if (parts != 1 && parts != 2) {
      throw new LanceFormatException("value of " + parts + " buffers, expected 1 or 2");
    }
    int header = 4 + 4 * (int) parts;
    long total = header;
    for (int i = 4; i < header && header <= buffer.limit(); i += 4) {
      total += Integer.toUnsignedLong(buffer.getInt(i));
    }
    if (total != buffer.limit()) {
      throw new LanceFormatException(
          "value buffer of " + buffer.limit() + " bytes, its parts take " + total);
    }
    int firstBytes = buffer.getInt(4);
    ByteBuffer first = buffer.slice(header, firstBytes).order(ByteOrder.LITTLE_ENDIAN);
    if (shape instanceof ValueShape.FixedWidth fixed
        && parts == 1
        && firstBytes == fixed.widthBytes()) {
      return new FixedValues(first, fixed.widthBytes(), 1);
    }
    if (shape instanceof ValueShape.Bit && parts == 1 && firstBytes >= 1) {
      return new BitValues(first, 1);
    }
    if (shape instanceof ValueShape.Variable variable
        && parts == 2
        && firstBytes == variable.offsetBits() / 4) {
      ByteBuffer bytes = buffer.slice(header + firstBytes, buffer.limit() - header - firstBytes);
      boolean wide = variable.offsetBits() == 64;
      long start = wide ? first.getLong(0) : first.getInt(0);
      long end = wide ? first.getLong(8) : first.getInt(4);
      if (start != 0 || end != bytes.remaining()) {
        throw new LanceFormatException(
            "value in ["
                + start
                + ", "
                + end
                + "), expected all of its "
                + bytes.remaining()
                + " bytes");
      }
      return new VariableValues(bytes, new int[] {0, bytes.remaining()}, 1);
    }
    if (shape instanceof ValueShape.FixedList
        || shape instanceof ValueShape.Packed
        || shape instanceof ValueShape.Nothing) {
      throw new UnsupportedFeatureException("a constant page of " + shape + " is not supported");
    }
    throw new LanceFormatException(
        "value of " + parts + " buffers, the first of " + firstBytes + " bytes, for " + shape);
  }
}
