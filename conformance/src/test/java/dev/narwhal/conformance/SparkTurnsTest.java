package dev.narwhal.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.narwhal.iceberg.rowdelete.RowDeletes;
import dev.narwhal.iceberg.rowdelete.SetColumns;
import dev.narwhal.iceberg.rowdelete.maintenance.DeleteMaintenance;
import dev.narwhal.iceberg.rowdelete.plan.DeleteMode;
import dev.narwhal.iceberg.rowdelete.plan.NothingToDeleteException;
import dev.narwhal.iceberg.rowdelete.write.MergeClauses;
import dev.narwhal.iceberg.table.TableTarget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Spark and Narwhal take turns in changing the rows of one Iceberg table. After each turn Spark and
 * Iceberg's generic reader see the rows of a plain map, and rows keep the ids they were given.
 */
class SparkTurnsTest {
  private static final int STEPS = Integer.getInteger("narwhal.spark.steps", 8);

  @TempDir static Path folder;
  private static SparkJudge spark;

  @BeforeAll
  static void start() throws IOException {
    Path warehouse = Files.createDirectory(folder.resolve("warehouse"));
    spark = SparkJudge.start(warehouse, folder.resolve("spark.log"), "1g");
    spark.sql("CREATE NAMESPACE w.db");
  }

  @AfterAll
  static void stop() throws IOException {
    if (spark != null) {
      spark.close();
    }
  }

  @ParameterizedTest(name = "version {0}, {1} in Spark, partitioned by {2}")
  @CsvSource({
    "2, merge-on-read, part",
    "3, merge-on-read, part",
    "3, merge-on-read, ''",
    "3, copy-on-write, 'bucket(3, id)'"
  })
  void bothSeeTheRowsThatEitherLeft(int version, String mode, String partitioning)
      throws IOException {
    String given = System.getProperty("narwhal.spark.seed", "1");
    long seed = given.equals("random") ? new Random().nextLong() : Long.parseLong(given);
    String name = "w.db.turns" + Math.abs(Objects.hash(version, mode, partitioning));
    spark.sql(
        ("CREATE TABLE %s (id BIGINT NOT NULL, part INT, x DOUBLE, s STRING) USING iceberg %s"
                + " TBLPROPERTIES ('format-version'='%d', 'write.delete.mode'='%s',"
                + " 'write.update.mode'='%s', 'write.merge.mode'='%s')")
            .formatted(
                name,
                partitioning.isEmpty() ? "" : "PARTITIONED BY (" + partitioning + ")",
                version,
                mode,
                mode,
                mode));
    try (TableTarget target =
            TableTarget.at(
                folder
                    .resolve("warehouse")
                    .resolve(name.substring(2).replace('.', '/'))
                    .toString());
        BufferAllocator allocator = new RootAllocator()) {
      Turns turns =
          new Turns(name, target.load().orElseThrow(), version, new Random(seed), allocator);
      for (int step = 0; step < STEPS; step++) {
        String done = turns.step(step);
        turns.requireSameRows("seed %d, step %d: %s".formatted(seed, step, done));
      }
      assertThat(turns.changes).isGreaterThan(STEPS / 2);
    }
  }

  private record Row(long id, @Nullable Integer part, @Nullable Double x, @Nullable String s) {
    String sql() {
      return "(%d, CAST(%s AS INT), CAST(%s AS DOUBLE), CAST(%s AS STRING))"
          .formatted(id, part, x, s == null ? null : "'" + s + "'");
    }

    String text() {
      return id + " " + part + " " + x + " " + s;
    }
  }

  private record Filter(String where, Predicate<Row> rows) {}

  private static final class Turns {
    private final String name;
    private final Table table;
    private final int version;
    private final Random random;
    private final BufferAllocator allocator;
    private final TreeMap<Long, Row> model = new TreeMap<>();
    private final Map<Long, Long> rowIds = new TreeMap<>();
    private long nextId;
    private int changes;

