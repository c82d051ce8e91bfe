package dev.narwhal.conformance;

import dev.narwhal.conformance.TableModel.NewRow;
import dev.narwhal.conformance.TurnTable.Where;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.lance.compaction.CompactionOptions;
import org.lance.index.IndexOptions;
import org.lance.index.IndexParams;
import org.lance.index.IndexType;
import org.lance.index.OptimizeOptions;
import org.lance.index.scalar.ScalarIndexParams;
import org.lance.schema.ColumnAlteration;
import org.lance.schema.SqlExpressions;

/**
 * Steps that real Lance takes on a table, and on the model beside it. Each tells what it did.
 *
 * @param table to be changed
 */
record TheirTurns(TurnTable table) {
  /** What names of indices begin with; the column follows. */
  private static final String ON = "on ";

  private static final ArrowType LONG = new ArrowType.Int(64, true);

  private TableModel model() {
    return table.model();
  }

  private Random random() {
    return table.random();
  }

  private LanceJudge open() {
    return LanceJudge.open(table.path());
  }

  String append() throws IOException {
    Schema schema = table.schema();
    List<NewRow> rows = table.freshRows(schema, 1 + random().nextInt(30));
    table
        .writer()
        .append(
            schema, List.of(rows.size()), (batch, fragment, count) -> TurnTable.fill(batch, rows));
    model().append(rows, TurnTable.names(schema), table.newest());
    return "their append of " + rows.size();
  }

  /** Other rows in other columns. */
  String overwrite() throws IOException {
    List<Field> fields = new ArrayList<>(UpdateTables.SCHEMA.getFields());
    fields.add(Field.nullable("o" + table.newest(), LONG));
    Collections.shuffle(fields, random());
    Schema schema = new Schema(fields);
    List<NewRow> rows = table.freshRows(schema, 20 + random().nextInt(40));
    table
        .writer()
        .overwrite(
            schema, List.of(rows.size()), (batch, fragment, count) -> TurnTable.fill(batch, rows));
    model().overwrite(rows, TurnTable.names(schema), table.newest());
    return "their overwrite by " + rows.size();
  }

  String delete() {
    Where where = Where.some(random());
    try (LanceJudge judge = open()) {
      judge.delete(where.toString());
    }
    model().delete(where);
    return "their delete " + where;
  }

  /**
   * A merge without an index of the key: with one 7.0.0 ends the process when the source lacks
   * columns, and meets rows twice that have moved under their stable ids (O37).
   */
  String merge() throws IOException {
    TurnMerge merge = TurnMerge.some(table);
    try (LanceJudge judge = open()) {
      if (judge.dataset().listIndexes().contains(ON + "id")) {
        judge.dataset().dropIndex(ON + "id");
      }
    }
    merge
        .clauses()
        .byThem(table.path(), merge.schema(), batch -> TurnTable.fill(batch, merge.source()));
    merge.apply(table);
    return "their merge " + merge;
  }

  String compact() {
    int rows = 40 + random().nextInt(100);
    try (LanceJudge judge = open()) {
      judge.dataset().compact(CompactionOptions.builder().withTargetRowsPerFragment(rows).build());
    }
    return "their compaction to " + rows;
  }

  /** A column of a number or of a text. */
  String addComputed() throws IOException {
    if (table.otherColumns().size() >= 4) {
      return drop();
    }
    String name = "d" + (table.newest() + 1);
    boolean text = random().nextBoolean();
    String sql = text ? "t || 'd'" : "n + 2000";
    try (LanceJudge judge = open()) {
      judge
          .dataset()
          .addColumns(
              new SqlExpressions.Builder().withExpression(name, sql).build(), Optional.empty());
    }
    model()
        .addColumn(
            name,
            (id, values) -> {
              String of = values.getOrDefault(text ? "t" : "n", "null");
              return of.equals("null") ? of : text ? of + "d" : "" + (Long.parseLong(of) + 2000);
            },
            table.newest());
    return "their added " + name + " = " + sql;
  }

  String addNulls() throws IOException {
    if (table.otherColumns().size() >= 4) {
      return rename();
    }
    Field field = Field.nullable("d" + (table.newest() + 1), LONG);
    try (LanceJudge judge = open()) {
      judge.dataset().addColumns(List.of(field));
    }
    model().addNulls(field.getName());
    return "their added nulls " + field;
  }

  String drop() throws IOException {
    Optional<String> column = someColumn();
    if (column.isPresent()) {
      try (LanceJudge judge = open()) {
        judge.dataset().dropColumns(List.of(column.get()));
      }
      model().dropColumn(column.get());
    }
    return "their drop of " + column;
  }

  String rename() throws IOException {
    Optional<String> column = someColumn();
    String name = "d" + (table.newest() + 1);
    if (column.isPresent()) {
      try (LanceJudge judge = open()) {
        judge
            .dataset()
            .alterColumns(List.of(new ColumnAlteration.Builder(column.get()).rename(name).build()));
      }
      model().renameColumn(column.get(), name);
    }
    return "their renaming of " + column + " to " + name;
  }

  private Optional<String> someColumn() throws IOException {
    List<String> others = table.otherColumns();
    return others.isEmpty()
        ? Optional.empty()
        : Optional.of(others.get(random().nextInt(others.size())));
  }

  /** An index on the id or on the number, in the place of one there may be. */
  String index() {
    if (model().isEmpty()) {
      return "no rows to index";
    }
    boolean number = random().nextInt(3) > 0;
    boolean bitmap = number && random().nextBoolean();
    String column = number ? "n" : "id";
    try (LanceJudge judge = open()) {
      judge
          .dataset()
          .createIndex(
              IndexOptions.builder(
                      List.of(column),
                      bitmap ? IndexType.BITMAP : IndexType.BTREE,
                      IndexParams.builder()
                          .setScalarIndexParams(
                              ScalarIndexParams.create(bitmap ? "bitmap" : "btree", "{}"))
                          .build())
                  .withIndexName(ON + column)
                  .replace(true)
                  .build());
    }
    return "their " + (bitmap ? "bitmap" : "btree") + " index on " + column;
  }

  /**
   * Has the indices cover all rows. Those on numbers are made anew, because 7.0.0 goes on to find
   * what was in rows that were written anew in place (O35), and so are all where rows have moved
   * under stable ids, which it would list twice.
   */
  String optimize() {
    int merged = random().nextInt(3);
    try (LanceJudge judge = open()) {
      boolean extended = !table.stable() && judge.dataset().listIndexes().contains(ON + "id");
      OptimizeOptions.Builder options = OptimizeOptions.builder().numIndicesToMerge(merged);
      judge
          .dataset()
          .optimizeIndices(
              extended
                  ? options.indexNames(List.of(ON + "id")).build()
                  : options.retrain(true).build());
    }
    return "their optimizing of indices, " + merged + " merged";
  }
}
