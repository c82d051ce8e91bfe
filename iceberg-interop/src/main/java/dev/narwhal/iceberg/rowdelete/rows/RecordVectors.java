package dev.narwhal.iceberg.rowdelete.rows;

import dev.narwhal.iceberg.mapping.ArrowSchemas;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.data.InternalRecordWrapper;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.types.Types;

/** Some columns of records in Arrow vectors. Closed by its owner. For one thread. */
public final class RecordVectors implements AutoCloseable {
  private final VectorSchemaRoot root;
  private final List<Integer> columns = new ArrayList<>();
  private final List<ValueSetter> setters = new ArrayList<>();
  private final InternalRecordWrapper internal;

  /**
   * @param schema whose columns the records begin with, in its order
   * @param wanted the columns to be held
   * @throws UnsupportedFeatureException if one of these is of a type that Arrow has no form for
   */
  public RecordVectors(Schema schema, Schema wanted, BufferAllocator allocator) {
    this.internal = new InternalRecordWrapper(schema.asStruct());
    this.root = VectorSchemaRoot.create(ArrowSchemas.of(wanted), allocator);
    for (Types.NestedField column : wanted.columns()) {
      setters.add(ValueSetter.of(column.type(), root.getVector(columns.size())));
      columns.add(schema.columns().indexOf(column));
    }
  }

  /** Takes over the values of records, in place of what was there. */
  public void set(List<? extends Record> records) {
    root.getFieldVectors().forEach(FieldVector::reset);
    for (int row = 0; row < records.size(); row++) {
      StructLike values = internal.wrap(records.get(row));
      for (int i = 0; i < setters.size(); i++) {
        setters.get(i).set(row, values.get(columns.get(i), Object.class));
      }
    }
    root.setRowCount(records.size());
  }

  /** The vectors by the columns' names. */
  public Map<String, FieldVector> byName() {
    Map<String, FieldVector> vectors = new LinkedHashMap<>();
    root.getFieldVectors().forEach(vector -> vectors.put(vector.getName(), vector));
    return vectors;
  }

  @Override
  public void close() {
    root.close();
  }
}
