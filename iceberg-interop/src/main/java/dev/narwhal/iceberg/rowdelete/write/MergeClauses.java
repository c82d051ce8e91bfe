package dev.narwhal.iceberg.rowdelete.write;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import org.apache.iceberg.data.Record;

/**
 * What a merge does with rows. Of the clauses for matched rows the first whose condition is true
 * applies; where none is, the row stays.
 *
 * @param matched for rows of the table whose key a row of the source has
 * @param insertsNotMatched whether rows of the source are inserted whose key no row of the table
 *     has
 */
public record MergeClauses(List<Matched> matched, boolean insertsNotMatched) {
  /** A clause for matched rows; target and source rows have the table's columns. */
  public sealed interface Matched {
    BiPredicate<Record, Record> condition();
  }

  /**
   * Gives rows new values.
   *
   * @param update sets values of the target, the first argument
   */
  public record Update(BiPredicate<Record, Record> condition, BiConsumer<Record, Record> update)
      implements Matched {}

  /** Deletes rows. */
  public record Delete(BiPredicate<Record, Record> condition) implements Matched {}

  public MergeClauses {
    matched = List.copyOf(matched);
  }

  /** Does nothing at all. */
  public static MergeClauses nothing() {
    return new MergeClauses(List.of(), false);
  }

  /** Sets all columns of matched rows to the source's, and inserts the others. */
  public static MergeClauses upsert() {
    return nothing()
        .whenMatchedUpdate(
            (target, source) -> true,
            (target, source) -> {
              for (int i = 0; i < source.size(); i++) {
                target.set(i, source.get(i));
              }
            })
        .whenNotMatchedInsert();
  }

  public MergeClauses whenMatchedUpdate(
      BiPredicate<Record, Record> condition, BiConsumer<Record, Record> update) {
    return with(new Update(condition, update));
  }

  public MergeClauses whenMatchedDelete(BiPredicate<Record, Record> condition) {
    return with(new Delete(condition));
  }

  public MergeClauses whenNotMatchedInsert() {
    return new MergeClauses(matched, true);
  }

  private MergeClauses with(Matched clause) {
    List<Matched> clauses = new ArrayList<>(matched);
    clauses.add(clause);
    return new MergeClauses(clauses, insertsNotMatched);
  }
}
