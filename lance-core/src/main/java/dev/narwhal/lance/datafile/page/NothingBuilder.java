package dev.narwhal.lance.datafile.page;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;

/** Nulls without values: only the slots are counted. */
final class NothingBuilder implements VectorBuilder {
  private final ValidityBuilder validity;
  private int rows;

  NothingBuilder(int capacity, BufferAllocator allocator) {
    this.validity = new ValidityBuilder(capacity, allocator);
  }

  @Override
  public int rows() {
    return rows;
  }

  @Override
  public long sizeBytes() {
    return 0;
  }

  @Override
  public ValidityBuilder validity() {
    return validity;
  }

  @Override
  public void reserve(int more) {
    validity.reserve(Slots.count((long) rows + more));
  }

  @Override
  public void append(Values values, int from, int count) {
    throw Slots.mismatch("a builder of nulls", values);
  }

  @Override
  public void gather(Values values, int[] indices, int from, int count) {
    throw Slots.mismatch("a builder of nulls", values);
  }

  @Override
  public void repeat(Values values, int index, int count) {
    throw Slots.mismatch("a builder of nulls", values);
  }

  @Override
  public void appendEmpty(int count) {
    rows += count;
  }

  @Override
  public void transferTo(FieldVector vector) {
    vector.setValueCount(rows);
  }

  @Override
  public void close() {
    validity.close();
  }
}
