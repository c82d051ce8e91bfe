package dev.narwhal.conformance;

import dev.narwhal.conformance.TableModel.NewRow;
import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.write.insert.InsertOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * A table that Narwhal and real Lance take turns on, with the columns of {@link UpdateTables} and
 * others, beside a model of its rows; both are the same after each step.
 *
 * @param version of its data files
 */
record TurnTable(Path path, String version, boolean stable, TableModel model, Random random) {
  /** A predicate on ids that a few rows meet. */
  record Where(int modulus, int rest) implements LongPredicate {
    static Where some(Random random) {
      int modulus = 3 + random.nextInt(12);
      return new Where(modulus, random.nextInt(modulus));
    }

    @Override
    public boolean test(long id) {
      return id % modulus == rest;
    }

    /** As SQL. */
    @Override
    public String toString() {
      return "id % " + modulus + " = " + rest;
    }
  }

  /** One that real Lance makes. */
  static TurnTable createdByLance(
      Path path, String version, boolean stable, int rows, Random random) {
    TurnTable table = new TurnTable(path, version, stable, new TableModel(stable), random);
    List<NewRow> fresh = table.freshRows(UpdateTables.SCHEMA, rows);
    table
        .writer()
        .create(UpdateTables.SCHEMA, List.of(rows), (batch, fragment, count) -> fill(batch, fresh));
    table.model.append(fresh, names(UpdateTables.SCHEMA), 1);
    return table;
  }

  /** One that Narwhal makes, of small fragments. */
  static TurnTable created(Path path, String version, boolean stable, int rows, Random random)
      throws IOException {
    TurnTable table = new TurnTable(path, version, stable, new TableModel(stable), random);
    List<NewRow> fresh = table.freshRows(UpdateTables.SCHEMA, rows);
    InsertOptions options = InsertOptions.standard().withMaxRowsPerFile(rows / 3);
    OurInsert.into(path)
        .withOptions(stable ? options.withStableRowIds() : options)
        .create(version, UpdateTables.SCHEMA, rows, (batch, fragment, count) -> fill(batch, fresh));
    table.model.append(fresh, names(UpdateTables.SCHEMA), 1);
    return table;
  }

  JudgeWriter writer() {
    return new JudgeWriter(path, version, stable);
  }

  Dataset open(BufferAllocator allocator) throws IOException {
    return Dataset.open(path.toString(), allocator);
  }

  long newest() throws IOException {
    try (BufferAllocator allocator = new RootAllocator()) {
      return open(allocator).version();
    }
  }

  /** The columns of the newest version. */
  Schema schema() throws IOException {
    try (BufferAllocator allocator = new RootAllocator()) {
      return open(allocator).arrowSchema();
    }
  }

  static List<String> names(Schema schema) {
    return schema.getFields().stream().map(Field::getName).toList();
  }

  /** Columns that are not those of each table. */
  List<String> otherColumns() throws IOException {
    List<String> names = new ArrayList<>(names(schema()));
    names.removeAll(List.of("id", "n", "t"));
    return names;
  }

  /** Some rows to append. */
  List<NewRow> freshRows(Schema schema, int count) {
    long first = model.freshIds(count);
    List<NewRow> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(row(schema, first + i));
    }
    return rows;
  }

  /** A row of random values. */
  NewRow row(Schema schema, long id) {
    TreeMap<String, String> values = new TreeMap<>();
    for (Field field : schema.getFields()) {
      if (!field.getName().equals("id")) {
        boolean none = field.isNullable() && random.nextInt(6) == 0;
        values.put(field.getName(), none ? "null" : value(field.getType()));
      }
    }
    return new NewRow(id, values);
  }

  private String value(ArrowType type) {
    if (type instanceof ArrowType.Utf8) {
      return "text " + random.nextInt(1000);
    }
    return type instanceof ArrowType.FloatingPoint
        ? "" + random.nextInt(1000) / 4.0
        : "" + random.nextInt(200);
  }

  /** Gives the batch the rows' values in its columns. */
  static void fill(VectorSchemaRoot batch, List<NewRow> rows) {
    for (FieldVector vector : batch.getFieldVectors()) {
      vector.clear();
      vector.allocateNew();
      for (int i = 0; i < rows.size(); i++) {
        String value = rows.get(i).value(vector.getName());
        if (!value.equals("null")) {
          set(vector, i, value);
        }
      }
      vector.setValueCount(rows.size());
    }
    batch.setRowCount(rows.size());
  }

  private static void set(FieldVector vector, int row, String value) {
    if (vector instanceof BigIntVector longs) {
      longs.setSafe(row, Long.parseLong(value));
    } else if (vector instanceof IntVector ints) {
      ints.setSafe(row, Integer.parseInt(value));
    } else if (vector instanceof Float8Vector doubles) {
      doubles.setSafe(row, Double.parseDouble(value));
    } else {
      ((VarCharVector) vector).setSafe(row, value.getBytes(StandardCharsets.UTF_8));
    }
  }
}
