package dev.narwhal.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.narwhal.lance.write.merge.WhenMatched;
import dev.narwhal.lance.write.merge.WhenNotMatched;
import dev.narwhal.lance.write.merge.WhenNotMatchedBySource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.LongPredicate;

/**
 * The rows that a table must have after the steps that were taken on it, worked out in plain Java.
 * Values are texts, as {@link RowStates} gives them. Row ids and versions are looked at only where
 * the table keeps them.
 */
final class TableModel {
  /** Conditions of merges that the model knows the meaning of. */
  static final List<String> UPDATE_CONDITIONS =
      List.of("source.n > target.n", "target.id % 3 <> 0 AND source.id % 5 <> 1");

  /** The one predicate of {@link WhenNotMatchedBySource.DeleteIf} that the model knows. */
  static final String DELETE_CONDITION = "id % 11 = 3";

  private static final String NULL = "null";
  private static final long UNKNOWN = -1;

  /** A row that is to be written: what is not among its values is null. */
  record NewRow(long id, SortedMap<String, String> values) {
    String value(String column) {
      return column.equals("id") ? "" + id : values.getOrDefault(column, NULL);
    }
  }

  private record Row(SortedMap<String, String> values, long rowId, long created, long updated) {
    Row with(Map<String, String> changed, long version) {
      SortedMap<String, String> all = new TreeMap<>(values);
      all.putAll(changed);
      return new Row(all, rowId, created, version);
    }
  }

  private final boolean stable;
  private final TreeMap<Long, Row> rows = new TreeMap<>();
  private final List<Long> gone = new ArrayList<>();
  private long nextId;
  private long nextRowId;

  /**
   * A table without rows.
   *
   * @param stable whether it has stable row ids
   */
  TableModel(boolean stable) {
    this.stable = stable;
  }

  boolean isEmpty() {
    return rows.isEmpty();
  }

  /** Ids of the rows, ascending. */
  List<Long> ids() {
    return List.copyOf(rows.keySet());
  }

  /** Ids that no row has had. */
  long freshIds(int count) {
    nextId += count;
    return nextId - count;
  }

  /** One more than the highest id that a row has, or may have had. */
  long nextId() {
    return nextId;
  }

  /** The next row id that the table has to give. */
  long nextRowId() {
    return nextRowId;
  }

  /** Row ids that were there once. */
  List<Long> goneRowIds() {
    return gone;
  }

  /** Ids of the rows whose column has a value. */
  List<Long> idsWith(String column, String value) {
    List<Long> ids = new ArrayList<>();
    rows.forEach(
        (id, row) -> {
          if (value.equals(column.equals("id") ? "" + id : row.values().get(column))) {
            ids.add(id);
          }
        });
    return ids;
  }

  /** Rows that come in this order, and are given the next row ids in this order. */
  void append(List<NewRow> added, Collection<String> columns, long version) {
    for (NewRow row : added) {
      put(row, columns, nextRowId++, version);
    }
  }

  /** The same in the place of all rows there were. */
  void overwrite(List<NewRow> added, Collection<String> columns, long version) {
    delete(id -> true);
    append(added, columns, version);
  }

  private void put(NewRow row, Collection<String> columns, long rowId, long version) {
    SortedMap<String, String> values = new TreeMap<>();
    for (String column : columns) {
      if (!column.equals("id")) {
        values.put(column, row.value(column));
      }
    }
    assertThat(rows.put(row.id(), new Row(values, rowId, version, version))).isNull();
    nextId = Math.max(nextId, row.id() + 1);
  }

  void delete(LongPredicate where) {
    rows.forEach(
        (id, row) -> {
          if (where.test(id)) {
            gone.add(row.rowId());
          }
        });
    rows.keySet().removeIf(where::test);
  }

  /**
   * New values for some rows.
   *
   * @param change gives them by id and old values
   * @param spared rows that a change that was planned on {@code readVersion} may have left as they
   *     were, by id: those that came later are among the changed ones only when it was planned anew
   */
  void update(
      LongPredicate where,
      BiFunction<Long, SortedMap<String, String>, Map<String, String>> change,
      long version,
      long readVersion,
      Map<Long, RowStates.State> spared) {
    rows.replaceAll(
        (id, row) -> {
          boolean hit = where.test(id);
          boolean unseen =
              hit
                  && row.created() > readVersion
                  && Optional.ofNullable(spared.get(id))
                      .filter(now -> text(now).equals(text(id, row)))
                      .isPresent();
          return !hit || unseen ? row : row.with(change.apply(id, row.values()), version);
        });
  }

