package dev.narwhal.lance.write.merge;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.schema.LanceField;
import dev.narwhal.lance.write.RowSource;
import dev.narwhal.lance.write.WriteContext;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Brings the rows of a source into a table: rows are matched by key, and each clause says what
 * becomes of one kind of row. By default matched rows stay and others are inserted.
 *
 * <pre>{@code
 * MergeResult result =
 *     dataset
 *         .mergeInsert("id")
 *         .whenMatched(WhenMatched.updateIf("source.seen > target.seen"))
 *         .whenNotMatched(WhenNotMatched.INSERT)
 *         .execute(RowSource.of(reader));
 * }</pre>
 *
 * <p>A null in a key column equals nothing: such a row of the source is not matched, and such a row
 * of the table is none of the source's. The source is read once; after a conflict that allows it
 * the merge is done all over again on the newest version. A merge that fails leaves nothing behind.
 *
 * <p>Immutable. Source: table format sheet 7.
 */
public final class MergeInsert {
  private final WriteContext context;
  private final List<String> keys;
  private final MergeClauses clauses;
  private final MergeOptions options;

  /**
   * @param context the version to begin with
   * @param keys columns that rows are matched by; none means those of the table's primary key
   */
  public MergeInsert(WriteContext context, List<String> keys) {
    this(context, List.copyOf(keys), MergeClauses.standard(), MergeOptions.standard());
  }

  private MergeInsert(
      WriteContext context, List<String> keys, MergeClauses clauses, MergeOptions options) {
    this.context = requireNonNull(context, "context");
    this.keys = keys;
    this.clauses = clauses;
    this.options = requireNonNull(options, "options");
  }

  /** What becomes of rows of the table that the source has too. */
  public MergeInsert whenMatched(WhenMatched action) {
    return new MergeInsert(context, keys, clauses.withMatched(action), options);
  }

  /** What becomes of rows that only the source has. */
  public MergeInsert whenNotMatched(WhenNotMatched action) {
    return new MergeInsert(context, keys, clauses.withNotMatched(action), options);
  }

  /** What becomes of rows that only the table has. */
  public MergeInsert whenNotMatchedBySource(WhenNotMatchedBySource action) {
    return new MergeInsert(context, keys, clauses.withNotMatchedBySource(action), options);
  }

  /**
   * Leaves updated rows where they are, and writes only the source's columns of them anew: for a
   * few narrow columns of many rows. All rows of the fragments concerned are written in these
   * columns. The source must fit into the memory of the options, and nothing can be deleted.
   */
  public MergeInsert inPlace() {
    return new MergeInsert(context, keys, clauses.asInPlace(), options);
  }

  public MergeInsert withOptions(MergeOptions other) {
    return new MergeInsert(context, keys, clauses, other);
  }

  /**
   * Reads the source, merges and commits.
   *
   * @param source has the key columns, and all columns of the table or some; it stays the caller's
   * @throws IllegalArgumentException when it does not fit the table, or a row has a null where the
   *     table has none, or the clauses can change nothing
   * @throws dev.narwhal.lance.error.DuplicateKeysException when two rows of it would update one row
   * @throws dev.narwhal.lance.error.KeysExistException when a match is to fail, and there is one
   * @throws dev.narwhal.lance.error.InvalidPredicateException when a condition means nothing
   * @throws dev.narwhal.lance.error.PredicateEvaluationException when it has no result for a row
   * @throws dev.narwhal.lance.error.RetryableConflictException when other commits came first,
   *     attempt after attempt
   * @throws dev.narwhal.lance.error.CommitStateUnknownException when it cannot be told whether it
   *     was committed
   */
  public MergeResult execute(RowSource source) throws IOException {
    clauses.requireEffect();
    try (MergeSource read = read(source)) {
      return options
          .retries()
          .run(context, attempt -> new MergeAttempt(attempt, clauses, options, read).run());
    }
  }

  private MergeSource read(RowSource source) throws IOException {
    SourceColumns columns;
    List<Field> keyFields;
    try {
      columns = SourceColumns.of(context.manifest().schema(), source.schema());
      keyFields = keyFields(columns);
      if (clauses.inserts()) {
        columns.requireInsertable();
      }
    } catch (UnsupportedFeatureException e) {
      throw e.in(context.store().uri());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(context.store().uri() + ": " + e.getMessage(), e);
    }
    requireConditions(columns);
    return MergeSource.read(source, columns.given(), keyFields, options, context.allocator());
  }

  /** Before anything is read, so that a mistake costs nothing. */
  private void requireConditions(SourceColumns columns) {
    if (clauses.matched() instanceof WhenMatched.UpdateIf update) {
      UpdateCondition.parse(update.condition(), columns, context);
    }
    if (clauses.notMatchedBySource() instanceof WhenNotMatchedBySource.DeleteIf delete) {
      context.predicate(delete.predicate());
    }
  }

  private List<Field> keyFields(SourceColumns columns) {
    List<Field> fields = new ArrayList<>();
    for (LanceField key : KeyColumns.of(context.manifest().schema(), keys)) {
      fields.add(
          columns.given().stream()
              .filter(field -> field.getName().equals(key.name()))
              .findFirst()
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "the source lacks the key column '" + key.name() + "'")));
    }
    return fields;
  }
}
