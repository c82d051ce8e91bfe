package dev.narwhal.iceberg.rowdelete;

import static java.util.Objects.requireNonNull;
import static org.apache.iceberg.types.Types.NestedField.optional;
import static org.apache.iceberg.types.Types.NestedField.required;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.narwhal.iceberg.rowdelete.commit.ChangeReport;
import dev.narwhal.iceberg.rowdelete.plan.DeleteMode;
import dev.narwhal.iceberg.rowdelete.plan.NothingToDeleteException;
import dev.narwhal.iceberg.rowdelete.plan.RowMatcher;
import dev.narwhal.iceberg.rowdelete.plan.RowOperation;
import dev.narwhal.iceberg.rowdelete.write.MergeClauses;
import dev.narwhal.lance.error.InvalidPredicateException;
import dev.narwhal.lance.error.PredicateEvaluationException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataOperations;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Overwrites, updates and merges. */
class RowChangesTest {
  private static final Schema SCHEMA =
      new Schema(
          required(1, "id", Types.LongType.get()), optional(2, "part", Types.IntegerType.get()));
  private static final PartitionSpec BY_PART =
      PartitionSpec.builderFor(SCHEMA).identity("part").build();

  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void nothingLeaks() {
    allocator.close();
  }

  private static List<Record> rows(MemoryTable memory, int from, int to, @Nullable Integer part) {
    return IntStream.range(from, to).mapToObj(i -> memory.record((long) i, part)).toList();
  }

  private RowDeletes deletes(MemoryTable memory) {
    return new RowDeletes(memory.table, allocator);
  }

  private RowMatcher where(MemoryTable memory, String where) {
    return deletes(memory).matcher(where);
  }

  /** 0-9 of part 0, 10-19 of part 1. */
  private static MemoryTable table(int formatVersion, Map<String, String> properties) {
    MemoryTable memory = MemoryTable.create(formatVersion, SCHEMA, BY_PART, properties);
    memory.append(rows(memory, 0, 10, 0));
    memory.append(rows(memory, 10, 20, 1));
    return memory;
  }

  @ParameterizedTest
  @CsvSource({"2, MERGE_ON_READ", "2, COPY_ON_WRITE", "3, MERGE_ON_READ", "3, COPY_ON_WRITE"})
  void anOverwriteDeletesAndAppendsInOneSnapshot(int formatVersion, DeleteMode mode)
      throws IOException {
    MemoryTable memory = table(formatVersion, Map.of());
    int before = memory.table.history().size();

    ChangeReport report =
        deletes(memory)
            .prepareOverwrite(where(memory, "id BETWEEN 8 AND 12"), rows(memory, 100, 103, 2), mode)
            .commit();

    assertThat(report.deletedRows()).hasValue(5);
    assertThat(report.counts().addedRows()).isEqualTo(3);
    assertThat(report.operation()).isEqualTo(DataOperations.OVERWRITE);
    assertThat(memory.ids()).hasSize(18).contains(100L, 7L, 13L).doesNotContain(8L, 12L);
    assertThat(memory.table.history()).hasSize(before + 1);
    assertThat(memory.deletes()).hasSize(mode == DeleteMode.MERGE_ON_READ ? 2 : 0);
  }

  @Test
  void anOverwriteIsCopyOnWriteWhateverThePropertiesSay() throws IOException {
    MemoryTable memory = table(3, Map.of("write.delete.mode", "merge-on-read"));
    deletes(memory).prepareOverwrite(where(memory, "id = 3"), rows(memory, 100, 101, 0)).commit();
    assertThat(memory.deletes()).isEmpty();
    assertThat(memory.ids()).hasSize(20);

    deletes(memory).prepareOverwrite(rows(memory, 200, 202, 0)).commit();
    assertThat(memory.ids()).containsExactly(200L, 201L);
  }

  @Test
  void anOverwriteOfNothingByNothingIsNothing() throws IOException {
    MemoryTable memory = table(3, Map.of());
    List<String> before = memory.files.dataFiles();
    RowMatcher none = where(memory, "id = 77");
    assertThatThrownBy(() -> deletes(memory).prepareOverwrite(none, List.of()))
        .isInstanceOf(NothingToDeleteException.class);
    assertThat(memory.files.dataFiles()).isEqualTo(before);
    ChangeReport report = deletes(memory).prepareOverwrite(none, rows(memory, 77, 78, 1)).commit();
    assertThat(report.operation()).isEqualTo(DataOperations.APPEND);
    assertThat(memory.ids()).hasSize(21);
  }

