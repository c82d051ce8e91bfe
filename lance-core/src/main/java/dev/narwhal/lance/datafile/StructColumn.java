package dev.narwhal.lance.datafile;

import java.io.IOException;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Structs whose children are columns of their own and which are never null themselves, as 2.0 has
 * them. Source: file format sheet 2.6.
 */
final class StructColumn implements ColumnReader {
  private final Field arrowField;
  private final List<ColumnReader> children;
  private final long rows;

  /**
   * @param children one for each child of the field, all with {@code rows} rows
   */
  StructColumn(Field arrowField, List<ColumnReader> children, long rows) {
    this.arrowField = arrowField;
    this.children = List.copyOf(children);
    this.rows = rows;
  }

  @Override
  public Field arrowField() {
    return arrowField;
  }

  @Override
  public FieldVector read(long firstRow, int count, BufferAllocator allocator) throws IOException {
    RowChecks.checkRange(firstRow, count, rows);
    return build(count, allocator, child -> child.read(firstRow, count, allocator));
  }

  @Override
  public FieldVector take(long firstRow, int[] offsets, BufferAllocator allocator)
      throws IOException {
    RowChecks.checkOffsets(firstRow, offsets, rows);
    return build(offsets.length, allocator, child -> child.take(firstRow, offsets, allocator));
  }

  @Override
  public long decodedBytes(long firstRow, long count, BufferAllocator allocator)
      throws IOException {
    RowChecks.checkRange(firstRow, count, rows);
    double bytes = 0;
    for (ColumnReader child : children) {
      bytes += child.decodedBytes(firstRow, count, allocator);
    }
    return (long) bytes;
  }

  private interface Reading {
    FieldVector of(ColumnReader child) throws IOException;
  }

  private FieldVector build(int count, BufferAllocator allocator, Reading reading)
      throws IOException {
    StructVector struct = (StructVector) arrowField.createVector(allocator);
    try {
      for (int i = 0; i < children.size(); i++) {
        try (FieldVector values = reading.of(children.get(i))) {
          values.makeTransferPair(struct.getChildrenFromFields().get(i)).transfer();
        }
      }
      Vectors.fillValid(struct, count);
      return struct;
    } catch (IOException | RuntimeException e) {
      struct.close();
      throw e;
    }
  }
}
