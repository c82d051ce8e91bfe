package dev.narwhal.lance.datafile.page;

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;

/** Lists of one length: a validity bitmap over a builder of their items. */
final class FixedListBuilder implements VectorBuilder {
  private final int dimension;
  private final ValidityBuilder validity;
  private final VectorBuilder items;
  private int rows;

  private FixedListBuilder(int dimension, VectorBuilder items, ValidityBuilder own) {
    this.dimension = dimension;
    this.items = items;
    this.validity = own;
  }

  static FixedListBuilder of(ValueShape.FixedList shape, int rows, BufferAllocator allocator) {
    int itemCount = Slots.sizeBytes((long) shape.dimension() * rows);
    VectorBuilder items = VectorBuilder.of(shape.item(), itemCount, allocator);
    try {
      return new FixedListBuilder(shape.dimension(), items, new ValidityBuilder(rows, allocator));
    } catch (RuntimeException e) {
      items.close();
      throw e;
    }
  }

  @Override
  public int rows() {
    return rows;
  }

  @Override
  public long sizeBytes() {
    return items.sizeBytes();
  }

  @Override
  public ValidityBuilder validity() {
    return validity;
  }

  @Override
  public void reserve(int more) {
    validity.reserve(Slots.count((long) rows + more));
    items.reserve(Slots.count((long) more * dimension));
  }

  @Override
  public void append(Values values, int from, int count) {
    ListValues lists = lists(values);
    if (lists.itemValidity().isPresent()) {
      ByteBuffer bits = lists.itemValidity().get();
      items.validity().copy(items.rows(), bits, from * dimension, count * dimension);
    }
    items.append(lists.items(), from * dimension, count * dimension);
    rows += count;
  }

  @Override
  public void gather(Values values, int[] indices, int from, int count) {
    for (int i = from, end = from + count; i < end; i++) {
      if (indices[i] < 0) {
        appendEmpty(1);
      } else {
        append(values, indices[i], 1);
      }
    }
  }

  @Override
  public void repeat(Values values, int index, int count) {
    for (int i = 0; i < count; i++) {
      append(values, index, 1);
    }
  }

  @Override
  public void appendEmpty(int count) {
    items.appendEmpty(count * dimension);
    rows += count;
  }

  @Override
  public void transferTo(FieldVector vector) {
    vector.loadFieldBuffers(
        new ArrowFieldNode(rows, validity.nullCount(rows)), List.of(validity.buffer(rows)));
    items.transferTo(((FixedSizeListVector) vector).getDataVector());
  }

  @Override
  public void close() {
    validity.close();
    items.close();
  }

  private ListValues lists(Values values) {
    if (values instanceof ListValues lists && lists.dimension() == dimension) {
      return lists;
    }
    throw Slots.mismatch("a builder of lists of " + dimension, values);
  }
}