  @Test
  void aDynamicOverwriteOfAnEmptyPartitionedTableIsAnAppend_O27() throws IOException {
    MemoryTable memory = MemoryTable.create(2, SCHEMA, BY_PART, Map.of());
    ChangeReport report =
        deletes(memory).prepareDynamicPartitionOverwrite(rows(memory, 0, 3, 1)).commit();
    assertThat(report.operation()).isEqualTo(DataOperations.APPEND);
    assertThat(report.deletedRows()).hasValue(0);
    assertThat(memory.ids()).hasSize(3);
  }

  @Test
  void aDynamicOverwriteReplacesJustThePartitionsOfTheNewRows() throws IOException {
    MemoryTable memory = table(3, Map.of());
    memory.append(rows(memory, 20, 25, null));
    deletes(memory).delete(where(memory, "id = 15"), DeleteMode.MERGE_ON_READ);
    List<Record> rows = new ArrayList<>(rows(memory, 100, 102, 1));
    rows.addAll(rows(memory, 102, 103, null));

    ChangeReport report = deletes(memory).prepareDynamicPartitionOverwrite(rows).commit();

    assertThat(report.deletedRows()).hasValue(14);
    assertThat(memory.ids()).hasSize(13).contains(0L, 9L, 100L, 102L);
    assertThat(memory.deletes()).isEmpty();
  }

  @Test
  void filesOfAnOldSpecLoseJustTheRowsOfThosePartitions() throws IOException {
    MemoryTable memory = MemoryTable.create(3, SCHEMA);
    List<Record> mixed = new ArrayList<>(rows(memory, 0, 5, 0));
    mixed.addAll(rows(memory, 5, 10, 1));
    mixed.addAll(rows(memory, 10, 15, null));
    memory.append(mixed);
    memory.table.updateSpec().addField("part").addField(Expressions.bucket("id", 1)).commit();
    memory.append(rows(memory, 20, 25, 1));

    ChangeReport report =
        deletes(memory).prepareDynamicPartitionOverwrite(rows(memory, 100, 101, 1)).commit();

    assertThat(report.deletedRows()).hasValue(10);
    assertThat(memory.ids()).hasSize(11).contains(4L, 10L, 100L).doesNotContain(5L, 20L);
  }

  @ParameterizedTest
  @CsvSource({"2, MERGE_ON_READ", "2, COPY_ON_WRITE", "3, MERGE_ON_READ", "3, COPY_ON_WRITE"})
  void anUpdateMovesRowsToWhereTheyBelong_O25(int formatVersion, DeleteMode mode)
      throws IOException {
    Schema schema =
        new Schema(
            required(1, "id", Types.LongType.get()),
            optional(2, "at", Types.TimestampType.withoutZone()));
    MemoryTable memory =
        MemoryTable.create(
            formatVersion, schema, PartitionSpec.builderFor(schema).day("at").build(), Map.of());
    for (int i = 1; i <= 3; i++) {
      memory.append(memory.record((long) i, LocalDate.of(2024, 1, i).atTime(12, 0)));
    }

    ChangeReport report =
        deletes(memory)
            .prepareMerge(
                List.of(memory.record(2L, LocalDateTime.of(2024, 1, 3, 1, 0))),
                List.of("id"),
                MergeClauses.upsert(),
                mode)
            .commit();

    assertThat(report.deletedRows()).hasValue(1);
    assertThat(memory.rows())
        .containsExactly("[1, 2024-01-01T12:00]", "[2, 2024-01-03T01:00]", "[3, 2024-01-03T12:00]");
    assertThat(memory.dataFiles()).hasSize(3);
  }

