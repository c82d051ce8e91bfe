package dev.narwhal.iceberg.rowdelete.rows;

import dev.narwhal.iceberg.mapping.ArrowSchemas;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;

/**
 * Rows of Iceberg's readers, in its internal form, gathered into Arrow vectors. Closed by its
 * owner. For one thread.
 */
public final class RecordVectors implements AutoCloseable {
  private final VectorSchemaRoot root;
  private final List<ValueSetter> setters = new ArrayList<>();
  private int rows;

  /**
   * @throws UnsupportedFeatureException if a column is of a type that Arrow has no form for
   */
  public RecordVectors(Schema schema, BufferAllocator allocator) {
    this.root = VectorSchemaRoot.create(ArrowSchemas.of(schema), allocator);
    for (int i = 0; i < schema.columns().size(); i++) {
      setters.add(ValueSetter.of(schema.columns().get(i).type(), root.getVector(i)));
    }
  }

  /** Adds a row. */
  public void add(StructLike record) {
    for (int i = 0; i < setters.size(); i++) {
      setters.get(i).set(rows, record.get(i, Object.class));
    }
    rows++;
  }

  /** Adds rows of which no column is asked for. */
  public void addEmpty(int count) {
    rows += count;
  }

  public int rows() {
    return rows;
  }

  /** The rows added, until the next is or {@link #clear} is called. */
  public VectorSchemaRoot batch() {
    root.setRowCount(rows);
    return root;
  }

  /** Begins anew. */
  public void clear() {
    root.getFieldVectors().forEach(FieldVector::reset);
    this.rows = 0;
  }

  @Override
  public void close() {
    root.close();
  }
}
