package dev.narwhal.iceberg.rowdelete.write;

import dev.narwhal.iceberg.rowdelete.plan.KeyMatcher;
import dev.narwhal.iceberg.rowdelete.plan.RowDelete;
import dev.narwhal.puffin.PositionSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.InternalRecordWrapper;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.util.StructProjection;

/**
 * The rows of a merge's source, held in memory, and what becomes of the table's rows with their
 * keys. For one thread.
 */
public final class MergedRows {
  private final List<Record> source;
  private final BitSet found;
  private final MergeClauses clauses;
  private final KeyMatcher.Lookup lookup;
  private final RecordRows rows;
  private final Schema schema;
  private final InternalRecordWrapper internal;
  private final StructProjection key;
  private final int lastUpdated;

  private MergedRows(Table table, List<Record> source, KeyMatcher matcher, MergeClauses clauses) {
    this.source = source;
    this.found = new BitSet(source.size());
    this.clauses = clauses;
    this.lookup = matcher.lookup();
    this.rows = new RecordRows(table);
    this.schema = FileRewriter.writtenSchema(table);
    this.internal = new InternalRecordWrapper(schema.asStruct());
    this.key = StructProjection.create(schema, matcher.keySchema());
    this.lastUpdated = schema.columns().indexOf(MetadataColumns.LAST_UPDATED_SEQUENCE_NUMBER);
  }

  /**
   * Takes the source in.
   *
   * @param source rows with the table's columns in their order
   * @param matcher is given the keys
   * @throws IllegalArgumentException if two rows have one key: it would be arbitrary which counts
   */
  public static MergedRows of(
      Table table, Iterable<? extends Record> source, KeyMatcher matcher, MergeClauses clauses) {
    List<Record> kept = new ArrayList<>();
    InternalRecordWrapper internal = new InternalRecordWrapper(table.schema().asStruct());
    StructProjection key = StructProjection.create(table.schema(), matcher.keySchema());
    for (Record row : source) {
      long before = matcher.add(key.wrap(internal.wrap(row)), kept.size());
      if (before >= 0) {
        throw new IllegalArgumentException(
            "rows "
                + before
                + " and "
                + kept.size()
                + " of the source have one key; leave one of them out");
      }
      kept.add(row.copy());
    }
    return new MergedRows(table, kept, matcher, clauses);
  }

  /**
   * Applies the clauses to the rows of a data file whose key the source has.
   *
   * @param out is given the rows with new values
   * @return the rows that leave the file
   */
  public PositionSet merge(RowDelete file, NewRows out) throws IOException {
    PositionSet.Builder leaving = PositionSet.builder();
    try (CloseableIterable<Record> records = rows.open(file.task(), schema)) {
      long position = 0;
      for (Record record : records) {
        if (file.positions().contains(position) && leaves(record, out)) {
          leaving.add(position);
        }
        position++;
      }
    }
    return leaving.build();
  }

  private boolean leaves(Record record, NewRows out) {
    StructLike own = key.wrap(internal.wrap(record));
    int number = Math.toIntExact(lookup.number(own));
    Record other = source.get(number);
    found.set(number);
    for (MergeClauses.Matched clause : clauses.matched()) {
      if (clause.condition().test(record, other)) {
        if (clause instanceof MergeClauses.Update update) {
          update.update().accept(record, other);
          if (lastUpdated >= 0) {
            record.set(lastUpdated, null);
          }
          out.add(record);
        }
        return true;
      }
    }
    return false;
  }

  /** Adds the rows of the source whose key no row of the table had. */
  public void insert(NewRows out) {
    if (clauses.insertsNotMatched()) {
      for (int i = found.nextClearBit(0); i < source.size(); i = found.nextClearBit(i + 1)) {
        out.add(source.get(i));
      }
    }
  }
}
