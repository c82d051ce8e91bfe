package dev.narwhal.iceberg.rowdelete;

import static org.apache.iceberg.types.Types.NestedField.optional;
import static org.apache.iceberg.types.Types.NestedField.required;
import static org.assertj.core.api.Assertions.assertThat;

import dev.narwhal.iceberg.rowdelete.commit.PreparedChange;
import dev.narwhal.iceberg.rowdelete.maintenance.DeleteMaintenance;
import dev.narwhal.iceberg.rowdelete.plan.DeleteMode;
import dev.narwhal.iceberg.rowdelete.plan.NothingToDeleteException;
import dev.narwhal.iceberg.rowdelete.write.MergeClauses;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.ContentFileUtil;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two hundred changes of one table, each checked against a plain list of rows by Iceberg's generic
 * reader. {@code -Dtest.seed=N} runs one seed again, {@code -Dtest.seeds=N} that many.
 */
class RandomHistoryTest {
  private static final Schema SCHEMA =
      new Schema(
          required(1, "id", Types.LongType.get()),
          optional(2, "part", Types.IntegerType.get()),
          optional(3, "x", Types.DoubleType.get()),
          optional(4, "s", Types.StringType.get()));
  private static final int STEPS = 200;

  private record Row(long id, @Nullable Integer part, @Nullable Double x, @Nullable String s) {
    String text() {
      return Arrays.asList((Object) id, part, x, s).toString();
    }
  }

  private record Filter(String where, Predicate<Row> rows) {}

