package dev.narwhal.lance.scan;

import dev.narwhal.lance.datafile.ColumnReader;
import dev.narwhal.lance.schema.FieldTree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * A column whose children are in several data files. Each file gives the whole column, with nulls
 * for what others hold; of each child that vector is taken whose file has it.
 */
final class ComposedColumn implements ColumnReader {
  private final FieldTree tree;
  private final Field arrowField;
  private final List<Part> parts;

  /**
   * @param arrowField of the vectors that each part gives
   * @param parts at least two
   */
  ComposedColumn(FieldTree tree, Field arrowField, List<Part> parts) {
    this.tree = tree;
    this.arrowField = arrowField;
    this.parts = List.copyOf(parts);
  }

  /**
   * What one file has.
   *
   * @param ids fields of which the file holds something
   */
  record Part(ColumnReader reader, Set<Integer> ids) {
    Part {
      ids = Set.copyOf(ids);
    }
  }

  @Override
  public Field arrowField() {
    return arrowField;
  }

  @Override
  public FieldVector read(long firstRow, int count, BufferAllocator allocator) throws IOException {
    return compose(allocator, reader -> reader.read(firstRow, count, allocator));
  }

  @Override
  public FieldVector take(long firstRow, int[] offsets, BufferAllocator allocator)
      throws IOException {
    return compose(allocator, reader -> reader.take(firstRow, offsets, allocator));
  }

  @Override
  public long decodedBytes(long firstRow, long count, BufferAllocator allocator)
      throws IOException {
    double bytes = 0;
    for (Part part : parts) {
      bytes += part.reader().decodedBytes(firstRow, count, allocator);
    }
    return (long) bytes;
  }

  private interface Reading {
    FieldVector of(ColumnReader reader) throws IOException;
  }

  private FieldVector compose(BufferAllocator allocator, Reading reading) throws IOException {
    List<FieldVector> vectors = new ArrayList<>();
    try {
      for (Part part : parts) {
        vectors.add(reading.of(part.reader()));
      }
      FieldVector target = arrowField.createVector(allocator);
      try {
        compose(tree, target, vectors);
        return target;
      } catch (RuntimeException e) {
        target.close();
        throw e;
      }
    } finally {
      vectors.forEach(FieldVector::close);
    }
  }

  /**
   * Moves a field into a fresh vector.
   *
   * @param vectors of the field, one for each part
   */
  private void compose(FieldTree field, FieldVector target, List<FieldVector> vectors) {
    List<FieldVector> holding = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      if (parts.get(i).ids().contains(field.field().id())) {
        holding.add(vectors.get(i));
      }
    }
    if (holding.size() < 2 || field.isLeaf()) {
      FieldVector only = holding.isEmpty() ? vectors.get(0) : holding.get(0);
      only.makeTransferPair(target).transfer();
      return;
    }
    VectorJoin.join(field.field().name(), holding, target);
    List<FieldVector> children = target.getChildrenFromFields();
    for (int i = 0; i < children.size(); i++) {
      int child = i;
      compose(
          field.children().get(i),
          children.get(i),
          vectors.stream().map(vector -> vector.getChildrenFromFields().get(child)).toList());
    }
  }
}
