package dev.narwhal.lance.write.merge;

import dev.narwhal.lance.schema.LanceField;
import dev.narwhal.lance.transaction.KeyBloom;
import dev.narwhal.lance.transaction.KeyFilterCodec;
import dev.narwhal.lance.transaction.Operation;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.util.ArrowBufPointer;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.ElementAddressableVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.LargeVarBinaryVector;
import org.apache.arrow.vector.LargeVarCharVector;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * The filter of inserted keys that a merge on the table's primary key puts into its transaction, so
 * that other writers see when they insert the same. The bytes of a key are those that real Lance
 * hashes: text and binary as they are, integers of 32 and 64 bits as i64 or u64 LE; where there are
 * several columns, a zero after each. Real Lance leaves keys of other types out, so that two
 * writers do not notice each other; here they fill the filter, and meet every other one that is not
 * empty. One thread. Source: table format sheet 6.5.
 */
final class InsertedKeyFilter {
  private final List<LanceField> columns;
  private final KeyBloom bloom = new KeyBloom();
  private final KeyBatch scratch = new KeyBatch(false, 0);

  /**
   * @param columns of the primary key, in its order
   */
  InsertedKeyFilter(List<LanceField> columns) {
    this.columns = List.copyOf(columns);
  }

  /** Adds the keys of rows of a batch; those with a null are no keys. */
  void add(VectorSchemaRoot source, int[] positions) {
    List<FieldVector> vectors = new ArrayList<>(columns.size());
    for (LanceField column : columns) {
      vectors.add(source.getVector(column.name()));
    }
    if (!vectors.stream().allMatch(InsertedKeyFilter::isKnown)) {
      if (positions.length > 0) {
        bloom.addAll();
      }
      return;
    }
    for (int position : positions) {
      if (vectors.stream().noneMatch(vector -> vector.isNull(position))) {
        add(vectors, position);
      }
    }
  }

  Operation.KeyFilter build() {
    return KeyFilterCodec.encode(columns.stream().map(LanceField::id).toList(), bloom);
  }

  private void add(List<FieldVector> vectors, int row) {
    scratch.clear();
    for (FieldVector vector : vectors) {
      append(vector, row);
      if (vectors.size() > 1) {
        scratch.put((byte) 0);
      }
    }
    bloom.add(scratch.bytes(), 0, scratch.usedBytes());
  }

  private void append(FieldVector vector, int row) {
    if (vector instanceof BaseIntVector ints) {
      long value =
          vector instanceof UInt4Vector
              ? Integer.toUnsignedLong((int) ints.getValueAsLong(row))
              : ints.getValueAsLong(row);
      scratch.putInt((int) value);
      scratch.putInt((int) (value >>> 32));
      return;
    }
    ArrowBufPointer value = ((ElementAddressableVector) vector).getDataPointer(row);
    int length = Math.toIntExact(value.getLength());
    int at = scratch.reserve(length);
    value.getBuf().getBytes(value.getOffset(), scratch.bytes(), at, length);
    scratch.advance(length);
  }

  private static boolean isKnown(FieldVector vector) {
    return vector instanceof IntVector
        || vector instanceof BigIntVector
        || vector instanceof UInt4Vector
        || vector instanceof UInt8Vector
        || vector instanceof VarCharVector
        || vector instanceof LargeVarCharVector
        || vector instanceof VarBinaryVector
        || vector instanceof LargeVarBinaryVector;
  }
}
