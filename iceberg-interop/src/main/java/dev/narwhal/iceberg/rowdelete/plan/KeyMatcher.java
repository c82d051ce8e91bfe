package dev.narwhal.iceberg.rowdelete.plan;

import dev.narwhal.iceberg.rowdelete.equality.KeyEncoder;
import dev.narwhal.iceberg.rowdelete.equality.KeySchema;
import dev.narwhal.iceberg.rowdelete.equality.KeyTable;
import dev.narwhal.iceberg.rowdelete.rows.VectorValues;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.Table;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.types.Comparators;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/**
 * The rows whose key is one of some. A key with a null in it equals none, as in SQL. First all keys
 * are added, by one thread; then rows are matched, by any.
 */
public final class KeyMatcher implements RowMatcher {
  private final KeySchema key;
  private final KeyTable table = new KeyTable();
  private final KeyEncoder encoder;
  private final List<Range> ranges = new ArrayList<>();

  /**
   * @param names of top-level columns, at least one
   * @throws IllegalArgumentException if the table lacks a column, or rows cannot be compared by it
   */
  public KeyMatcher(Table table, List<String> names) {
    List<Integer> ids = new ArrayList<>();
    for (String name : names) {
      ids.add(ColumnNames.findTopLevel(table.schema(), name).fieldId());
    }
    this.key = KeySchema.ofNew(table, ids);
    this.encoder = new KeyEncoder(key);
    key.schema().columns().forEach(column -> ranges.add(new Range(column)));
  }

  /** The columns of the key, in the table's order. */
  public Schema keySchema() {
    return key.schema();
  }

  /**
   * Adds the key of a row.
   *
   * @param row of {@link #keySchema}, values in Iceberg's internal form
   * @param number of the row, at least 0
   * @return the number of the row that had the key before, or -1
   */
  public long add(StructLike row, long number) {
    encoder.encode(row);
    if (encoder.hasNull()) {
      return -1;
    }
    long before = table.sequenceNumber(encoder.bytes(), encoder.length());
    table.add(encoder.bytes(), encoder.length(), number);
    for (int i = 0; i < ranges.size(); i++) {
      ranges.get(i).add(row.get(i, Object.class));
    }
    return before;
  }

  /** Looks keys up. For one thread. */
  public final class Lookup {
    private final KeyEncoder own = new KeyEncoder(key);

    /** The number of the row with the key of this one, or -1. */
    public long number(StructLike row) {
      own.encode(row);
      return own.hasNull() ? -1 : table.sequenceNumber(own.bytes(), own.length());
    }
  }

  public Lookup lookup() {
    return new Lookup();
  }

  @Override
  public String text() {
    return "the keys " + columns() + " of the source";
  }

  @Override
  public Set<String> columns() {
    Set<String> names = new LinkedHashSet<>();
    key.schema().columns().forEach(column -> names.add(column.name()));
    return names;
  }

  @Override
  public Pruning pruning() {
    if (table.size() == 0) {
      return Pruning.NONE;
    }
    Expression mayMatch = Expressions.alwaysTrue();
    for (Range range : ranges) {
      mayMatch = Expressions.and(mayMatch, range.expression());
    }
    return Pruning.atMost(mayMatch);
  }

  @Override
  public void match(VectorSchemaRoot batch, long[] matches) {
    Lookup lookup = lookup();
    BatchKey row = new BatchKey(batch, key.schema().columns());
    for (int i = 0; i < batch.getRowCount(); i++) {
      row.row = i;
      if (lookup.number(row) >= 0) {
        matches[i >>> 6] |= 1L << i;
      }
    }
  }

  /** Least and greatest value of a column, of types whose order is the same everywhere. */
  private static final class Range {
    private final Types.NestedField column;
    private final Comparator<Object> order;
    private @Nullable Object least;
    private @Nullable Object greatest;

    private Range(Types.NestedField column) {
      this.column = column;
      this.order = Comparators.forType(column.type().asPrimitiveType());
    }

    private void add(Object value) {
      Object kept = value instanceof CharSequence ? value.toString() : value;
      least = least == null || order.compare(kept, least) < 0 ? kept : least;
      greatest = greatest == null || order.compare(kept, greatest) > 0 ? kept : greatest;
    }

    private Expression expression() {
      boolean ordered =
          least instanceof Integer
              || least instanceof Long
              || least instanceof String
              || least instanceof BigDecimal;
      return ordered
              && column.type().typeId() != org.apache.iceberg.types.Type.TypeID.TIMESTAMP_NANO
          ? Expressions.and(
              Expressions.greaterThanOrEqual(column.name(), least),
              Expressions.lessThanOrEqual(column.name(), greatest))
          : Expressions.alwaysTrue();
    }
  }

  /** The key columns of a row of a batch. */
  private static final class BatchKey implements StructLike {
    private final VectorSchemaRoot batch;
    private final List<Types.NestedField> columns;
    private int row;

    private BatchKey(VectorSchemaRoot batch, List<Types.NestedField> columns) {
      this.batch = batch;
      this.columns = columns;
    }

    @Override
    public int size() {
      return columns.size();
    }

    @Override
    public <T> @Nullable T get(int position, Class<T> type) {
      Types.NestedField column = columns.get(position);
      return type.cast(VectorValues.get(batch.getVector(column.name()), column.type(), row));
    }

    @Override
    public <T> void set(int position, T value) {
      throw new UnsupportedOperationException("a row of a batch is read only");
    }
  }
}
