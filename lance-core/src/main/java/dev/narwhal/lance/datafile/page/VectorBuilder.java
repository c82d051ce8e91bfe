package dev.narwhal.lance.datafile.page;

import dev.narwhal.lance.error.UnsupportedFeatureException;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * One Arrow vector in the making, filled from the first slot to the last by the pages of a column.
 * There is room for the slots that it was made for; who may come to more reserves them. Values and
 * validity are written apart: a page decoder writes validity through {@link #validity()} at the
 * positions it is about to fill, starting at {@link #rows()}, then appends the values. A slot whose
 * validity nobody writes is valid.
 *
 * <p>All methods trust their indices (a decoder has checked what comes from a file) and move bytes
 * in bulk. A vector that would need 2 GiB for its values is an {@link UnsupportedFeatureException}
 * that asks for smaller batches. One thread; {@link #close()} releases what {@link #transferTo} did
 * not hand over.
 */
public interface VectorBuilder extends AutoCloseable {
  /** Slots filled so far: the position of the next one. */
  int rows();

  /** Bytes that the filled slots take, without their validity. */
  long sizeBytes();

  /** Validity of the slots. */
  ValidityBuilder validity();

  /** Makes room for {@code more} slots after those that are filled; the new ones are valid. */
  void reserve(int more);

  /** Appends the slots {@code [from, from + count)} of {@code values}. */
  void append(Values values, int from, int count);

  /**
   * Appends {@code values[indices[i]]} for i in {@code [from, from + count)}; an index of -1 gives
   * a slot without a value, as {@link #appendEmpty} does. For dictionaries and takes.
   */
  void gather(Values values, int[] indices, int from, int count);

  /** Appends the slot {@code index} of {@code values} {@code count} times. */
  void repeat(Values values, int index, int count);

  /** Appends slots with zero bytes or no bytes, for null rows. Their validity is not touched. */
  void appendEmpty(int count);

  /**
   * Gives the filled memory to a fresh vector of the shape. To be called once, with nothing
   * reserved left unfilled.
   */
  void transferTo(FieldVector vector);

  @Override
  void close();

  /**
   * A builder for the shape.
   *
   * @param rows number of slots there is room for, {@code >= 0}
   */
  static VectorBuilder of(ValueShape shape, int rows, BufferAllocator allocator) {
    if (shape instanceof ValueShape.FixedWidth fixed) {
      return new FixedWidthBuilder(fixed.widthBytes(), rows, allocator);
    }
    if (shape instanceof ValueShape.Bit) {
      return new BitBuilder(rows, allocator);
    }
    if (shape instanceof ValueShape.Variable variable) {
      return switch (variable.content()) {
        case BYTES -> new VariableBuilder(variable.offsetBits(), rows, allocator);
        case JSONB -> new JsonBuilder(rows, allocator);
      };
    }
    if (shape instanceof ValueShape.FixedList list) {
      return FixedListBuilder.of(list, rows, allocator);
    }
    if (shape instanceof ValueShape.Packed packed) {
      return PackedBuilder.of(packed, rows, allocator);
    }
    return new NothingBuilder(rows, allocator);
  }

  /** The finished vector; the caller closes it. On failure nothing leaks. */
  default FieldVector build(Field field, BufferAllocator allocator) {
    FieldVector vector = field.createVector(allocator);
    try {
      transferTo(vector);
      return vector;
    } catch (RuntimeException e) {
      vector.close();
      throw e;
    }
  }
}
