package dev.narwhal.iceberg.rowdelete;

import static org.apache.iceberg.types.Types.NestedField.optional;
import static org.apache.iceberg.types.Types.NestedField.required;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.narwhal.iceberg.deletes.DamagedDeleteFileException;
import dev.narwhal.iceberg.rowdelete.plan.DeleteMode;
import dev.narwhal.iceberg.rowdelete.plan.RowDelete;
import dev.narwhal.iceberg.rowdelete.plan.RowDeletePlan;
import dev.narwhal.iceberg.rowdelete.plan.RowMatcher;
import dev.narwhal.lance.error.InvalidPredicateException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.puffin.PuffinFormatException;
import java.io.IOException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.PartitionKey;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.mapping.MappingUtil;
import org.apache.iceberg.mapping.NameMappingParser;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RowDeletePlanTest {
  private static final Schema SCHEMA =
      new Schema(
          required(1, "id", Types.LongType.get()),
          optional(2, "part", Types.IntegerType.get()),
          optional(3, "x", Types.DoubleType.get()));

  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void nothingLeaks() {
    allocator.close();
  }

  /** Ten rows a file: 0-9 of part 0, 10-19 of part 1, 20-29 of part null. */
  private static MemoryTable table(int formatVersion, PartitionSpec spec) {
    MemoryTable memory = MemoryTable.create(formatVersion, SCHEMA, spec, Map.of());
    memory.append(rows(memory, 0, 10, 0));
    memory.append(rows(memory, 10, 20, 1));
    memory.append(rows(memory, 20, 30, null));
    return memory;
  }

  private static List<Record> rows(MemoryTable memory, int from, int to, @Nullable Integer part) {
    return IntStream.range(from, to).mapToObj(i -> memory.record((long) i, part, i / 2.0)).toList();
  }

  private static MemoryTable partitioned(int formatVersion) {
    return table(formatVersion, PartitionSpec.builderFor(SCHEMA).identity("part").build());
  }

  private static MemoryTable unpartitioned(int formatVersion) {
    return table(formatVersion, PartitionSpec.unpartitioned());
  }

  private RowDeletes deletes(MemoryTable memory) {
    return new RowDeletes(memory.table, allocator);
  }

  private RowDeletePlan plan(MemoryTable memory, String where) throws IOException {
    RowDeletes deletes = deletes(memory);
    return deletes.planRowDeletes(deletes.matcher(where));
  }

  private static List<Long> positions(RowDeletePlan plan) {
    List<Long> positions = new ArrayList<>();
    plan.files().forEach(file -> file.positions().forEach(positions::add));
    return positions;
  }

  private static String lose(MemoryTable memory, int file) throws IOException {
    String location = memory.dataFiles().get(file).location();
    memory.files.deleteFile(location);
    return location;
  }

  @Test
  void aPlanTellsWhatMatchesAndWhatWasDeletedBefore() throws IOException {
    MemoryTable memory = unpartitioned(3);
    deletes(memory).delete(deletes(memory).matcher("id IN (3, 12)"), DeleteMode.MERGE_ON_READ);

    RowDeletePlan plan = plan(memory, "id < 13");

    assertThat(plan.snapshotId()).hasValue(memory.table.currentSnapshot().snapshotId());
    assertThat(plan.deletedRows()).hasValue(11);
    RowDelete whole = plan.files().get(0);
    assertThat(whole.positions().toArray()).containsExactly(0, 1, 2, 4, 5, 6, 7, 8, 9);
    assertThat(whole.existing().toArray()).containsExactly(3);
    assertThat(whole.liveRows()).hasValue(9);
    assertThat(whole.wholeFile()).isTrue();
    assertThat(whole.superseded()).hasSize(1);
    RowDelete partial = plan.files().get(1);
    assertThat(partial.positions().toArray()).containsExactly(0, 1);
    assertThat(partial.existing().toArray()).containsExactly(2);
    assertThat(partial.liveRows()).hasValue(9);
    assertThat(partial.wholeFile()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "id = 5 | 0",
        "id BETWEEN 12 AND 15 | 1",
        "x > 13.0 | 2",
        "id IN (1, 2) AND part = 0 | 0",
        "NOT (id >= 9) | 0",
        "x < 2 OR x = 3.5 | 0"
      })
  void filesThatStatisticsRuleOutAreNotRead(String where, int file) throws IOException {
    MemoryTable memory = unpartitioned(3);
    for (int other = 2; other >= 0; other--) {
      if (other != file) {
        lose(memory, other);
      }
    }
    assertThat(plan(memory, where).files()).hasSize(1);
  }

  @Test
  void filesThatThePartitionRulesOutAreNotRead() throws IOException {
    MemoryTable memory = partitioned(3);
    lose(memory, 2);
    lose(memory, 0);
    assertThat(positions(plan(memory, "part = 1 AND x * 2 = 14"))).containsExactly(4L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"part = 1", "part >= 1", "part != 0", "NOT (part = 0)", "part IN (1, 7)"})
  void aFileWhosePartitionSaysItAllIsTakenUnread(String where) throws IOException {
    MemoryTable memory = partitioned(3);
    String lost = lose(memory, 1);

    RowDeletePlan plan = plan(memory, where);

    assertThat(plan.files()).hasSize(1);
    assertThat(plan.files().get(0).dataFile().location()).isEqualTo(lost);
    assertThat(plan.files().get(0).wholeFile()).isTrue();
    assertThat(RowDeletes.deletedRowCount(plan)).hasValue(10);
  }

  @Test
  void aFileWhoseStatisticsSayItAllIsTakenUnread() throws IOException {
    MemoryTable memory = unpartitioned(3);
    lose(memory, 0);
    RowDeletePlan plan = plan(memory, "id < 10");
    assertThat(plan.files()).hasSize(1);
    assertThat(plan.deletedRows()).hasValue(10);
  }

  @ParameterizedTest
  @CsvSource({
    "part != 0, 10",
    "NOT (part = 0), 10",
    "part < 1, 10",
    "part NOT IN (0), 10",
    "part NOT IN (0; NULL), 0",
    "part != 0 OR id = 21, 11",
    "part IS NULL, 10",
    "part = NULL, 0",
    "NOT (part != 0 AND part != 1), 20"
  })
  void rowsForWhichTheConditionIsNullStay(String where, int matching) throws IOException {
    for (MemoryTable memory : List.of(partitioned(3), unpartitioned(3))) {
      assertThat(plan(memory, where.replace(';', ',')).deletedRows()).hasValue(matching);
    }
  }

  @Test
  void icebergExpressionsFollowTheSameLogic() throws IOException {
    for (MemoryTable memory : List.of(partitioned(3), unpartitioned(3))) {
      assertThat(count(memory, Expressions.notEqual("part", 0))).isEqualTo(10);
      assertThat(count(memory, Expressions.lessThan("part", 1))).isEqualTo(10);
      assertThat(count(memory, Expressions.not(Expressions.equal("part", 0)))).isEqualTo(10);
      assertThat(count(memory, Expressions.notIn("part", 0, 5))).isEqualTo(10);
      assertThat(count(memory, Expressions.isNull("part"))).isEqualTo(10);
      assertThat(count(memory, Expressions.alwaysTrue())).isEqualTo(30);
      assertThat(
              count(
                  memory,
                  Expressions.or(
                      Expressions.equal("x", 0.5),
                      Expressions.and(
                          Expressions.greaterThanOrEqual("id", 28L), Expressions.notNaN("x")))))
          .isEqualTo(3);
      assertThat(plan(memory, "FALSE").isEmpty()).isTrue();
    }
  }

  private long count(MemoryTable memory, Expression expression) throws IOException {
    RowDeletes deletes = deletes(memory);
    return deletes.planRowDeletes(deletes.matcher(expression)).deletedRows().orElseThrow();
  }

  @Test
  void nanIsAboveEveryNumberWhateverStatisticsSay() throws IOException {
    MemoryTable memory = MemoryTable.create(3, SCHEMA);
    memory.append(memory.record(0L, 0, Double.NaN), memory.record(1L, 0, 1.0));
    memory.append(memory.record(2L, 0, -0.0), memory.record(3L, 0, 0.0));

    assertThat(plan(memory, "x > 5").deletedRows()).hasValue(1);
    assertThat(plan(memory, "x < 5").deletedRows()).hasValue(3);
    assertThat(plan(memory, "x = 0.0").deletedRows()).hasValue(1);
    assertThat(plan(memory, "x < 0.0").deletedRows()).hasValue(1);
    assertThat(plan(memory, "x >= 0.0").deletedRows()).hasValue(3);
    assertThat(plan(memory, "isnan(x)").deletedRows()).hasValue(1);
  }

  @Test
  void everyTypeComparesAsTheColumnDoes() throws IOException {
    Schema schema =
        new Schema(
            required(1, "id", Types.LongType.get()),
            optional(2, "b", Types.BooleanType.get()),
            optional(3, "d", Types.DateType.get()),
            optional(4, "t", Types.TimestampType.withZone()),
            optional(5, "n", Types.DecimalType.of(9, 2)),
            optional(6, "s", Types.StringType.get()),
            optional(7, "bin", Types.BinaryType.get()),
            optional(8, "u", Types.UUIDType.get()),
            optional(9, "a.b", Types.IntegerType.get()),
            optional(10, "a", Types.StructType.of(optional(11, "c", Types.IntegerType.get()))));
    MemoryTable memory = MemoryTable.create(3, schema);
    java.util.UUID uuid = java.util.UUID.fromString("f79c3e09-677c-4bbd-a479-3f349cb785e7");
    memory.append(
        memory.record(
            1L,
            true,
            java.time.LocalDate.parse("2024-02-29"),
            OffsetDateTime.parse("2024-02-29T10:00:00.000001Z"),
            new java.math.BigDecimal("12.30"),
            "it's",
            java.nio.ByteBuffer.wrap(new byte[] {1, -1}),
            uuid,
            7,
            org.apache.iceberg.data.GenericRecord.create(schema.findType("a").asStructType())
                .copy(Map.of("c", 8))));
    memory.append(memory.record(2L, null, null, null, null, null, null, null, null, null));

    long micros = 1_709_200_800_000_001L;
    List<Expression> alike =
        List.of(
            Expressions.equal("b", true),
            Expressions.equal("d", "2024-02-29"),
            Expressions.equal("t", micros),
            Expressions.lessThanOrEqual("n", new java.math.BigDecimal("12.30")),
            Expressions.startsWith("s", "it'"),
            Expressions.in("s", "it's", "x"),
            Expressions.equal("bin", java.nio.ByteBuffer.wrap(new byte[] {1, -1})),
            Expressions.equal("u", uuid),
            Expressions.equal("a.c", 8));
    for (Expression expression : alike) {
      assertThat(count(memory, expression)).as(expression.toString()).isEqualTo(1);
      assertThat(count(memory, Expressions.not(expression))).as("not " + expression).isEqualTo(0);
    }
    assertThat(plan(memory, "`a.b` = 7 AND a.c = 8 AND s LIKE 'it%'").deletedRows()).hasValue(1);
    assertThat(plan(memory, "a.c = 7").deletedRows()).hasValue(0);
  }

  @Test
  void hiddenTransformsAndUnknownColumnsInFiltersAreRefusedByName() {
    MemoryTable memory = unpartitioned(3);
    RowDeletes deletes = deletes(memory);
    assertThatThrownBy(() -> deletes.matcher(Expressions.equal(Expressions.bucket("id", 16), 3)))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("bucket[16]");
    assertThatThrownBy(() -> deletes.matcher(Expressions.equal("nope", 3)))
        .isInstanceOf(ValidationException.class)
        .hasMessageContaining("nope");
    assertThatThrownBy(() -> deletes.matcher("nope = 3"))
        .isInstanceOf(InvalidPredicateException.class)
        .hasMessageContaining("nope");
    assertThatThrownBy(() -> deletes.matcher(Expressions.equal("id", "three")))
        .isInstanceOf(ValidationException.class);
  }

  @Test
  void tablesPartitionedByHiddenTransformsArePruned() throws IOException {
    MemoryTable memory =
        MemoryTable.create(
            3, SCHEMA, PartitionSpec.builderFor(SCHEMA).truncate("id", 10).build(), Map.of());
    memory.append(rows(memory, 0, 40, 0));
    assertThat(memory.dataFiles()).hasSize(4);
    lose(memory, 3);

    RowDeletePlan plan = plan(memory, "id < 20 AND id != 13");
    assertThat(plan.deletedRows()).hasValue(19);
    assertThat(plan.files()).hasSize(2);
  }

  @Test
  void positionsAreThoseOfTheFileWhateverRowGroupsArePruned_O18() throws IOException {
    MemoryTable memory =
        MemoryTable.create(
            3,
            SCHEMA,
            PartitionSpec.unpartitioned(),
            Map.of(
                "write.parquet.row-group-size-bytes", "1000",
                "write.parquet.row-group-check-min-record-count", "50",
                "write.parquet.row-group-check-max-record-count", "50"));
    memory.append(rows(memory, 0, 600, 0));
    deletes(memory).delete(deletes(memory).matcher("id = 505"), DeleteMode.MERGE_ON_READ);

    assertThat(positions(plan(memory, "id BETWEEN 503 AND 507")))
        .containsExactly(503L, 504L, 506L, 507L);

    deletes(memory)
        .delete(deletes(memory).matcher("id >= 203 AND id < 600"), DeleteMode.MERGE_ON_READ);
    assertThat(memory.ids()).hasSize(203).last().isEqualTo(202L);
  }

  @Test
  void filesWithoutFieldIdsAreReadThroughTheNameMapping() throws IOException {
    MemoryTable memory =
        MemoryTable.create(
            2,
            SCHEMA,
            PartitionSpec.unpartitioned(),
            Map.of(
                "schema.name-mapping.default",
                NameMappingParser.toJson(MappingUtil.create(SCHEMA)),
                "write.metadata.metrics.default",
                "none"));
    // the same names in another order, and no ids
    org.apache.avro.Schema avro =
        org.apache.avro.SchemaBuilder.record("r")
            .fields()
            .requiredDouble("x")
            .requiredInt("part")
            .requiredLong("id")
            .endRecord();
    String location = "memory:///table/data/foreign.parquet";
    long size;
    try (var writer =
        org.apache.parquet.avro.AvroParquetWriter.<org.apache.avro.generic.GenericRecord>builder(
                new OutputOfIceberg(memory.files.newOutputFile(location)))
            .withSchema(avro)
            .build()) {
      for (int i = 0; i < 10; i++) {
        var record = new org.apache.avro.generic.GenericData.Record(avro);
        record.put("x", i / 2.0);
        record.put("part", 0);
        record.put("id", (long) i);
        writer.write(record);
      }
    }
    size = memory.files.bytes(location).length;
    memory
        .table
        .newAppend()
        .appendFile(
            org.apache.iceberg.DataFiles.builder(PartitionSpec.unpartitioned())
                .withPath(location)
                .withFormat("parquet")
                .withFileSizeInBytes(size)
                .withRecordCount(10)
                .build())
        .commit();

    assertThat(positions(plan(memory, "id = 7"))).containsExactly(7L);
    deletes(memory).delete(deletes(memory).matcher("x >= 4"), DeleteMode.COPY_ON_WRITE);
    assertThat(memory.ids()).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L);
  }

  @Test
  void theCountIsAbsentWhereOnlyReadingCouldTell_O15_O58() throws IOException {
    MemoryTable memory = partitioned(2);
    PartitionKey zero = new PartitionKey(memory.table.spec(), SCHEMA);
    zero.set(0, 0);
    memory
        .table
        .newRowDelta()
        .addDeletes(
            new ForeignDeletes(memory)
                .equality(zero, List.of("id"), List.of(memory.record(5L, null, null))))
        .commit();

    assertThat(plan(memory, "part = 0").deletedRows()).isEmpty();
    assertThat(plan(memory, "id < 7").deletedRows()).hasValue(6);
    assertThat(plan(memory, "part = 1 AND id < 15").deletedRows()).hasValue(5);
  }

  @Test
  void countsComeFromVectorsWithoutReadingData_O15() throws IOException {
    MemoryTable memory = MemoryTable.create(3, SCHEMA);
    memory.append(rows(memory, 0, 1000, 0));
    deletes(memory).delete(deletes(memory).matcher("id % 10 = 3"), DeleteMode.MERGE_ON_READ);
    lose(memory, 0);
    assertThat(plan(memory, "id >= 0").deletedRows()).hasValue(900);
  }

  @Test
  void noVectorOfAFileWithoutAMatchIsRead() throws IOException {
    MemoryTable memory = unpartitioned(3);
    deletes(memory).delete(deletes(memory).matcher("id = 3"), DeleteMode.MERGE_ON_READ);
    deletes(memory).delete(deletes(memory).matcher("id = 13"), DeleteMode.MERGE_ON_READ);
    memory.files.forgetReads();

    assertThat(positions(plan(memory, "x * 2 = 14"))).containsExactly(4L);

    for (DeleteFile vector : memory.deletes()) {
      boolean ofTheSecond =
          memory.dataFiles().get(1).location().equals(vector.referencedDataFile());
      assertThat(memory.files.wasRead(vector.location())).isEqualTo(ofTheSecond);
    }
  }

  @Test
  void aPositionOutsideTheFileIsAnErrorThatNamesBothFiles_O21() throws IOException {
    MemoryTable memory = unpartitioned(2);
    DataFile file = memory.dataFiles().get(0);
    DeleteFile positions = new ForeignDeletes(memory).positions(List.of(file.location()), 10L);
    memory.table.newRowDelta().addDeletes(positions).commit();

    assertThatThrownBy(() -> plan(memory, "id = 3"))
        .isInstanceOf(DamagedDeleteFileException.class)
        .hasMessageContaining(file.location())
        .hasMessageContaining(positions.location())
        .hasMessageContaining("position 10");
  }

  @Test
  void aVectorThatIsAnotherFilesByTheFooterIsAnError() throws IOException {
    MemoryTable memory = unpartitioned(3);
    deletes(memory).delete(deletes(memory).matcher("id IN (3, 14)"), DeleteMode.MERGE_ON_READ);
    List<DeleteFile> vectors = memory.deletes();
    DeleteFile of = vectors.get(0);
    DeleteFile other = vectors.get(1);
    memory
        .table
        .newRowDelta()
        .validateFromSnapshot(memory.table.currentSnapshot().snapshotId())
        .removeDeletes(of)
        .addDeletes(
            FileMetadata.deleteFileBuilder(PartitionSpec.unpartitioned())
                .copy(of)
                .withContentOffset(other.contentOffset())
                .withContentSizeInBytes(other.contentSizeInBytes())
                .build())
        .commit();

    assertThatThrownBy(() -> plan(memory, "id = 7 OR id = 17"))
        .isInstanceOf(PuffinFormatException.class)
        .hasMessageContaining("by the footer")
        .hasMessageContaining(of.location());
  }

  @Test
  void missingDataFilesAreNamed() throws IOException {
    MemoryTable memory = unpartitioned(3);
    String lost = lose(memory, 0);
    List<String> before = memory.files.dataFiles();
    RowMatcher matcher = deletes(memory).matcher("id = 5");
    assertThatThrownBy(() -> deletes(memory).delete(matcher, DeleteMode.COPY_ON_WRITE))
        .isInstanceOf(NotFoundException.class)
        .hasMessageContaining(lost);
    assertThat(memory.files.dataFiles()).isEqualTo(before);
  }
}
