package dev.narwhal.lance.datafile.page;

/** A page without bytes: every row is null. */
public final class AllNullPage implements PageDecoder {
  @Override
  public void read(long firstRow, int count, VectorBuilder out, Scratch scratch) {
    append(count, out);
  }

  @Override
  public void take(long base, int[] offsets, int from, int to, VectorBuilder out, Scratch scratch) {
    append(to - from, out);
  }

  private static void append(int count, VectorBuilder out) {
    out.validity().setNull(out.rows(), count);
    out.appendEmpty(count);
  }
}
