package dev.narwhal.lance.datafile.layout;

import dev.narwhal.lance.datafile.page.PageBuffers;
import dev.narwhal.lance.datafile.page.PageDecoder;
import dev.narwhal.lance.datafile.page.Scratch;
import dev.narwhal.lance.datafile.page.VectorBuilder;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Wide values of one width without repetition. Row i is at {@code i * (control + width)}:
 *
 * <pre>
 * size      order   meaning
 * 0,1,2,4   LE      control word: its low bits are the definition level
 * width     -       value, there for null rows too
 * </pre>
 *
 * <p>Source: file format sheet 4.7.
 */
final class FixedZipPage implements PageDecoder {
  private static final int DATA_BUFFER = 0;

  private final PageBuffers buffers;
  private final ControlWord control;
  private final FixedZipValues values;
  private final int stride;

  FixedZipPage(PageBuffers buffers, ControlWord control, FixedZipValues values) {
    this.buffers = buffers;
    this.control = control;
    this.values = values;
    this.stride = control.sizeBytes() + values.widthBytes();
  }

  @Override
  public void read(long firstRow, int count, VectorBuilder out, Scratch scratch)
      throws IOException {
    int rowsPerRead = (int) Math.max(1, Spans.MAX_READ_BYTES / Math.max(stride, 1));
    for (int done = 0; done < count; ) {
      int n = Math.min(rowsPerRead, count - done);
      ByteBuffer bytes =
          buffers.read(DATA_BUFFER, (firstRow + done) * stride, (long) n * stride, scratch);
      append(bytes, null, n, out, scratch);
      done += n;
    }
  }

  @Override
  public void take(long base, int[] offsets, int from, int to, VectorBuilder out, Scratch scratch)
      throws IOException {
    int count = to - from;
    long[] starts = new long[count];
    long[] ends = new long[count];
    for (int i = 0; i < count; i++) {
      starts[i] = (base + offsets[from + i]) * stride;
      ends[i] = starts[i] + stride;
    }
    for (int i = 0; i < count; ) {
      int end = Spans.end(starts, ends, i, count);
      ByteBuffer bytes = buffers.read(DATA_BUFFER, starts[i], ends[end - 1] - starts[i], scratch);
      int[] positions = new int[end - i];
      for (int k = i; k < end; k++) {
        positions[k - i] = (int) (starts[k] - starts[i]);
      }
      append(bytes, positions, end - i, out, scratch);
      i = end;
    }
  }

  /**
   * @param positions byte of each row in {@code bytes}; null when rows follow one another
   */
  private void append(
      ByteBuffer bytes, int @Nullable [] positions, int count, VectorBuilder out, Scratch scratch) {
    scratch.reset();
    int controlBytes = control.sizeBytes();
    ByteBuffer plain = bytes;
    if (controlBytes > 0 || positions != null) {
      int width = values.widthBytes();
      plain = scratch.bytes(count * width);
      short[] levels = scratch.shorts(count);
      for (int i = 0; i < count; i++) {
        int at = positions == null ? i * stride : positions[i];
        levels[i] = control.definition(bytes, at);
        plain.put(i * width, bytes, at + controlBytes, width);
      }
      if (controlBytes > 0) {
        control.check(levels, count);
        out.validity().fromLevels(out.rows(), levels, 0, count);
      }
    }
    out.append(values.decode(plain, count, scratch), 0, count);
  }
}