  /**
   * What a merge by {@code id} does.
   *
   * @param columns of the table
   */
  void merge(MergeCase merge, List<NewRow> source, Collection<String> columns, long version) {
    Map<Long, NewRow> byId = new HashMap<>();
    source.forEach(row -> byId.put(row.id(), row));
    if (merge.notMatchedBySource() instanceof WhenNotMatchedBySource.DeleteIf deleting) {
      assertThat(deleting.predicate()).isEqualTo(DELETE_CONDITION);
      delete(id -> id % 11 == 3 && !byId.containsKey(id));
    } else if (merge.notMatchedBySource() instanceof WhenNotMatchedBySource.Delete) {
      delete(id -> !byId.containsKey(id));
    }
    for (NewRow row : source) {
      Row old = rows.get(row.id());
      if (old == null) {
        if (merge.notMatched() == WhenNotMatched.INSERT) {
          put(row, columns, UNKNOWN, version);
        }
      } else if (merge.matched() instanceof WhenMatched.Delete) {
        delete(id -> id == row.id());
      } else if (updates(merge.matched(), row, old)) {
        rows.put(row.id(), old.with(row.values(), version));
      }
    }
  }

  private static boolean updates(WhenMatched matched, NewRow source, Row target) {
    if (matched instanceof WhenMatched.UpdateIf update) {
      if (update.condition().equals(UPDATE_CONDITIONS.get(0))) {
        String theirs = source.value("n");
        String ours = target.values().getOrDefault("n", NULL);
        return !theirs.equals(NULL)
            && !ours.equals(NULL)
            && Integer.parseInt(theirs) > Integer.parseInt(ours);
      }
      assertThat(update.condition()).isEqualTo(UPDATE_CONDITIONS.get(1));
      return source.id() % 3 != 0 && source.id() % 5 != 1;
    }
    return matched instanceof WhenMatched.UpdateAll;
  }

  /** A new column whose values are written for each row. */
  void addColumn(
      String name, BiFunction<Long, SortedMap<String, String>, String> value, long version) {
    rows.replaceAll((id, row) -> row.with(Map.of(name, value.apply(id, row.values())), version));
  }

  /** A new column of nulls, for which nothing is written. */
  void addNulls(String name) {
    rows.replaceAll((id, row) -> row.with(Map.of(name, NULL), row.updated()));
  }

  void dropColumn(String name) {
    rows.values().forEach(row -> row.values().remove(name));
  }

  void renameColumn(String name, String other) {
    rows.values().forEach(row -> row.values().put(other, row.values().remove(name)));
  }

  /**
   * Compares with the rows that a table has. Rows that a merge inserted have the next row ids, in
   * whatever order; from here on the model knows them.
   */
  void check(String label, List<RowStates.State> states) {
    learnRowIds(label, states);
    List<String> seen = states.stream().map(this::text).toList();
    List<String> expected = new ArrayList<>();
    rows.forEach((id, row) -> expected.add(text(id, row)));
    assertThat(seen).as(label).isEqualTo(expected);
  }

  private void learnRowIds(String label, List<RowStates.State> states) {
    Set<Long> learned = new HashSet<>();
    for (RowStates.State state : states) {
      Row row = rows.get(state.id());
      if (row != null && row.rowId() == UNKNOWN) {
        learned.add(state.rowId());
        rows.put(state.id(), new Row(row.values(), state.rowId(), row.created(), row.updated()));
      }
    }
    if (stable) {
      for (long next = nextRowId; next < nextRowId + learned.size(); next++) {
        assertThat(learned).as(label).contains(next);
      }
    }
    nextRowId += learned.size();
  }

  private String text(RowStates.State state) {
    return text(
        state.id(), new Row(state.values(), state.rowId(), state.created(), state.updated()));
  }

  private String text(long id, Row row) {
    return id + ": " + (stable ? row : row.values());
  }
}
