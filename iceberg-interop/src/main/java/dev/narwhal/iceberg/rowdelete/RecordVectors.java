package dev.narwhal.iceberg.rowdelete;

import dev.narwhal.iceberg.mapping.ArrowSchemas;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.TimeMicroVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.UUIDUtil;

/**
 * Rows of Iceberg's readers, in its internal form, gathered into Arrow vectors. Closed by its
 * owner. For one thread.
 */
final class RecordVectors implements AutoCloseable {
  private interface Setter {
    void set(int row, Object value);
  }

  private final VectorSchemaRoot root;
  private final List<Setter> setters = new ArrayList<>();
  private int rows;

  /**
   * @throws UnsupportedFeatureException if a column is nested
   */
  RecordVectors(Schema schema, BufferAllocator allocator) {
    this.root = VectorSchemaRoot.create(ArrowSchemas.of(schema), allocator);
    try {
      for (int i = 0; i < schema.columns().size(); i++) {
        setters.add(setter(schema.columns().get(i), root.getVector(i)));
      }
    } catch (UnsupportedFeatureException e) {
      root.close();
      throw e;
    }
  }

  private static Setter setter(Types.NestedField field, FieldVector vector) {
    return switch (field.type().typeId()) {
      case BOOLEAN -> (row, value) -> ((BitVector) vector).setSafe(row, (Boolean) value ? 1 : 0);
      case INTEGER -> (row, value) -> ((IntVector) vector).setSafe(row, (Integer) value);
      case DATE -> (row, value) -> ((DateDayVector) vector).setSafe(row, (Integer) value);
      case LONG -> (row, value) -> ((BigIntVector) vector).setSafe(row, (Long) value);
      case TIME -> (row, value) -> ((TimeMicroVector) vector).setSafe(row, (Long) value);
      case TIMESTAMP, TIMESTAMP_NANO ->
          (row, value) -> ((TimeStampVector) vector).setSafe(row, (Long) value);
      case FLOAT -> (row, value) -> ((Float4Vector) vector).setSafe(row, (Float) value);
      case DOUBLE -> (row, value) -> ((Float8Vector) vector).setSafe(row, (Double) value);
      case DECIMAL -> (row, value) -> ((DecimalVector) vector).setSafe(row, (BigDecimal) value);
      case STRING ->
          (row, value) ->
              ((VarCharVector) vector)
                  .setSafe(row, value.toString().getBytes(StandardCharsets.UTF_8));
      case BINARY ->
          (row, value) -> {
            ByteBuffer bytes = (ByteBuffer) value;
            ((VarBinaryVector) vector).setSafe(row, bytes, bytes.position(), bytes.remaining());
          };
      case FIXED ->
          (row, value) -> ((FixedSizeBinaryVector) vector).setSafe(row, copy((ByteBuffer) value));
      case UUID ->
          (row, value) ->
              ((FixedSizeBinaryVector) vector).setSafe(row, UUIDUtil.convert((UUID) value));
      default ->
          throw new UnsupportedFeatureException(
              "column "
                  + field.name()
                  + " of type "
                  + field.type()
                  + ": predicates on nested columns are not supported");
    };
  }

  private static byte[] copy(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  /** Adds a row. */
  void add(StructLike record) {
    for (int i = 0; i < setters.size(); i++) {
      Object value = record.get(i, Object.class);
      if (value != null) {
        setters.get(i).set(rows, value);
      }
    }
    rows++;
  }

  /** Adds rows of which no column is asked for. */
  void addEmpty(int count) {
    rows += count;
  }

  int rows() {
    return rows;
  }

  /** The rows added, until the next is or {@link #clear} is called. */
  VectorSchemaRoot batch() {
    root.setRowCount(rows);
    return root;
  }

  /** Begins anew. */
  void clear() {
    root.getFieldVectors().forEach(FieldVector::reset);
    this.rows = 0;
  }

  @Override
  public void close() {
    root.close();
  }
}