    private Turns(String name, Table table, int version, Random random, BufferAllocator allocator) {
      this.name = name;
      this.table = table;
      this.version = version;
      this.random = random;
      this.allocator = allocator;
    }

    private String step(int step) throws IOException {
      if (step == 0 || model.size() < 10) {
        return append();
      }
      table.refresh();
      try {
        return step % 2 == 1 ? ours(random.nextInt(10)) : sparks(random.nextInt(10));
      } catch (NothingToDeleteException e) {
        return "nothing: " + e.getMessage();
      }
    }

    private String ours(int choice) throws IOException {
      RowDeletes deletes = new RowDeletes(table, allocator);
      DeleteMode mode =
          random.nextInt(3) == 0 ? DeleteMode.COPY_ON_WRITE : DeleteMode.MERGE_ON_READ;
      Filter filter = filter();
      String what = "our " + mode + " ";
      if (choice < 5) {
        deletes.prepareDelete(deletes.matcher(filter.where()), mode).commit();
        model.values().removeIf(filter.rows());
        what += "delete " + filter.where();
      } else if (choice < 7) {
        deletes
            .prepareUpdate(
                deletes.matcher(filter.where()),
                SetColumns.of(table.schema(), Map.of("part", "1", "s", "'ours'")),
                mode)
            .commit();
        updated(filter, 1, "ours");
        what += "update " + filter.where();
      } else if (choice == 7) {
        List<Row> source = source();
        deletes
            .prepareMerge(
                records(source),
                List.of("id"),
                MergeClauses.nothing()
                    .whenMatchedUpdate(
                        (old, row) -> true,
                        (old, row) -> {
                          for (int i = 0; i < row.size(); i++) {
                            old.set(i, row.get(i));
                          }
                        })
                    .whenNotMatchedInsert(),
                mode)
            .commit();
        source.forEach(row -> model.put(row.id(), row));
        what += "merge of " + source.size();
      } else if (choice == 8 || version > 2) {
        List<Row> rows = newRows(10);
        deletes.prepareOverwrite(deletes.matcher(filter.where()), records(rows), mode).commit();
        model.values().removeIf(filter.rows());
        rows.forEach(row -> model.put(row.id(), row));
        what += "overwrite " + filter.where();
      } else {
        what = equality(deletes);
      }
      changes++;
      return what;
    }

    private String equality(RowDeletes deletes) throws IOException {
      List<Row> keys = model.values().stream().filter(row -> row.id() % 6 == 2).toList();
      // both columns: the table is partitioned by the second
      deletes.prepareEqualityDelete(records(keys), Set.of(1, 2)).commit();
      model.values().removeAll(keys);
      requireSameRows("equality deletes");
      new DeleteMaintenance(table).prepareEqualityResolution().commit();
      return "equality deletes, resolved";
    }

    private String sparks(int choice) throws IOException {
      Filter filter = filter();
      changes++;
      if (choice < 4) {
        spark.sql("DELETE FROM " + name + " WHERE " + filter.where());
        model.values().removeIf(filter.rows());
        return "Spark's delete " + filter.where();
      }
      if (choice < 6) {
        spark.sql("UPDATE " + name + " SET part = 2, s = 'sparks' WHERE " + filter.where());
        updated(filter, 2, "sparks");
        return "Spark's update " + filter.where();
      }
      if (choice < 8) {
        List<Row> source = source();
        spark.sql(
            ("MERGE INTO %s t USING (SELECT * FROM VALUES %s AS v(id, part, x, s)) v"
                    + " ON t.id = v.id WHEN MATCHED THEN UPDATE SET *"
                    + " WHEN NOT MATCHED THEN INSERT *")
                .formatted(name, values(source)));
        source.forEach(row -> model.put(row.id(), row));
        return "Spark's merge of " + source.size();
      }
      return append();
    }

