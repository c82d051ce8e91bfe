package dev.narwhal.iceberg.rowdelete.rows;

import dev.narwhal.iceberg.mapping.ArrowSchemas;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.puffin.PositionSet;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.iceberg.Schema;

/**
 * Columns of at most {@link #CAPACITY} live rows of a data file in Arrow vectors, with the rows'
 * positions; filled over and over by {@link DataFileRows#read}. Closed by its owner. For one
 * thread.
 */
public final class RowBatch implements AutoCloseable {
  /** Rows at most. */
  public static final int CAPACITY = 4096;

  private final Schema schema;
  private final PositionSet dead;
  private final VectorSchemaRoot root;

  /** Positions of live rows where some row is dead, and which of the rows read are alive. */
  private final long[] positions = new long[CAPACITY];

  private final long[] live = new long[CAPACITY / Long.SIZE];

  private boolean allLive = true;
  private long first;
  private int rows;
  private int read;

  /**
   * @param schema the columns
   * @param dead positions of rows that are left out
   * @throws UnsupportedFeatureException if a column is of a type that Arrow has no form for
   */
  public RowBatch(Schema schema, PositionSet dead, BufferAllocator allocator) {
    this.schema = schema;
    this.dead = dead;
    this.root = VectorSchemaRoot.create(ArrowSchemas.of(schema), allocator);
  }

  public Schema schema() {
    return schema;
  }

  /** The columns of the live rows, valid until the next batch is read. */
  public VectorSchemaRoot columns() {
    return root;
  }

  /** Live rows. */
  public int rows() {
    return rows;
  }

  /** Rows of the file that this batch stands for, dead ones too. */
  public int rowsRead() {
    return read;
  }

  /** The position in the file of a live row. */
  public long position(int row) {
    return allLive ? first + row : positions[row];
  }

  FieldVector vector(int column) {
    return root.getVector(column);
  }

  /**
   * Begins anew.
   *
   * @param first position of the first row
   * @param count of rows that follow each other, at most {@link #CAPACITY}
   */
  public void begin(long first, int count) {
    root.getFieldVectors().forEach(FieldVector::reset);
    this.first = first;
    read = count;
    rows = count;
    if (!dead.isEmpty()) {
      leaveOutDead();
    }
  }

  private void leaveOutDead() {
    rows = 0;
    for (int i = 0; i < read; i++) {
      boolean alive = !dead.contains(first + i);
      positions[rows] = first + i;
      rows += alive ? 1 : 0;
      long bit = 1L << i;
      live[i >>> 6] = alive ? live[i >>> 6] | bit : live[i >>> 6] & ~bit;
    }
    allLive = rows == read;
  }

  /** Whether all rows that were begun with are alive. */
  boolean isAllLive() {
    return allLive;
  }

  /** Whether a row of those that were begun with is alive. */
  boolean isLive(int row) {
    return allLive || (live[row >>> 6] >>> row & 1) != 0;
  }

  /** Says that all columns are filled. */
  public void end() {
    root.setRowCount(rows);
  }

  @Override
  public void close() {
    root.close();
  }
}
