package dev.narwhal.lance.datafile.layout;

import dev.narwhal.lance.datafile.page.PageBuffers;
import dev.narwhal.lance.datafile.page.PageDecoder;
import dev.narwhal.lance.datafile.page.Scratch;
import dev.narwhal.lance.datafile.page.VariableValues;
import dev.narwhal.lance.datafile.page.VectorBuilder;
import dev.narwhal.lance.error.LanceFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Long values of variable width without repetition, one after the other:
 *
 * <pre>
 * size      order   meaning
 * 0,1,2,4   LE      control word: its low bits are the definition level
 * 4 or 8    LE      n = length of the value; not there for a null row
 * n         -       value
 * </pre>
 *
 * <p>A second buffer has the position of each row and, last, the size of the first buffer. Source:
 * file format sheet 4.7.
 */
final class VariableZipPage implements PageDecoder {
  private static final int DATA_BUFFER = 0;

  private final PageBuffers buffers;
  private final ControlWord control;
  private final int lengthBytes;
  private final ZipValues values;
  private final RowPositions positions;

  VariableZipPage(
      PageBuffers buffers,
      ControlWord control,
      int lengthBytes,
      ZipValues values,
      RowPositions positions) {
    this.buffers = buffers;
    this.control = control;
    this.lengthBytes = lengthBytes;
    this.values = values;
    this.positions = positions;
  }

  @Override
  public void read(long firstRow, int count, VectorBuilder out, Scratch scratch)
      throws IOException {
    long[] bounds = positions.read(firstRow, count);
    for (int row = 0; row < count; ) {
      int end = row + 1;
      while (end < count && bounds[end + 1] - bounds[row] <= Spans.MAX_READ_BYTES) {
        end++;
      }
      long start = bounds[row];
      ByteBuffer bytes = buffers.read(DATA_BUFFER, start, bounds[end] - start, scratch);
      Rows rows = new Rows(bytes, end - row, scratch);
      for (; row < end; row++) {
        rows.add((int) (bounds[row] - start), (int) (bounds[row + 1] - start));
      }
      rows.appendTo(out);
    }
  }

  @Override
  public void take(long base, int[] offsets, int from, int to, VectorBuilder out, Scratch scratch)
      throws IOException {
    int count = to - from;
    long[] starts = new long[count];
    long[] ends = new long[count];
    positions.read(base, offsets, from, to, starts, ends);
    for (int i = 0; i < count; ) {
      int end = Spans.end(starts, ends, i, count);
      long start = starts[i];
      ByteBuffer bytes = buffers.read(DATA_BUFFER, start, ends[end - 1] - start, scratch);
      Rows rows = new Rows(bytes, end - i, scratch);
      for (; i < end; i++) {
        rows.add((int) (starts[i] - start), (int) (ends[i] - start));
      }
      rows.appendTo(out);
    }
  }

  /** Unzips rows: values move together, levels apart. */
  private final class Rows {
    private final ByteBuffer bytes;
    private final Scratch scratch;
    private final ByteBuffer together;
    private final int[] ends;
    private final short[] levels;
    private int count;

    Rows(ByteBuffer bytes, int most, Scratch scratch) {
      this.bytes = bytes;
      this.scratch = scratch;
      scratch.reset();
      this.together = scratch.bytes(bytes.remaining());
      this.ends = scratch.ints(most + 1);
      this.levels = scratch.shorts(most);
      ends[0] = 0;
    }

    void add(int start, int end) {
      int at = start + control.sizeBytes();
      if (at > end) {
        throw tooShort(start, end);
      }
      short level = control.definition(bytes, start);
      if (level == 0) {
        if (lengthBytes > end - at) {
          throw tooShort(start, end);
        }
        long length =
            lengthBytes == Integer.BYTES
                ? Integer.toUnsignedLong(bytes.getInt(at))
                : bytes.getLong(at);
        at += lengthBytes;
        if (length != end - at) {
          throw new LanceFormatException(
              "value of "
                  + Long.toUnsignedString(length)
                  + " bytes in a row that has "
                  + (end - at));
        }
        together.put(together.position(), bytes, at, end - at);
        together.position(together.position() + end - at);
      } else if (at != end) {
        throw new LanceFormatException("null row of " + (end - start) + " bytes");
      }
      levels[count] = level;
      count++;
      ends[count] = together.position();
    }

    void appendTo(VectorBuilder out) {
      control.check(levels, count);
      out.validity().fromLevels(out.rows(), levels, 0, count);
      VariableValues zipped = new VariableValues(together.duplicate().flip(), ends, count);
      out.append(values.decode(zipped, levels, scratch), 0, count);
    }

    private LanceFormatException tooShort(int start, int end) {
      return new LanceFormatException(
          "row of " + (end - start) + " bytes is too short for its control word and length");
    }
  }
}
