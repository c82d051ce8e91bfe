package dev.narwhal.lance.datafile;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;

/** A field that no file holds: null in every row. */
public final class NullColumn implements ColumnReader {
  private final Field arrowField;
  private final long rows;

  /**
   * @param rows that may be asked for
   */
  public NullColumn(Field arrowField, long rows) {
    this.arrowField = arrowField;
    this.rows = rows;
  }

  @Override
  public Field arrowField() {
    return arrowField;
  }

  @Override
  public FieldVector read(long firstRow, int count, BufferAllocator allocator) {
    RowChecks.checkRange(firstRow, count, rows);
    return nulls(count, allocator);
  }

  @Override
  public FieldVector take(long firstRow, int[] offsets, BufferAllocator allocator) {
    RowChecks.checkOffsets(firstRow, offsets, rows);
    return nulls(offsets.length, allocator);
  }

  @Override
  public long decodedBytes(long firstRow, long count, BufferAllocator allocator) {
    RowChecks.checkRange(firstRow, count, rows);
    return (long) (count * ItemBudget.slotBits(arrowField) / Byte.SIZE);
  }

  private FieldVector nulls(int count, BufferAllocator allocator) {
    FieldVector vector = arrowField.createVector(allocator);
    try {
      Vectors.fillNull(vector, count);
      return vector;
    } catch (RuntimeException e) {
      vector.close();
      throw e;
    }
  }
}
