package dev.narwhal.conformance;

import dev.narwhal.conformance.TableModel.NewRow;
import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.scan.SystemColumns;
import dev.narwhal.lance.write.RowSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Steps that Narwhal takes on a table's columns, and on the model beside it. Each tells what it
 * did. Columns that are not those of each table are named {@code c} and the version that made them.
 */
record OurColumnTurns(TurnTable table) {
  /** More of them cost time and show nothing new. */
  private static final int MANY = 4;

  private static final ArrowType LONG = new ArrowType.Int(64, true);
  private static final ArrowType DOUBLE =
      new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);

  private boolean hasMany() throws IOException {
    return table.otherColumns().size() >= MANY;
  }

  private String fresh() throws IOException {
    return "c" + (table.newest() + 1);
  }

  /** Two columns of nulls. */
  String addNulls() throws IOException {
    if (hasMany()) {
      return drop();
    }
    List<Field> added =
        List.of(
            Field.nullable(fresh(), table.random().nextBoolean() ? LONG : DOUBLE),
            Field.nullable(fresh() + "t", ArrowType.Utf8.INSTANCE));
    try (BufferAllocator allocator = new RootAllocator()) {
      table.open(allocator).addColumns().nulls(added);
    }
    added.forEach(field -> table.model().addNulls(field.getName()));
    return "our added nulls " + added;
  }

  /** A column of a number or of a text. */
  String addComputed() throws IOException {
    if (hasMany()) {
      return rename();
    }
    String name = fresh();
    boolean text = table.random().nextBoolean();
    try (BufferAllocator allocator = new RootAllocator()) {
      table.open(allocator).addColumns().computed(name, text ? "t || 'c'" : "n + 1000");
    }
    added(name, text);
    return "our added " + (text ? "text " : "number ") + name;
  }

  private void added(String name, boolean text) throws IOException {
    table
        .model()
        .addColumn(
            name,
            (id, values) -> {
              String of = values.getOrDefault(text ? "t" : "n", "null");
              return of.equals("null") ? of : text ? of + "c" : "" + (Long.parseLong(of) + 1000);
            },
            table.newest());
  }

  /** A column with values for some of the rows, named by address or by id. */
  String addGiven() throws IOException {
    if (hasMany()) {
      return rename();
    }
    Field field =
        Field.nullable(fresh(), table.random().nextBoolean() ? LONG : ArrowType.Utf8.INSTANCE);
    Schema valueOnly = new Schema(List.of(field));
    String key = table.random().nextBoolean() ? SystemColumns.ROW_ADDRESS : SystemColumns.ROW_ID;
    List<NewRow> given = new ArrayList<>();
    Map<Long, String> values = new TreeMap<>();
    try (BufferAllocator allocator = new RootAllocator()) {
      Dataset dataset = table.open(allocator);
      long[] ids = OurRows.longs(dataset, "id");
      long[] keys = OurRows.longs(dataset, key);
      for (int i = 0; i < ids.length; i++) {
        if (table.random().nextInt(4) > 0) {
          NewRow row = table.row(valueOnly, ids[i]);
          values.put(ids[i], row.value(field.getName()));
          row.values().put(key, "" + keys[i]);
          given.add(row);
        }
      }
      Schema source = new Schema(List.of(Field.notNullable(key, LONG), field));
      try (VectorSchemaRoot batch = VectorSchemaRoot.create(source, allocator);
          RowSource rows = RowSource.of(batch)) {
        TurnTable.fill(batch, given);
        dataset.addColumns().given(rows);
      }
    }
    table
        .model()
        .addColumn(field.getName(), (id, old) -> values.getOrDefault(id, "null"), table.newest());
    return "our given " + field + " by " + key + " for " + values.size();
  }

  String drop() throws IOException {
    Optional<String> column = someColumn();
    if (column.isPresent()) {
      try (BufferAllocator allocator = new RootAllocator()) {
        table.open(allocator).change().dropColumns(List.of(column.get()));
      }
      table.model().dropColumn(column.get());
    }
    return "our drop of " + column;
  }

  String rename() throws IOException {
    Optional<String> column = someColumn();
    String name = fresh();
    if (column.isPresent()) {
      try (BufferAllocator allocator = new RootAllocator()) {
        table.open(allocator).change().renameColumn(column.get(), name);
      }
      table.model().renameColumn(column.get(), name);
    }
    return "our renaming of " + column + " to " + name;
  }

  /** The number goes, with its indices, and comes again as another field of the same name. */
  String replaceNumber() throws IOException {
    Field number = UpdateTables.SCHEMA.findField("n");
    try (BufferAllocator allocator = new RootAllocator()) {
      table.open(allocator).change().dropColumns(List.of("n"));
      table.open(allocator).addColumns().computed(number, "id % 50");
    }
    table.model().addColumn("n", (id, values) -> "" + id % 50, table.newest());
    return "our dropped and added n";
  }

  private Optional<String> someColumn() throws IOException {
    List<String> others = table.otherColumns();
    return others.isEmpty()
        ? Optional.empty()
        : Optional.of(others.get(table.random().nextInt(others.size())));
  }
}