  @ParameterizedTest
  @EnumSource(DeleteMode.class)
  void updatedRowsKeepTheirIdsAndTakeTheCommitsNumber_O31(DeleteMode mode) throws IOException {
    MemoryTable memory = MemoryTable.create(3, SCHEMA);
    memory.append(rows(memory, 0, 4, 0));
    Map<Object, List<Object>> before = memory.lineage();

    deletes(memory)
        .prepareUpdate(where(memory, "id = 1"), SetColumns.of(SCHEMA, Map.of("part", "7")), mode)
        .commit();

    Map<Object, List<Object>> after = memory.lineage();
    assertThat(after.values().stream().map(row -> row.get(0)))
        .containsExactlyInAnyOrder(0L, 1L, 2L, 3L);
    assertThat(after.get(1L)).containsExactly(Objects.requireNonNull(before.get(1L)).get(0), 2L);
    assertThat(after.get(2L)).isEqualTo(before.get(2L));
    assertThat(memory.rows()).contains("[1, 7]").hasSize(4);
  }

  @Test
  void mergesOfOneFileGrowOneVector_O3() throws IOException {
    MemoryTable memory = MemoryTable.create(3, SCHEMA);
    memory.append(rows(memory, 0, 50, 0));
    long[] sizes = {7, 14, 20};
    int from = 0;
    for (long size : sizes) {
      List<Record> source = rows(memory, from, (int) size, (int) size);
      deletes(memory)
          .prepareMerge(source, List.of("id"), MergeClauses.upsert(), DeleteMode.MERGE_ON_READ)
          .commit();
      from = (int) size;
      DataFile first = memory.dataFiles().get(0);
      assertThat(memory.deletes())
          .filteredOn(file -> first.location().equals(file.referencedDataFile()))
          .extracting(DeleteFile::recordCount)
          .containsExactly(size);
    }
    assertThat(memory.ids()).hasSize(50).doesNotHaveDuplicates();
    assertThat(memory.rows()).contains("[6, 7]", "[13, 14]", "[19, 20]", "[20, 0]");
  }

  @Test
  void eachOperationHasItsOwnMode_O8() throws IOException {
    MemoryTable memory =
        MemoryTable.create(
            3,
            SCHEMA,
            PartitionSpec.unpartitioned(),
            Map.of("write.delete.mode", "copy-on-write", "write.merge.mode", "merge-on-read"));
    memory.append(rows(memory, 1, 6, 0));

    ChangeReport report =
        deletes(memory)
            .prepareMerge(
                rows(memory, 2, 4, 0),
                List.of("id"),
                MergeClauses.nothing().whenMatchedDelete((target, source) -> true))
            .commit();

    assertThat(report.deletedRows()).hasValue(2);
    assertThat(report.dataFilesRewritten()).isZero();
    assertThat(memory.ids()).containsExactly(1L, 4L, 5L);

    report = deletes(memory).prepareDelete(where(memory, "id = 4")).commit();
    assertThat(report.dataFilesRewritten()).isEqualTo(1);
    report =
        deletes(memory)
            .prepareUpdate(where(memory, "id = 5"), SetColumns.of(SCHEMA, Map.of("part", "NULL")))
            .commit();
    assertThat(report.counts().deleteFilesAdded()).isZero();
    assertThat(memory.rows()).containsExactly("[1, 0]", "[5, null]");
  }

  @Test
  void modesAndIsolationLevelsThatNobodyKnowsAreRefused() {
    MemoryTable memory =
        table(3, Map.of("write.delete.mode", "merge", "write.update.isolation-level", "none"));
    assertThatThrownBy(() -> RowOperation.DELETE.mode(memory.table))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("write.delete.mode")
        .hasMessageContaining("merge-on-read, copy-on-write");
    assertThatThrownBy(() -> RowOperation.UPDATE.isolation(memory.table))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("write.update.isolation-level");
    assertThat(RowOperation.MERGE.mode(memory.table)).isEqualTo(DeleteMode.COPY_ON_WRITE);
  }

