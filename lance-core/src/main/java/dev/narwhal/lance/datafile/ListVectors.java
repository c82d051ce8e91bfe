package dev.narwhal.lance.datafile;

import dev.narwhal.lance.datafile.array.ListExtents;
import dev.narwhal.lance.datafile.page.Bits;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.types.pojo.Field;

/** List and large list vectors from extents and items. */
final class ListVectors {
  private ListVectors() {}

  /**
   * The vector of some rows. The caller closes it; on failure nothing leaks.
   *
   * @param field of a list or a large list
   * @param items all items of the rows, fewer than 2^31; what they hold moves to the vector
   */
  static FieldVector build(
      Field field, ListExtents extents, FieldVector items, BufferAllocator allocator) {
    FieldVector vector = field.createVector(allocator);
    try {
      boolean large = vector instanceof LargeListVector;
      int rows = extents.rows();
      long offsetBytes = (rows + 1L) * (large ? Long.BYTES : Integer.BYTES);
      int validityBytes = Bits.bytes(rows);
      try (ArrowBuf validity = allocator.buffer(validityBytes);
          ArrowBuf offsets = allocator.buffer(offsetBytes)) {
        validity.setBytes(0, extents.validity().array(), 0, validityBytes);
        for (int i = 0; i <= rows; i++) {
          if (large) {
            offsets.setLong((long) i * Long.BYTES, extents.offset(i));
          } else {
            offsets.setInt((long) i * Integer.BYTES, (int) extents.offset(i));
          }
        }
        vector.loadFieldBuffers(
            new ArrowFieldNode(rows, extents.nulls()), List.of(validity, offsets));
      }
      items.makeTransferPair(itemsOf(vector)).transfer();
      return vector;
    } catch (RuntimeException e) {
      vector.close();
      throw e;
    }
  }

  private static FieldVector itemsOf(FieldVector vector) {
    return vector instanceof LargeListVector lists
        ? lists.getDataVector()
        : ((ListVector) vector).getDataVector();
  }
}
