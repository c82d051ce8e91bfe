package dev.narwhal.lance.predicate;

import dev.narwhal.lance.predicate.Expression.ColumnRef;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.complex.DenseUnionVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.complex.UnionVector;

/**
 * A column of a batch, or a struct's member, found and checked.
 *
 * <p>Buffers are read by address. Each is checked once a batch to be as large as the rows need, so
 * that no row is read outside it.
 */
final class Column {
  private final FieldVector vector;
  private final long[] valid;
  private final int rows;

  private Column(FieldVector vector, long[] valid, int rows) {
    this.vector = vector;
    this.valid = valid;
    this.rows = rows;
  }

  /** Null where the member or a struct around it is. */
  static Column find(ColumnRef ref, Batch batch) {
    FieldVector vector = batch.column(ref.column());
    long[] valid = validity(vector, batch.rows());
    for (String name : ref.path().subList(1, ref.path().size())) {
      FieldVector member = vector instanceof StructVector struct ? struct.getChild(name) : null;
      if (member == null) {
        throw new IllegalArgumentException("the batch's column has no member '" + ref + "'");
      }
      vector = member;
      valid = Bits.and(valid, validity(vector, batch.rows()));
    }
    boolean typed = ref.type().kind() != ValueType.Kind.OTHER;
    if (typed && !vector.getField().getType().equals(ref.type().arrow())) {
      throw new IllegalArgumentException(
          "'"
              + ref
              + "' is "
              + vector.getField().getType()
              + " in the batch, expected "
              + ref.type().arrow());
    }
    return new Column(vector, valid, batch.rows());
  }

  /** A vector on its own: the items of a list. */
  static Column of(FieldVector vector, int rows) {
    return new Column(vector, validity(vector, rows), rows);
  }

  FieldVector vector() {
    return vector;
  }

  long[] valid() {
    return valid;
  }

  int rows() {
    return rows;
  }

  /** Address of the values, of which there are {@code rows * width} bytes. */
  long address(int width) {
    ArrowBuf buffer = vector.getDataBuffer();
    check(buffer, (long) rows * width);
    return buffer.memoryAddress();
  }

  static void check(ArrowBuf buffer, long needed) {
    if (buffer.capacity() < needed) {
      throw new IllegalArgumentException(
          "a buffer of " + buffer.capacity() + " bytes, expected at least " + needed);
    }
  }

  /** The rows that are not null. A vector without a validity buffer has no nulls. */
  private static long[] validity(FieldVector vector, int rows) {
    if (vector.getValueCount() < rows) {
      throw new IllegalArgumentException(
          "column '"
              + vector.getName()
              + "' has "
              + vector.getValueCount()
              + " rows, expected "
              + rows);
    }
    if (vector instanceof NullVector) {
      return new long[Bits.words(rows)];
    }
    if (vector instanceof UnionVector || vector instanceof DenseUnionVector) {
      return validityByRow(vector, rows);
    }
    ArrowBuf buffer = vector.getValidityBuffer();
    return buffer.capacity() == 0 ? Bits.ones(rows) : bits(buffer, rows);
  }

  private static long[] validityByRow(FieldVector vector, int rows) {
    long[] valid = new long[Bits.words(rows)];
    for (int row = 0; row < rows; row++) {
      if (!vector.isNull(row)) {
        Bits.set(valid, row);
      }
    }
    return valid;
  }

  /** A bit buffer as words. */
  static long[] bits(ArrowBuf buffer, int rows) {
    int bytes = (rows + 7) >>> 3;
    check(buffer, bytes);
    long[] words = new long[Bits.words(rows)];
    long address = buffer.memoryAddress();
    int whole = bytes >>> 3;
    for (int w = 0; w < whole; w++) {
      words[w] = MemoryUtil.getLong(address + 8L * w);
    }
    for (int b = whole << 3; b < bytes; b++) {
      words[b >>> 3] |= (MemoryUtil.getByte(address + b) & 0xFFL) << (8 * (b & 7));
    }
    Bits.clearTail(words, rows);
    return words;
  }
}