  @Test
  void aMergeRefusesTwoSourceRowsOfOneKeyAndTakesNullForNoKey() throws IOException {
    MemoryTable memory = table(3, Map.of());
    List<Record> twice = List.of(memory.record(3L, 1), memory.record(3L, 2));
    assertThatThrownBy(
            () -> deletes(memory).prepareMerge(twice, List.of("id"), MergeClauses.upsert()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("rows 0 and 1");

    memory.append(rows(memory, 30, 31, null));
    deletes(memory)
        .prepareMerge(List.of(memory.record(40L, null)), List.of("part"), MergeClauses.upsert())
        .commit();
    assertThat(memory.ids()).hasSize(22).contains(30L, 40L);
  }

  @ParameterizedTest
  @EnumSource(DeleteMode.class)
  void columnsOfFixedLengthAreSetToValuesThatFitThem(DeleteMode mode) throws IOException {
    Schema schema =
        new Schema(
            required(1, "Id", Types.LongType.get()),
            optional(2, "f", Types.FixedType.ofLength(3)),
            optional(3, "g", Types.FixedType.ofLength(3)),
            optional(4, "u", Types.UUIDType.get()),
            optional(5, "x", Types.FloatType.get()));
    MemoryTable memory = MemoryTable.create(2, schema);
    memory.append(memory.record(1L, null, new byte[] {7, 8, 9}, null, 0.5f));
    Map<String, String> set =
        Map.of("F", "X'010203'", "u", "X'00000000000000010000000000000002'", "x", "1e30");

    deletes(memory)
        .prepareUpdate(where(memory, "id = 1"), SetColumns.of(schema, set), mode)
        .commit();
    deletes(memory)
        .prepareUpdate(where(memory, "id = 1"), SetColumns.of(schema, Map.of("g", "f")), mode)
        .commit();

    try (CloseableIterable<Record> rows = IcebergGenerics.read(memory.table).build()) {
      assertThat(rows)
          .singleElement()
          .satisfies(
              row -> {
                assertThat(row.getField("f")).isEqualTo(new byte[] {1, 2, 3});
                assertThat(row.getField("g")).isEqualTo(new byte[] {1, 2, 3});
                assertThat(row.getField("u")).isEqualTo(new java.util.UUID(1, 2));
                assertThat(row.getField("x")).isEqualTo(1e30f);
              });
    }
    Map.of("f", "X'0102'", "g", "X'01020304'", "u", "X'00'", "x", "1e300")
        .forEach(
            (column, value) ->
                assertThatThrownBy(() -> SetColumns.of(schema, Map.of(column, value)))
                    .as(value)
                    .isInstanceOf(InvalidPredicateException.class)
                    .hasMessageContaining("column " + column));
    assertThatThrownBy(() -> SetColumns.of(schema, Map.of("ID", "1", "id", "2")))
        .isInstanceOf(InvalidPredicateException.class)
        .hasMessageContaining("set twice");
  }

  @Test
  void constantsTakeTheTypeOfTheirColumn() {
    Schema schema =
        new Schema(
            optional(1, "i", Types.IntegerType.get()),
            optional(2, "d", Types.DateType.get()),
            optional(3, "n", Types.DecimalType.of(9, 2)),
            optional(4, "b", Types.BooleanType.get()),
            optional(5, "f", Types.FloatType.get()),
            required(6, "s", Types.StringType.get()));
    Record record = org.apache.iceberg.data.GenericRecord.create(schema);
    try (BufferAllocator memory = new RootAllocator()) {
      SetColumns.of(
              schema,
              Map.of("i", "2 + 3", "d", "DATE '2024-02-29'", "n", "1.5", "f", "0.5", "s", "'x'"))
          .apply(List.of(record), "", memory);
    }
    assertThat(record.getField("i")).isEqualTo(5);
    assertThat(record.getField("d")).isEqualTo(LocalDate.of(2024, 2, 29));
    assertThat(record.getField("n")).isEqualTo(new BigDecimal("1.50"));
    assertThat(record.getField("f")).isEqualTo(0.5f);
    assertThat(record.getField("s")).isEqualTo("x");
    assertThatThrownBy(() -> SetColumns.of(schema, Map.of("s", "null")))
        .isInstanceOf(InvalidPredicateException.class)
        .hasMessageContaining("cannot be null");
    assertThatThrownBy(() -> SetColumns.of(schema, Map.of("i", "nosuch + 1")))
        .isInstanceOf(InvalidPredicateException.class)
        .hasMessageContaining("nosuch");
    assertThatThrownBy(() -> SetColumns.of(schema, Map.of("d", "b")))
        .isInstanceOf(InvalidPredicateException.class);
    assertThatThrownBy(() -> SetColumns.of(schema, Map.of("z", "1")))
        .isInstanceOf(InvalidPredicateException.class)
        .hasMessageContaining("no column z");
  }

  @Test
  void newRowsWithoutARequiredValueAreRefusedAndLeaveNothing() throws IOException {
    MemoryTable memory = table(3, Map.of());
    List<String> before = memory.files.dataFiles();
    List<Record> rows = List.of(memory.record(1L, 1), memory.record(null, 1));
    assertThatThrownBy(() -> deletes(memory).prepareOverwrite(rows))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("row 1")
        .hasMessageContaining("id");
    assertThat(memory.files.dataFiles()).isEqualTo(before);
  }

  @Test
  void version1TablesAreDeletedFromByRewritingOnly() throws IOException {
    MemoryTable memory = MemoryTable.create(1, SCHEMA);
    memory.append(rows(memory, 0, 10, 0));
    RowMatcher matcher = where(memory, "id = 3");
    assertThatThrownBy(() -> deletes(memory).delete(matcher, DeleteMode.MERGE_ON_READ))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("format version 1");
    deletes(memory).delete(matcher, DeleteMode.COPY_ON_WRITE);
    assertThat(memory.ids()).hasSize(9);
  }

  @Test
  void version4TablesGetVectors() throws IOException {
    MemoryTable memory = MemoryTable.create(4, SCHEMA);
    memory.append(rows(memory, 0, 10, 0));
    deletes(memory).delete(where(memory, "id = 3"), DeleteMode.MERGE_ON_READ);
    deletes(memory).delete(where(memory, "id = 4"), DeleteMode.COPY_ON_WRITE);
    assertThat(memory.ids()).hasSize(8);
  }

  @ParameterizedTest
  @EnumSource(DeleteMode.class)
  void valuesAreComputedFromTheRowsAsTheyWere(DeleteMode mode) throws IOException {
    Schema schema =
        new Schema(
            required(1, "id", Types.LongType.get()),
            optional(2, "a", Types.IntegerType.get()),
            optional(3, "b", Types.IntegerType.get()),
            optional(4, "s", Types.StringType.get()),
            optional(5, "d", Types.DecimalType.of(9, 2)),
            optional(6, "ts", Types.TimestampType.withZone()));
    MemoryTable memory = MemoryTable.create(3, schema);
    java.time.OffsetDateTime time = java.time.OffsetDateTime.parse("2026-02-03T04:05:06Z");
    List<Record> rows = new ArrayList<>();
    for (long id = 0; id < 3_000; id++) {
      rows.add(
          memory.record(
              id, id % 5 == 0 ? null : (int) id, 7, "s" + id, new BigDecimal("1.25"), time));
    }
    memory.append(rows);

    RowDeletes deletes = new RowDeletes(memory.table, allocator);
    ChangeReport report =
        deletes
            .prepareUpdate(
                deletes.matcher("id >= 1000"),
                SetColumns.of(
                    schema,
                    Map.of(
                        "a", "b",
                        "b", "a + 1",
                        "s", "upper(s) || '!'",
                        "d", "d * 2",
                        "ts", "ts")),
                mode)
            .commit();

    assertThat(report.counts().addedRows()).isEqualTo(2_000);
    Map<Object, Record> found = new HashMap<>();
    try (CloseableIterable<Record> records = IcebergGenerics.read(memory.table).build()) {
      records.forEach(record -> found.put(record.get(0), record.copy()));
    }
    assertThat(found).hasSize(3_000);
    for (long id = 0; id < 3_000; id++) {
      Integer a = id % 5 == 0 ? null : (int) id;
      Record expected =
          id < 1_000
              ? memory.record(id, a, 7, "s" + id, new BigDecimal("1.25"), time)
              : memory.record(
                  id, 7, a == null ? null : a + 1, "S" + id + "!", new BigDecimal("2.50"), time);
      assertThat(MemoryTable.text(requireNonNull(found.get(id)), schema))
          .isEqualTo(MemoryTable.text(expected, schema));
    }

    assertThatThrownBy(
            () ->
                deletes.prepareUpdate(
                    deletes.matcher("id > 5"), SetColumns.of(schema, Map.of("a", "1 / (id - 7)"))))
        .isInstanceOf(PredicateEvaluationException.class)
        .hasMessageContaining("division by zero")
        .hasMessageContaining(".parquet");
  }
}
