package dev.narwhal.lance.datafile.layout;

import dev.narwhal.lance.datafile.page.FixedValues;
import dev.narwhal.lance.datafile.page.PackedValues;
import dev.narwhal.lance.datafile.page.PageDecoder;
import dev.narwhal.lance.datafile.page.Scratch;
import dev.narwhal.lance.datafile.page.ValidityBuilder;
import dev.narwhal.lance.datafile.page.Values;
import dev.narwhal.lance.datafile.page.VectorBuilder;
import dev.narwhal.lance.error.LanceFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.arrow.vector.FieldVector;

/**
 * Positions and sizes of blobs. A descriptor of size 0 at a position other than 0 is no blob but
 * levels: the low 16 bits of the position are the repetition level, the next 16 the definition
 * level. Source: file format sheet 7.1.
 *
 * @param descriptors the page without regard to that
 * @param maxDefinition highest definition level that the page's layers allow
 */
record BlobPage(PageDecoder descriptors, int maxDefinition) implements PageDecoder {
  @Override
  public void read(long firstRow, int count, VectorBuilder out, Scratch scratch)
      throws IOException {
    descriptors.read(firstRow, count, new Nulls(out), scratch);
  }

  @Override
  public void take(long base, int[] offsets, int from, int to, VectorBuilder out, Scratch scratch)
      throws IOException {
    descriptors.take(base, offsets, from, to, new Nulls(out), scratch);
  }

  /** Passes descriptors on; those that are levels become null. */
  private final class Nulls implements VectorBuilder {
    private final VectorBuilder out;

    Nulls(VectorBuilder out) {
      this.out = out;
    }

    @Override
    public int rows() {
      return out.rows();
    }

    @Override
    public ValidityBuilder validity() {
      return out.validity();
    }

    @Override
    public void append(Values values, int from, int count) {
      for (int i = 0; i < count; i++) {
        mark(values, from + i, i);
      }
      out.append(values, from, count);
    }

    @Override
    public void gather(Values values, int[] indices, int from, int count) {
      for (int i = 0; i < count; i++) {
        mark(values, indices[from + i], i);
      }
      out.gather(values, indices, from, count);
    }

    @Override
    public void repeat(Values values, int index, int count) {
      for (int i = 0; i < count; i++) {
        mark(values, index, i);
      }
      out.repeat(values, index, count);
    }

    @Override
    public void appendEmpty(int count) {
      out.appendEmpty(count);
    }

    private void mark(Values values, int index, int slot) {
      PackedValues packed = (PackedValues) values;
      ByteBuffer positions = ((FixedValues) packed.fields().get(0)).bytes();
      ByteBuffer sizes = ((FixedValues) packed.fields().get(1)).bytes();
      long position = index < 0 ? 0 : positions.getLong(Long.BYTES * index);
      if (position == 0 || sizes.getLong(Long.BYTES * index) != 0) {
        return;
      }
      long definition = position >>> 16;
      if ((position & 0xFFFF) != 0 || definition == 0 || definition > maxDefinition) {
        throw new LanceFormatException(
            "blob of no bytes at 0x%x, expected a definition level of at most %d"
                .formatted(position, maxDefinition));
      }
      out.validity().setNull(out.rows() + slot, 1);
    }

    @Override
    public void transferTo(FieldVector vector) {
      out.transferTo(vector);
    }

    @Override
    public void close() {
      out.close();
    }
  }
}