  static LongStream seeds() {
    Long seed = Long.getLong("test.seed");
    return seed == null
        ? LongStream.range(0, Integer.getInteger("test.seeds", 1))
        : LongStream.of(seed);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void everyStepLeavesTheRowsOfThePlainList(long seed) throws IOException {
    try (BufferAllocator allocator = new RootAllocator()) {
      History history = new History(new Random(seed), allocator);
      for (int step = 0; step < STEPS; step++) {
        String done = history.step(step);
        assertThat(history.memory.rows())
            .as("seed %d, step %d: %s", seed, step, done)
            .isEqualTo(history.rows());
        history.requireOneVectorForEachFile();
      }
      assertThat(history.changes).isGreaterThan(STEPS / 2);
    }
  }

  private static final class History {
    private final Random random;
    private final BufferAllocator allocator;
    private final MemoryTable memory =
        MemoryTable.create(
            2,
            SCHEMA,
            PartitionSpec.unpartitioned(),
            Map.of("write.delete.granularity", "partition"));
    private final TreeMap<Long, Row> model = new TreeMap<>();
    private long nextId;
    private int changes;

    private History(Random random, BufferAllocator allocator) {
      this.random = random;
      this.allocator = allocator;
    }

    private RowDeletes deletes() {
      return new RowDeletes(memory.table, allocator);
    }

    private List<String> rows() {
      return model.values().stream().map(Row::text).sorted().toList();
    }

    private String step(int step) throws IOException {
      memory.table.refresh();
      if (step == STEPS / 2) {
        memory.table.updateProperties().set("format-version", "3").commit();
        return "upgrade";
      }
      int choice = random.nextInt(100);
      try {
        return choice < 25 || model.size() < 10
            ? append()
            : choice < 55
                ? delete()
                : choice < 62
                    ? overwrite()
                    : choice < 69
                        ? overwritePartitions()
                        : choice < 76
                            ? update()
                            : choice < 83
                                ? merge()
                                : choice < 90
                                    ? deleteByEquality()
                                    : choice < 95 ? evolve(step) : maintain();
      } catch (NothingToDeleteException e) {
        return "nothing: " + e.getMessage();
      }
    }

    private Row row(long id) {
      return new Row(
          id,
          random.nextInt(6) == 0 ? null : random.nextInt(3),
          random.nextInt(8) == 0 ? null : random.nextInt(100) / 4.0,
          random.nextInt(8) == 0 ? null : "s" + random.nextInt(5));
    }

    private List<Row> newRows(int most) {
      List<Row> rows = new ArrayList<>();
      for (int i = random.nextInt(most) + 1; i > 0; i--) {
        rows.add(row(nextId++));
      }
      return rows;
    }

    private List<Record> records(List<Row> rows) {
      return rows.stream()
          .map(row -> memory.record(row.id(), row.part(), row.x(), row.s()))
          .toList();
    }

    private String append() {
      List<Row> rows = newRows(30);
      memory.append(records(rows));
      rows.forEach(row -> model.put(row.id(), row));
      return "append " + rows.size();
    }

    private Filter filter() {
      int k = random.nextInt(3);
      int c = random.nextInt(25);
      long id = random.nextLong(nextId + 1);
      return switch (random.nextInt(10)) {
        case 0 -> new Filter("id % 7 = " + k, row -> row.id() % 7 == k);
        case 1 -> new Filter("part = " + k, row -> Objects.equals(row.part(), k));
        case 2 -> new Filter("part IS NULL", row -> row.part() == null);
        case 3 ->
            new Filter(
                "part != " + k + " AND id < " + id,
                row -> row.part() != null && row.part() != k && row.id() < id);
        case 4 ->
            new Filter(
                "id BETWEEN " + (id - 10) + " AND " + id,
                row -> row.id() >= id - 10 && row.id() <= id);
        case 5 -> new Filter("x > " + (c + 15), row -> row.x() != null && row.x() > c + 15);
        case 6 ->
            new Filter(
                "s = 's" + k + "' OR x < 1.5",
                row -> Objects.equals(row.s(), "s" + k) || (row.x() != null && row.x() < 1.5));
        case 7 ->
            new Filter(
                "NOT (part = " + k + " OR id % 3 != 0)",
                row -> row.part() != null && row.part() != k && row.id() % 3 == 0);
        case 8 ->
            new Filter(
                "part IN (0, " + k + ") AND s IS NULL",
                row ->
                    row.part() != null && (row.part() == 0 || row.part() == k) && row.s() == null);
        default -> new Filter("id = " + id, row -> row.id() == id);
      };
    }

    private DeleteMode mode() {
      return random.nextInt(3) == 0 ? DeleteMode.COPY_ON_WRITE : DeleteMode.MERGE_ON_READ;
    }

    private String delete() throws IOException {
      Filter filter = filter();
      DeleteMode mode = mode();
      PreparedChange change = deletes().prepareDelete(deletes().matcher(filter.where()), mode);
      long expected = model.values().stream().filter(filter.rows()).count();
      if (change.counts().deletedRows().isPresent()) {
        assertThat(change.counts().deletedRows()).as(filter.where()).hasValue(expected);
      }
      change.commit();
      model.values().removeIf(filter.rows());
      changes++;
      return mode + " delete " + filter.where();
    }

    private String overwrite() throws IOException {
      Filter filter = random.nextInt(4) == 0 ? new Filter("TRUE", row -> true) : filter();
      DeleteMode mode = mode();
      List<Row> rows = newRows(20);
      deletes().prepareOverwrite(deletes().matcher(filter.where()), records(rows), mode).commit();
      model.values().removeIf(filter.rows());
      rows.forEach(row -> model.put(row.id(), row));
      changes++;
      return mode + " overwrite " + filter.where();
    }

    /** Partitions are those of the table's spec by now. */
    private String overwritePartitions() throws IOException {
      List<Row> rows = newRows(3);
      PartitionSpec spec = memory.table.spec();
      deletes().prepareDynamicPartitionOverwrite(records(rows)).commit();
      Set<String> partitions = new TreeSet<>();
      rows.forEach(row -> partitions.add(partition(spec, row)));
      model.values().removeIf(row -> partitions.contains(partition(spec, row)));
      rows.forEach(row -> model.put(row.id(), row));
      changes++;
      return "overwrite of partitions " + partitions;
    }

    private String partition(PartitionSpec spec, Row row) {
      org.apache.iceberg.PartitionKey key =
          new org.apache.iceberg.PartitionKey(spec, memory.table.schema());
      key.partition(
          new org.apache.iceberg.data.InternalRecordWrapper(SCHEMA.asStruct())
              .wrap(records(List.of(row)).get(0)));
      return key.toString();
    }

    private String update() throws IOException {
      Filter filter = filter();
      DeleteMode mode = mode();
      int part = random.nextInt(3);
      deletes()
          .prepareUpdate(
              deletes().matcher(filter.where()),
              SetColumns.of(
                  memory.table.schema(), Map.of("part", Integer.toString(part), "s", "'new'")),
              mode)
          .commit();
      model.replaceAll(
          (id, row) -> filter.rows().test(row) ? new Row(id, part, row.x(), "new") : row);
      changes++;
      return mode + " update " + filter.where();
    }

    private String merge() throws IOException {
      DeleteMode mode = mode();
      List<Row> source = newRows(5);
      for (long id : model.keySet()) {
        if (random.nextInt(5) == 0) {
          source.add(row(id));
        }
      }
      deletes()
          .prepareMerge(
              records(source),
              List.of("id"),
              MergeClauses.nothing()
                  .whenMatchedDelete((target, row) -> row.getField("s") == null)
                  .whenMatchedUpdate(
                      (target, row) -> true,
                      (target, row) -> {
                        for (int i = 0; i < row.size(); i++) {
                          target.set(i, row.get(i));
                        }
                      })
                  .whenNotMatchedInsert(),
              mode)
          .commit();
      for (Row row : source) {
        if (model.containsKey(row.id()) && row.s() == null) {
          model.remove(row.id());
        } else {
          model.put(row.id(), row);
        }
      }
      changes++;
      return mode + " merge of " + source.size();
    }

    private String deleteByEquality() throws IOException {
      List<Row> keys = new ArrayList<>();
      Set<Integer> ids = random.nextBoolean() ? Set.of(1) : Set.of(2, 4);
      for (Row row : model.values()) {
        if (random.nextInt(15) == 0) {
          keys.add(row);
        }
      }
      try {
        deletes().prepareEqualityDelete(records(keys), ids).commit();
      } catch (UnsupportedFeatureException e) {
        return "refused: " + e.getMessage();
      }
      model
          .values()
          .removeIf(
              row ->
                  keys.stream()
                      .anyMatch(
                          key ->
                              ids.contains(1)
                                  ? key.id() == row.id()
                                  : Objects.equals(key.part(), row.part())
                                      && Objects.equals(key.s(), row.s())));
      changes++;
      return "delete by equality of " + ids;
    }

    private String evolve(int step) {
      PartitionSpec spec = memory.table.spec();
      var update = memory.table.updateSpec();
      spec.fields().stream()
          .filter(field -> !field.transform().isVoid())
          .forEach(field -> update.removeField(field.name()));
      String to =
          switch (random.nextInt(3)) {
            case 0 -> {
              update.addField("by_part_" + step, Expressions.ref("part"));
              yield "part";
            }
            case 1 -> {
              update.addField("by_id_" + step, Expressions.bucket("id", 3));
              yield "bucket";
            }
            default -> "nothing";
          };
      update.commit();
      return "evolve to " + to;
    }

    private String maintain() throws IOException {
      DeleteMaintenance maintenance = new DeleteMaintenance(memory.table);
      changes++;
      switch (random.nextInt(3)) {
        case 0 -> {
          maintenance.prepareEqualityResolution().commit();
          return "resolution";
        }
        case 1 -> {
          maintenance.prepareDanglingRemoval().commit();
          return "removal of dangling deletes";
        }
        default -> {
          if (TableUtil.formatVersion(memory.table) < 3) {
            return "no fold yet";
          }
          maintenance.prepareFold().commit();
          return "fold";
        }
      }
    }

    private void requireOneVectorForEachFile() throws IOException {
      if (memory.table.currentSnapshot() != null) {
        assertThat(memory.deletes().stream().filter(ContentFileUtil::isDV))
            .extracting(DeleteFile::referencedDataFile)
            .doesNotHaveDuplicates();
      }
    }
  }
}
