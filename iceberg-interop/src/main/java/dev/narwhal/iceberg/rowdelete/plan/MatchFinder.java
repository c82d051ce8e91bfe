package dev.narwhal.iceberg.rowdelete.plan;

import dev.narwhal.iceberg.rowdelete.rows.DataFileRows;
import dev.narwhal.iceberg.rowdelete.rows.RecordVectors;
import dev.narwhal.lance.error.PredicateEvaluationException;
import dev.narwhal.puffin.PositionSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
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

  /** The same and the position, at the end. */
  private final Schema projection;

  MatchFinder(Table table, Schema schema, RowMatcher matcher, BufferAllocator allocator) {
    this.matcher = matcher;
    this.allocator = allocator;
    this.rows = new DataFileRows(table);
    this.columns = columns(schema, matcher);
    List<Types.NestedField> all = new ArrayList<>(columns.columns());
    all.add(MetadataColumns.ROW_POSITION);
    this.projection = new Schema(all);
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
    MatchedRows matches = new MatchedRows(matcher, dead);
    try (RecordVectors vectors = new RecordVectors(columns, allocator)) {
      if (columns.columns().isEmpty()) {
        countThrough(task.file().recordCount(), vectors, matches);
      } else {
        readThrough(task, vectors, matches);
      }
    } catch (PredicateEvaluationException e) {
      throw e.in(task.file().location());
    }
    return matches.positions();
  }

  private void readThrough(FileScanTask task, RecordVectors vectors, MatchedRows matches)
      throws IOException {
    Expression mayMatch = matcher.pruning().mayMatch();
    int positionColumn = columns.columns().size();
    long count = 0;
    try (CloseableIterable<StructLike> records = rows.open(task, projection, mayMatch)) {
      for (StructLike record : records) {
        count++;
        if (matches.goTo(record.get(positionColumn, Long.class))) {
          vectors.add(record);
        }
        if (matches.isFull()) {
          matches.add(vectors);
        }
      }
      matches.add(vectors);
    }
    requireRows(task, count, mayMatch.op() == Expression.Operation.TRUE);
  }

  /** A matcher that looks at no column needs no file to be read. */
  private static void countThrough(long rows, RecordVectors vectors, MatchedRows matches) {
    for (long position = 0; position < rows; position++) {
      if (matches.goTo(position)) {
        vectors.addEmpty(1);
      }
      if (matches.isFull()) {
        matches.add(vectors);
      }
    }
    matches.add(vectors);
  }

  private static void requireRows(FileScanTask task, long count, boolean all) {
    long expected = task.file().recordCount();
    if (all ? count != expected : count > expected) {
      throw new IllegalStateException(
          "data file "
              + task.file().location()
              + " has "
              + (all ? "" : "at least ")
              + count
              + " rows, the table's metadata says "
              + expected);
    }
  }
}
