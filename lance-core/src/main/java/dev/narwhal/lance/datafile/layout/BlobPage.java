package dev.narwhal.lance.datafile.layout;

import dev.narwhal.lance.datafile.page.PageDecoder;
import dev.narwhal.lance.datafile.page.Scratch;
import dev.narwhal.lance.datafile.page.Values;
import dev.narwhal.lance.datafile.page.VectorBuilder;
import java.io.IOException;

/**
 * Positions and sizes of blobs; those that are levels become null. Source: file format sheet 7.1.
 *
 * @param descriptors the page without regard to levels
 * @param maxDefinition highest definition level that the page's layers allow
 */
record BlobPage(PageDecoder descriptors, int maxDefinition) implements PageDecoder {
  @Override
  public void read(long firstRow, int count, VectorBuilder out, Scratch scratch)
      throws IOException {
    descriptors.read(firstRow, count, new DescriptorSink(maxDefinition, new Nulls(out)), scratch);
  }

  @Override
  public void take(long base, int[] offsets, int from, int to, VectorBuilder out, Scratch scratch)
      throws IOException {
    descriptors.take(
        base, offsets, from, to, new DescriptorSink(maxDefinition, new Nulls(out)), scratch);
  }

  private record Nulls(VectorBuilder out) implements DescriptorSink.Target {
    @Override
    public int rows() {
      return out.rows();
    }

    @Override
    public void accept(Values values, int[] indices, short[] definition, int count) {
      for (int i = 0; i < count; i++) {
        if (definition[i] != 0) {
          out.validity().setNull(out.rows() + i, 1);
        }
      }
      out.gather(values, indices, 0, count);
    }
  }
}
