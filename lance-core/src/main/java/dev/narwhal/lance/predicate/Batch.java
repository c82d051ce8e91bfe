package dev.narwhal.lance.predicate;

import java.util.Map;
import org.apache.arrow.vector.FieldVector;

/**
 * The columns that an expression reads, and the rows whose result still matters. What a node gives
 * for another row means nothing: {@code x <> 0 AND 1 / x > 0} does not fail where x is 0.
 */
final class Batch {
  private final Map<String, FieldVector> columns;
  private final int rows;
  private final long[] active;

  Batch(Map<String, FieldVector> columns, int rows) {
    this(columns, rows, Bits.ones(rows));
  }

  private Batch(Map<String, FieldVector> columns, int rows, long[] active) {
    this.columns = columns;
    this.rows = rows;
    this.active = active;
  }

  int rows() {
    return rows;
  }

  /** The rows that matter; not to be altered. */
  long[] active() {
    return active;
  }

  /** The same batch where {@code decided} rows do not matter any more. */
  Batch without(long[] decided) {
    return new Batch(columns, rows, Bits.andNot(active, decided));
  }

  /** The same batch where only {@code asked} rows matter, which do in this one. */
  Batch only(long[] asked) {
    return new Batch(columns, rows, asked);
  }

  FieldVector column(String name) {
    FieldVector vector = columns.get(name);
    if (vector == null) {
      throw new IllegalArgumentException("column '" + name + "' is not in the batch");
    }
    return vector;
  }
}
