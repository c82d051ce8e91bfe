package dev.narwhal.lance.datafile.page;

import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;

/**
 * Structs: a validity bitmap beside a builder for each field. A field has no nulls of its own: the
 * format stores none. Below a null struct its slots are empty and valid.
 */
final class PackedBuilder implements VectorBuilder {
  private final ValidityBuilder validity;
  private final List<VectorBuilder> fields;
  private int rows;

  private PackedBuilder(ValidityBuilder validity, List<VectorBuilder> fields) {
    this.validity = validity;
    this.fields = fields;
  }

  static PackedBuilder of(ValueShape.Packed shape, int rows, BufferAllocator allocator) {
    List<VectorBuilder> fields = new ArrayList<>();
    try {
      for (ValueShape field : shape.fields()) {
        fields.add(VectorBuilder.of(field, rows, allocator));
      }
      return new PackedBuilder(new ValidityBuilder(rows, allocator), List.copyOf(fields));
    } catch (RuntimeException e) {
      fields.forEach(VectorBuilder::close);
      throw e;
    }
  }

  @Override
  public int rows() {
    return rows;
  }

  @Override
  public void reserve(int more) {
    validity.reserve(Slots.count((long) rows + more));
    fields.forEach(field -> field.reserve(more));
  }

  @Override
  public long sizeBytes() {
    return fields.stream().mapToLong(VectorBuilder::sizeBytes).sum();
  }

  @Override
  public ValidityBuilder validity() {
    return validity;
  }

  @Override
  public void append(Values values, int from, int count) {
    List<Values> sources = sources(values);
    for (int i = 0; i < fields.size(); i++) {
      fields.get(i).append(sources.get(i), from, count);
    }
    rows += count;
  }

  @Override
  public void gather(Values values, int[] indices, int from, int count) {
    List<Values> sources = sources(values);
    for (int i = 0; i < fields.size(); i++) {
      fields.get(i).gather(sources.get(i), indices, from, count);
    }
    rows += count;
  }

  @Override
  public void repeat(Values values, int index, int count) {
    List<Values> sources = sources(values);
    for (int i = 0; i < fields.size(); i++) {
      fields.get(i).repeat(sources.get(i), index, count);
    }
    rows += count;
  }

  @Override
  public void appendEmpty(int count) {
    fields.forEach(field -> field.appendEmpty(count));
    rows += count;
  }

  @Override
  public void transferTo(FieldVector vector) {
    vector.loadFieldBuffers(
        new ArrowFieldNode(rows, validity.nullCount(rows)), List.of(validity.buffer(rows)));
    List<FieldVector> children = vector.getChildrenFromFields();
    for (int i = 0; i < fields.size(); i++) {
      fields.get(i).transferTo(children.get(i));
    }
  }

  @Override
  public void close() {
    validity.close();
    fields.forEach(VectorBuilder::close);
  }

  private List<Values> sources(Values values) {
    if (values instanceof PackedValues packed && packed.fields().size() == fields.size()) {
      return packed.fields();
    }
    throw Slots.mismatch("a builder of structs of " + fields.size() + " fields", values);
  }
}