    private String append() throws IOException {
      List<Row> rows = newRows(40);
      spark.sql("INSERT INTO " + name + " VALUES " + values(rows));
      rows.forEach(row -> model.put(row.id(), row));
      return "Spark's append of " + rows.size();
    }

    private void updated(Filter filter, int part, String s) {
      model.replaceAll((id, row) -> filter.rows().test(row) ? new Row(id, part, row.x(), s) : row);
    }

    private static String values(List<Row> rows) {
      return rows.stream().map(Row::sql).collect(Collectors.joining(", "));
    }

    private List<Row> newRows(int most) {
      List<Row> rows = new ArrayList<>();
      for (int i = most / 2 + random.nextInt(most / 2); i > 0; i--) {
        rows.add(row(nextId++));
      }
      return rows;
    }

    /** Some rows that are there, and some that are not. */
    private List<Row> source() {
      List<Row> rows = newRows(4);
      model.keySet().stream().filter(id -> random.nextInt(5) == 0).forEach(id -> rows.add(row(id)));
      return rows;
    }

    private Row row(long id) {
      return new Row(
          id,
          random.nextInt(6) == 0 ? null : random.nextInt(3),
          random.nextInt(8) == 0 ? null : random.nextInt(100) / 4.0,
          random.nextInt(8) == 0 ? null : "s" + random.nextInt(5));
    }

    private List<Record> records(List<Row> rows) {
      List<Record> records = new ArrayList<>();
      for (Row row : rows) {
        Record record = GenericRecord.create(table.schema());
        record.set(0, row.id());
        record.set(1, row.part());
        record.set(2, row.x());
        record.set(3, row.s());
        records.add(record);
      }
      return records;
    }

    private Filter filter() {
      int k = random.nextInt(3);
      long id = random.nextLong(nextId + 1);
      return switch (random.nextInt(6)) {
        case 0 -> new Filter("id % 7 = " + k, row -> row.id() % 7 == k);
        case 1 -> new Filter("part = " + k, row -> Objects.equals(row.part(), k));
        case 2 -> new Filter("part IS NULL", row -> row.part() == null);
        case 3 ->
            new Filter(
                "part != " + k + " AND id < " + id,
                row -> row.part() != null && row.part() != k && row.id() < id);
        case 4 -> new Filter("x > 20.5", row -> row.x() != null && row.x() > 20.5);
        default ->
            new Filter(
                "s = 's" + k + "' OR x < 1.5",
                row -> Objects.equals(row.s(), "s" + k) || (row.x() != null && row.x() < 1.5));
      };
    }

    private void requireSameRows(String step) throws IOException {
      List<String> expected = model.values().stream().map(Row::text).toList();
      String columns = version > 2 ? "id, part, x, s, _row_id" : "id, part, x, s";
      List<String> seen = new ArrayList<>();
      for (JsonNode row : spark.sql("SELECT " + columns + " FROM " + name + " ORDER BY id")) {
        long id = row.get("id").longValue();
        seen.add(
            "%d %s %s %s"
                .formatted(
                    id, row.get("part").asText(), row.get("x").asText(), row.get("s").asText()));
        if (version > 2) {
          long rowId = row.get("_row_id").longValue();
          assertThat(rowIds.putIfAbsent(id, rowId)).as(step).isIn(null, rowId);
        }
      }
      rowIds.keySet().retainAll(model.keySet());
      assertThat(seen).as(step).isEqualTo(expected);
      assertThat(generic()).as(step).isEqualTo(expected);
    }

    private List<String> generic() throws IOException {
      table.refresh();
      TreeMap<Long, String> rows = new TreeMap<>();
      try (CloseableIterable<Record> records = IcebergGenerics.read(table).build()) {
        for (Record record : records) {
          rows.put(
              (Long) record.get(0),
              record.get(0) + " " + record.get(1) + " " + record.get(2) + " " + record.get(3));
        }
      }
      return List.copyOf(rows.values());
    }
  }
}
