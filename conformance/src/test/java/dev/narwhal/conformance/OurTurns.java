package dev.narwhal.conformance;

import dev.narwhal.conformance.TableModel.NewRow;
import dev.narwhal.conformance.TurnTable.Where;
import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.write.insert.InsertOptions;
import dev.narwhal.lance.write.merge.MergeOptions;
import dev.narwhal.lance.write.update.ColumnRewrite;
import dev.narwhal.lance.write.update.RowUpdate;
import dev.narwhal.lance.write.update.UpdateResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Steps that Narwhal takes on a table's rows, and on the model beside it. Each tells what it did.
 *
 * @param table to be changed
 */
record OurTurns(TurnTable table) {
  private static final ArrowType LONG = new ArrowType.Int(64, true);

  private TableModel model() {
    return table.model();
  }

  private Random random() {
    return table.random();
  }

  private OurInsert insert() {
    return OurInsert.into(table.path()).withOptions(InsertOptions.standard().withMaxRowsPerFile(9));
  }

  /** Rows without values in some columns, which come in another order. */
  String append() throws IOException {
    Schema all = table.schema();
    List<Field> some = new ArrayList<>(all.getFields());
    some.removeIf(field -> field.isNullable() && random().nextInt(4) == 0);
    Collections.shuffle(some, random());
    Schema schema = new Schema(some);
    List<NewRow> rows = table.freshRows(schema, 1 + random().nextInt(20));
    insert().append(schema, rows.size(), (batch, fragment, count) -> TurnTable.fill(batch, rows));
    model().append(rows, TurnTable.names(all), table.newest());
    return "our append of " + rows.size();
  }

  /** Other rows in other columns. */
  String overwrite() throws IOException {
    List<Field> fields = new ArrayList<>(UpdateTables.SCHEMA.getFields());
    fields.add(Field.nullable("o" + table.newest(), LONG));
    Collections.shuffle(fields, random());
    Schema schema = new Schema(fields);
    List<NewRow> rows = table.freshRows(schema, 20 + random().nextInt(40));
    insert()
        .overwrite(schema, rows.size(), (batch, fragment, count) -> TurnTable.fill(batch, rows));
    model().overwrite(rows, TurnTable.names(schema), table.newest());
    return "our overwrite by " + rows.size();
  }

  String delete() throws IOException {
    Where where = Where.some(random());
    try (BufferAllocator allocator = new RootAllocator()) {
      table.open(allocator).delete(where.toString());
    }
    model().delete(where);
    return "our delete " + where;
  }

  /** An update of the newest version. */
  String update() throws IOException {
    try (BufferAllocator allocator = new RootAllocator()) {
      return update(table.open(allocator));
    }
  }

  /** An update that begins with a version, which may be older than the newest. */
  String update(Dataset read) throws IOException {
    Where where = Where.some(random());
    Map<String, String> set = set();
    RowUpdate update = read.update().where(where.toString());
    set.forEach(update::set);
    updated(update.execute(), where, set, read.version());
    return "our update " + where + ", " + set + ", on version " + read.version();
  }

  /** A rewrite of columns of the newest version. */
  String rewrite() throws IOException {
    try (BufferAllocator allocator = new RootAllocator()) {
      return rewrite(table.open(allocator));
    }
  }

  /** A rewrite of columns, of some rows or of all, that begins with a version. */
  String rewrite(Dataset read) throws IOException {
    boolean all = random().nextInt(4) == 0;
    Where where = Where.some(random());
    Map<String, String> set = set();
    ColumnRewrite rewrite = read.rewriteColumns();
    set.forEach(rewrite::set);
    if (!all) {
      rewrite.where(where.toString());
    }
    if (random().nextBoolean()) {
      rewrite.withOffsetLists();
    }
    updated(rewrite.execute(), all ? id -> true : where, set, read.version());
    String rows = all ? "all rows" : where.toString();
    return "our rewrite of columns, " + rows + ", " + set + ", on version " + read.version();
  }

  /** Values for some columns. */
  private Map<String, String> set() throws IOException {
    Map<String, String> set = new TreeMap<>();
    List<Field> fields = table.schema().getFields();
    while (set.isEmpty()) {
      for (Field field : fields) {
        String name = field.getName();
        if (!name.equals("id") && random().nextInt(3) == 0) {
          set.put(
              name,
              field.getType() instanceof ArrowType.Utf8
                  ? name + " || 'u'"
                  : "coalesce(" + name + ", 0) + 1");
        }
      }
    }
    return set;
  }

  private void updated(
      UpdateResult result, LongPredicate where, Map<String, String> set, long readVersion)
      throws IOException {
    Map<Long, RowStates.State> now = new HashMap<>();
    if (result.version() > readVersion + 1) {
      RowStates.ours(table.path()).forEach(row -> now.put(row.id(), row));
    }
    Schema schema = table.schema();
    model()
        .update(
            where,
            (id, values) -> changed(values, schema, set.keySet()),
            result.version(),
            readVersion,
            now);
  }

  private static Map<String, String> changed(
      SortedMap<String, String> values, Schema schema, Iterable<String> columns) {
    Map<String, String> changed = new HashMap<>();
    for (String column : columns) {
      String value = values.getOrDefault(column, "null");
      changed.put(column, changed(value, schema.findField(column).getType()));
    }
    return changed;
  }

  private static String changed(String value, ArrowType type) {
    boolean isNull = value.equals("null");
    if (type instanceof ArrowType.Utf8) {
      return isNull ? value : value + "u";
    }
    if (type instanceof ArrowType.FloatingPoint) {
      return "" + ((isNull ? 0 : Double.parseDouble(value)) + 1);
    }
    return "" + ((isNull ? 0 : Long.parseLong(value)) + 1);
  }

  String merge() throws IOException {
    TurnMerge merge = TurnMerge.some(table);
    MergeOptions options =
        random().nextInt(3) == 0
            ? MergeOptions.standard()
                .withMemory(MergeOptions.MIN_MEMORY_BYTES, MergeOptions.standard().spillDirectory())
            : MergeOptions.standard();
    merge
        .clauses()
        .byUs(
            table.path(), merge.schema(), batch -> TurnTable.fill(batch, merge.source()), options);
    merge.apply(table);
    return "our merge " + merge;
  }

  String mergeInPlace() throws IOException {
    TurnMerge merge = TurnMerge.someInPlace(table);
    merge
        .clauses()
        .inPlaceByUs(table.path(), merge.schema(), batch -> TurnTable.fill(batch, merge.source()));
    merge.apply(table);
    return "our merge in place " + merge;
  }
}
