package dev.narwhal.iceberg.rowdelete.plan;

import dev.narwhal.iceberg.rowdelete.rows.DamagedDataFileException;
import dev.narwhal.iceberg.rowdelete.rows.DataFileRows;
import dev.narwhal.iceberg.rowdelete.rows.RowBatch;
import dev.narwhal.lance.error.PredicateEvaluationException;
import dev.narwhal.puffin.PositionSet;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Types;

/**
 * Finds the live rows of data files that match, reading only the matcher's columns, and of these
 * only the row groups in which a row may match. Safe for use by many threads.
 */
final class MatchFinder {
  private final RowMatcher matcher;
  private final BufferAllocator allocator;
  private final DataFileRows rows;

  /** The matcher's columns. */
  private final Schema columns;

  MatchFinder(Table table, Schema schema, RowMatcher matcher, BufferAllocator allocator) {
    this.matcher = matcher;
    this.allocator = allocator;
    this.rows = new DataFileRows(table);
    this.columns = columns(schema, matcher);
  }

  private static Schema columns(Schema schema, RowMatcher matcher) {
    Set<String> names = matcher.columns();
    List<Types.NestedField> fields =
        schema.columns().stream().filter(field -> names.contains(field.name())).toList();
    if (fields.size() != names.size()) {
      throw new IllegalArgumentException(
          "columns " + names + " of " + matcher.text() + " are not all in the table");
    }
    return new Schema(fields);
  }

  /** The matching rows; what a dead row would fail at, such as a division, is nobody's error. */
  PositionSet matching(FileScanTask task, PositionSet dead) throws IOException {
    DataFileRows.requireParquet(task);
    MatchedRows matches = new MatchedRows(matcher);
    try (RowBatch batch = new RowBatch(columns, dead, allocator)) {
      if (columns.columns().isEmpty()) {
        countThrough(task.file().recordCount(), batch, matches);
      } else {
        readThrough(task, batch, matches);
      }
    } catch (PredicateEvaluationException e) {
      throw e.in(task.file().location());
    }
    return matches.positions();
  }

  private void readThrough(FileScanTask task, RowBatch batch, MatchedRows matches)
      throws IOException {
    Expression mayMatch = matcher.pruning().mayMatch();
    long count = 0;
    try (CloseableIterable<RowBatch> batches = rows.read(task, batch, mayMatch)) {
      for (RowBatch next : batches) {
        count += next.rowsRead();
        matches.add(next);
      }
    }
    requireRows(task, count, mayMatch.op() == Expression.Operation.TRUE);
  }

  /** A matcher that looks at no column needs no file to be read. */
  private static void countThrough(long rows, RowBatch batch, MatchedRows matches) {
    for (long position = 0; position < rows; position += RowBatch.CAPACITY) {
      batch.begin(position, (int) Math.min(RowBatch.CAPACITY, rows - position));
      batch.end();
      matches.add(batch);
    }
  }

  private static void requireRows(FileScanTask task, long count, boolean all) {
    long expected = task.file().recordCount();
    if (all ? count != expected : count > expected) {
      throw DamagedDataFileException.ofRows(
          task.file().location(), (all ? "" : "at least ") + count, expected);
    }
  }
}
