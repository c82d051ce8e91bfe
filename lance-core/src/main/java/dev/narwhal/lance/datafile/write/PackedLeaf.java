package dev.narwhal.lance.datafile.write;

import java.util.List;
import org.apache.arrow.vector.FieldVector;

/**
 * Structs whose fields lie side by side in one column. Fields have values and lists of such, no
 * nulls: real Lance 7.0.0 cannot write them.
 */
final class PackedLeaf implements LeafValues {
  private final String name;
  private final List<LeafValues> fields;
  private int count;

  /**
   * @param name of the struct, for messages
   * @param fields at least one
   */
  PackedLeaf(String name, List<LeafValues> fields) {
    this.name = name;
    this.fields = List.copyOf(fields);
  }

  List<LeafValues> fields() {
    return fields;
  }

  @Override
  public void bind(FieldVector vector) {
    byte[] validity = Source.validity(vector);
    List<FieldVector> children = vector.getChildrenFromFields();
    for (int i = 0; i < fields.size(); i++) {
      FieldVector child = children.get(i);
      requireValid(child, validity);
      fields.get(i).bind(child);
    }
  }

  private void requireValid(FieldVector child, byte @org.jspecify.annotations.Nullable [] parent) {
    byte[] validity = Source.validity(child);
    for (int i = 0; validity != null && i < child.getValueCount(); i++) {
      if (!BitBuffer.bit(validity, i) && (parent == null || BitBuffer.bit(parent, i))) {
        throw new IllegalArgumentException(
            "'%s.%s', row %d of the batch: null, which a packed struct cannot have"
                .formatted(name, child.getName(), i));
      }
    }
  }

  @Override
  public void append(int from, int to) {
    for (LeafValues field : fields) {
      field.append(from, to);
    }
    count += to - from;
  }

  @Override
  public void appendNulls(int slots) {
    for (LeafValues field : fields) {
      field.appendNulls(slots);
    }
    count += slots;
  }

  @Override
  public int count() {
    return count;
  }

  @Override
  public long sizeBytes() {
    return fields.stream().mapToLong(LeafValues::sizeBytes).sum();
  }

  @Override
  public long sizeBytes(int from, int to) {
    return fields.stream().mapToLong(field -> field.sizeBytes(from, to)).sum();
  }

  @Override
  public void clear() {
    fields.forEach(LeafValues::clear);
    count = 0;
  }

  @Override
  public PackedLeaf take() {
    PackedLeaf taken = new PackedLeaf(name, fields.stream().map(LeafValues::take).toList());
    taken.count = count;
    count = 0;
    return taken;
  }

  @Override
  public PackedLeaf slice(int from, int to) {
    PackedLeaf slice =
        new PackedLeaf(name, fields.stream().map(field -> field.slice(from, to)).toList());
    slice.count = to - from;
    return slice;
  }
}
