package dev.narwhal.lance.datafile.layout;

import dev.narwhal.lance.datafile.page.FixedValues;
import dev.narwhal.lance.datafile.page.PackedValues;
import dev.narwhal.lance.datafile.page.ValidityBuilder;
import dev.narwhal.lance.datafile.page.Values;
import dev.narwhal.lance.datafile.page.VectorBuilder;
import dev.narwhal.lance.error.LanceFormatException;
import java.nio.ByteBuffer;
import org.apache.arrow.vector.FieldVector;

/**
 * Takes the descriptors of a blob page, of which none is null, and finds the levels among them. A
 * descriptor of size 0 at a position other than 0 is no blob but levels: the low 16 bits of the
 * position are the repetition level, the next 16 the definition level. Source: file format sheet
 * 7.1.
 */
final class DescriptorSink implements VectorBuilder {
  private final int maxDefinition;
  private final Target target;

  /**
   * @param maxDefinition highest definition level that the page's layers allow
   */
  DescriptorSink(int maxDefinition, Target target) {
    this.maxDefinition = maxDefinition;
    this.target = target;
  }

  /** Where descriptors go to. */
  interface Target {
    /** How many it has. */
    int rows();

    /**
     * Takes some more.
     *
     * @param indices of the descriptors in {@code values}
     * @param definition of each
     */
    void accept(Values values, int[] indices, short[] definition, int count);
  }

  @Override
  public int rows() {
    return target.rows();
  }

  @Override
  public void append(Values values, int from, int count) {
    int[] indices = new int[count];
    for (int i = 0; i < count; i++) {
      indices[i] = from + i;
    }
    gather(values, indices, 0, count);
  }

  @Override
  public void gather(Values values, int[] indices, int from, int count) {
    PackedValues packed = (PackedValues) values;
    ByteBuffer positions = ((FixedValues) packed.fields().get(0)).bytes();
    ByteBuffer sizes = ((FixedValues) packed.fields().get(1)).bytes();
    int[] picked = new int[count];
    short[] definition = new short[count];
    for (int i = 0; i < count; i++) {
      int index = indices[from + i];
      picked[i] = index;
      if (sizes.getLong(Long.BYTES * index) == 0) {
        definition[i] = definition(positions.getLong(Long.BYTES * index));
      }
    }
    target.accept(values, picked, definition, count);
  }

  private short definition(long position) {
    long definition = position >>> Short.SIZE;
    if ((position & 0xFFFF) != 0 || definition > maxDefinition) {
      throw new LanceFormatException(
          "blob of no bytes at 0x%x, expected a definition level of at most %d"
              .formatted(position, maxDefinition));
    }
    return (short) definition;
  }

  @Override
  public void reserve(int more) {
    throw unexpected();
  }

  /** Nothing: what it gets it hands on. */
  @Override
  public long sizeBytes() {
    return 0;
  }

  @Override
  public ValidityBuilder validity() {
    throw unexpected();
  }

  @Override
  public void repeat(Values values, int index, int count) {
    throw unexpected();
  }

  @Override
  public void appendEmpty(int count) {
    throw unexpected();
  }

  @Override
  public void transferTo(FieldVector vector) {
    throw unexpected();
  }

  @Override
  public void close() {}

  private static IllegalStateException unexpected() {
    return new IllegalStateException("descriptors are neither null nor of one value");
  }
}
