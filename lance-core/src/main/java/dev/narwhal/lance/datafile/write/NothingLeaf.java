package dev.narwhal.lance.datafile.write;

import org.apache.arrow.vector.FieldVector;

/** Slots of the null type, and of structs without fields: nothing is stored of them. */
final class NothingLeaf implements LeafValues {
  private int count;

  @Override
  public void bind(FieldVector vector) {
    // nothing is read of it
  }

  @Override
  public void append(int from, int to) {
    count += to - from;
  }

  @Override
  public void appendNulls(int slots) {
    count += slots;
  }

  @Override
  public int count() {
    return count;
  }

  @Override
  public long sizeBytes() {
    return 0;
  }

  @Override
  public long sizeBytes(int from, int to) {
    return 0;
  }

  @Override
  public void clear() {
    count = 0;
  }

  @Override
  public NothingLeaf take() {
    NothingLeaf taken = new NothingLeaf();
    taken.count = count;
    count = 0;
    return taken;
  }

  @Override
  public NothingLeaf slice(int from, int to) {
    NothingLeaf slice = new NothingLeaf();
    slice.count = to - from;
    return slice;
  }
}
