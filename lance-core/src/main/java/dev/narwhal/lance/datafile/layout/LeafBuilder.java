package dev.narwhal.lance.datafile.layout;

import dev.narwhal.lance.datafile.page.NodeSlots;
import dev.narwhal.lance.datafile.page.ValueShape;
import dev.narwhal.lance.datafile.page.Values;
import dev.narwhal.lance.datafile.page.VectorBuilder;
import java.nio.ByteBuffer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.jspecify.annotations.Nullable;

/**
 * What one read of a leaf column of a tree gives: its values, and the slots of the nodes above.
 * Level pages fill it, one after the other. One thread.
 */
public final class LeafBuilder implements AutoCloseable {
  private final PathSlots path;
  private final VectorBuilder values;

  /**
   * @param rows rows there is room for, about
   */
  public LeafBuilder(LeafPath path, ValueShape shape, int rows, BufferAllocator allocator) {
    this.path = new PathSlots(path, rows, allocator);
    try {
      this.values = VectorBuilder.of(shape, rows, allocator);
    } catch (RuntimeException e) {
      this.path.close();
      throw e;
    }
  }

  /** The slots of a node above the leaf: 1 is its parent. */
  public NodeSlots node(int layer) {
    return path.node(layer);
  }

  /** Values so far. */
  public int valueCount() {
    return values.rows();
  }

  /** Bytes that the values so far take, about. */
  public long valueBytes() {
    return values.sizeBytes();
  }

  /** Gives the values to a fresh vector. To be called once. */
  public void transferValues(FieldVector vector) {
    values.transferTo(vector);
  }

  /** Appends levels; their values come apart. */
  void levels(LevelMeaning meaning, short[] repetition, short[] definition, int from, int to) {
    path.append(meaning, repetition, definition, from, to);
  }

  /**
   * Appends values.
   *
   * @param validity one bit per value, LSB first; null when all are valid
   * @param indices values in a dictionary, -1 for none; null when there is no dictionary
   */
  void values(
      Values decoded, @Nullable ByteBuffer validity, int @Nullable [] indices, int from, int to) {
    int count = to - from;
    if (count == 0) {
      return;
    }
    values.reserve(count);
    if (validity != null) {
      values.validity().copy(values.rows(), validity, from, count);
    }
    if (indices == null) {
      values.append(decoded, from, count);
    } else {
      values.gather(decoded, indices, from, count);
    }
  }

  /**
   * Appends one value many times.
   *
   * @param value null for nulls
   * @param validity one bit per value, LSB first; null when all are valid
   */
  void repeated(@Nullable Values value, @Nullable ByteBuffer validity, int count) {
    values.reserve(count);
    if (validity != null) {
      values.validity().copy(values.rows(), validity, 0, count);
    }
    if (value == null) {
      values.validity().setNull(values.rows(), count);
      values.appendEmpty(count);
    } else {
      values.repeat(value, 0, count);
    }
  }

  @Override
  public void close() {
    path.close();
    values.close();
  }
}
