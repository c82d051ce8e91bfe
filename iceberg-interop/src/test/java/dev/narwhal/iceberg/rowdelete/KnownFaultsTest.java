package dev.narwhal.iceberg.rowdelete;

import static org.apache.iceberg.types.Types.NestedField.optional;
import static org.apache.iceberg.types.Types.NestedField.required;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.narwhal.iceberg.deletes.DeletionVectorFile;
import dev.narwhal.iceberg.deletes.PositionDeleteFiles;
import dev.narwhal.iceberg.rowdelete.commit.ChangeReport;
import dev.narwhal.iceberg.rowdelete.plan.DeleteMode;
import dev.narwhal.iceberg.rowdelete.plan.RowDeletePlan;
import dev.narwhal.puffin.DvPuffinReader;
import dev.narwhal.puffin.PositionSet;
import dev.narwhal.puffin.PuffinFormatException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataOperations;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Scenarios of public bug reports, each by its number in the list of known faults. */
class KnownFaultsTest {
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

  private static MemoryTable table(int formatVersion, PartitionSpec spec) {
    return MemoryTable.create(formatVersion, SCHEMA, spec, Map.of());
  }

  private static List<Record> rows(MemoryTable memory, int from, int to, @Nullable Integer part) {
    return IntStream.range(from, to).mapToObj(i -> memory.record((long) i, part)).toList();
  }

  private ChangeReport delete(MemoryTable memory, String where, DeleteMode mode)
      throws IOException {
    RowDeletes deletes = new RowDeletes(memory.table, allocator);
    return deletes.delete(deletes.matcher(where), mode);
  }

  private static List<Object> ids(long... ids) {
    return LongStream.of(ids).boxed().map(Object.class::cast).toList();
  }

  @Test
  void consecutiveDeletesOfOneFileLeaveOneVector_O1() throws IOException {
    MemoryTable memory = table(3, PartitionSpec.unpartitioned());
    memory.append(rows(memory, 1, 6, 0));

    delete(memory, "id = 1", DeleteMode.MERGE_ON_READ);
    delete(memory, "id = 2", DeleteMode.MERGE_ON_READ);

    assertThat(memory.deletes()).extracting(DeleteFile::recordCount).containsExactly(2L);
    assertThat(memory.ids()).isEqualTo(ids(3, 4, 5));
  }

  @Test
  void vectorsThatShareAFileAreThreeAndGoOneByOne_O4() throws IOException {
    MemoryTable memory = table(3, PartitionSpec.unpartitioned());
    for (int i = 0; i < 3; i++) {
      memory.append(rows(memory, 10 * i, 10 * i + 10, 0));
    }
    delete(memory, "id IN (1, 11, 21)", DeleteMode.MERGE_ON_READ);
    assertThat(memory.deletes()).hasSize(3);
    assertThat(memory.deletes())
        .extracting(DeleteFile::location)
        .containsOnly(memory.deletes().get(0).location());

    ChangeReport report = delete(memory, "id = 12", DeleteMode.MERGE_ON_READ);

    assertThat(report.deleteFilesRemoved()).isEqualTo(1);
    assertThat(memory.deletes()).hasSize(3);
    assertThat(memory.ids()).hasSize(26);
  }

  @ParameterizedTest
  @EnumSource(DeleteMode.class)
  void aFileThatGoesTakesItsVectorAlong_O6(DeleteMode mode) throws IOException {
    MemoryTable memory = table(3, BY_PART);
    memory.append(rows(memory, 0, 10, 0));
    delete(memory, "id = 4", DeleteMode.MERGE_ON_READ);

    delete(memory, "part = 0", mode);

    assertThat(memory.ids()).isEmpty();
    assertThat(memory.deletes()).isEmpty();
    assertThat(memory.dataFiles()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"2, MERGE_ON_READ", "2, COPY_ON_WRITE", "3, MERGE_ON_READ", "3, COPY_ON_WRITE"})
  void deletesWorkInPartitionedTables_O19(int formatVersion, DeleteMode mode) throws IOException {
    MemoryTable memory = table(formatVersion, BY_PART);
    memory.append(memory.record(1L, 1), memory.record(2L, 1), memory.record(3L, null));

    delete(memory, "id = 1", mode);

    assertThat(memory.rows()).containsExactly("[2, 1]", "[3, null]");
  }

  @Test
  void positionsOutsideTheFileAreNeverWritten_O21() throws IOException {
    MemoryTable memory = table(3, PartitionSpec.unpartitioned());
    memory.append(rows(memory, 0, 10, 0));
    DataFile file = memory.dataFiles().get(0);
    try (DeletionVectorFile out =
        new DeletionVectorFile(
            memory.files.newOutputFile("memory:///table/data/x.puffin"), memory.table.specs())) {
      for (long position : new long[] {10, Long.MAX_VALUE}) {
        PositionSet positions = PositionSet.of(position);
        assertThatThrownBy(() -> out.add(file, positions))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("10 rows");
      }
    }
    try (PositionDeleteFiles out = new PositionDeleteFiles(memory.table, memory.files)) {
      for (long position : new long[] {-1, 10, Long.MAX_VALUE}) {
        assertThatThrownBy(() -> out.add(file, position))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("10 rows");
      }
    }
  }

  @Test
  void aDeleteByEqualityDoesNotReachRowsOfItsOwnCommit_O23() throws IOException {
    MemoryTable memory = table(2, PartitionSpec.unpartitioned());
    memory.append(rows(memory, 0, 10, 0));
    memory
        .table
        .newRowDelta()
        .addRows(memory.write(memory.table.spec(), null, rows(memory, 4, 5, 1)))
        .addDeletes(new ForeignDeletes(memory).equality(null, List.of("id"), rows(memory, 4, 5, 0)))
        .commit();

    RowDeletes deletes = new RowDeletes(memory.table, allocator);
    RowDeletePlan plan = deletes.planRowDeletes(deletes.matcher("id BETWEEN 3 AND 5"));
    assertThat(plan.deletedRows()).hasValue(3);
    delete(memory, "id = 3", DeleteMode.COPY_ON_WRITE);

    assertThat(memory.rows()).hasSize(9).contains("[4, 1]").doesNotContain("[4, 0]");
  }

  @Test
  void equalityDeletesThatTheFilterRulesOutCountInARewrite() throws IOException {
    MemoryTable memory = table(2, PartitionSpec.unpartitioned());
    memory.append(rows(memory, 0, 10, 0));
    memory
        .table
        .newRowDelta()
        .addDeletes(new ForeignDeletes(memory).equality(null, List.of("id"), rows(memory, 7, 8, 0)))
        .commit();

    delete(memory, "id = 5", DeleteMode.COPY_ON_WRITE);

    assertThat(memory.ids()).isEqualTo(ids(0, 1, 2, 3, 4, 6, 8, 9));
  }

  @Test
  void aRewriteAfterSpecEvolutionKeepsSpecsApartAndDropsItsDeletes_O26() throws IOException {
    MemoryTable memory = table(2, PartitionSpec.unpartitioned());
    memory.append(rows(memory, 0, 10, 1));
    delete(memory, "id = 3", DeleteMode.MERGE_ON_READ);
    memory.table.updateSpec().addField("part").commit();
    memory.append(rows(memory, 10, 20, 1));

    ChangeReport report = delete(memory, "id IN (5, 15)", DeleteMode.COPY_ON_WRITE);

    assertThat(report.counts().dataFilesAdded()).isEqualTo(2);
    assertThat(report.dataFilesRewritten()).isEqualTo(2);
    assertThat(report.deleteFilesRemoved()).isEqualTo(1);
    assertThat(memory.deletes()).isEmpty();
    assertThat(memory.dataFiles()).extracting(DataFile::specId).containsExactlyInAnyOrder(0, 1);
    assertThat(memory.ids()).hasSize(17);
  }

  @Test
  void aSharedPositionFileStaysWhileItDeletesFromAnotherFile_O28() throws IOException {
    MemoryTable memory = table(2, PartitionSpec.unpartitioned());
    memory.append(rows(memory, 0, 10, 0));
    memory.append(rows(memory, 10, 20, 0));
    memory
        .table
        .newRowDelta()
        .addDeletes(
            new ForeignDeletes(memory)
                .positions(memory.dataFiles().stream().map(DataFile::location).toList(), 0, 1))
        .commit();
    memory.table.updateProperties().set("format-version", "3").commit();

    delete(memory, "id = 5", DeleteMode.MERGE_ON_READ);

    assertThat(memory.deletes())
        .extracting(DeleteFile::recordCount)
        .containsExactlyInAnyOrder(3L, 4L);
    assertThat(memory.ids()).hasSize(15).doesNotContain(0L, 1L, 5L, 10L, 11L);
  }

  @Test
  void planningFindsAFilesDeletesByItsPath_O51() throws IOException {
    MemoryTable memory = table(3, PartitionSpec.unpartitioned());
    for (int i = 0; i < 40; i++) {
      memory.append(rows(memory, 10 * i, 10 * i + 10, 0));
    }
    delete(memory, "id % 10 = 3", DeleteMode.MERGE_ON_READ);

    RowDeletes deletes = new RowDeletes(memory.table, allocator);
    RowDeletePlan plan = deletes.planRowDeletes(deletes.matcher("id % 10 = 4"));

    assertThat(plan.files()).hasSize(40);
    assertThat(plan.files()).allSatisfy(file -> assertThat(file.task().deletes()).hasSize(1));
  }

  @Test
  void vectorsAreWhereTheManifestAndTheFooterSay_O54() throws IOException {
    MemoryTable memory = table(3, BY_PART);
    memory.append(rows(memory, 0, 10, 0));
    memory.append(rows(memory, 10, 20, 1));

    delete(memory, "id IN (3, 14, 15)", DeleteMode.MERGE_ON_READ);

    for (DeleteFile vector : memory.deletes()) {
      assertThat(new DvPuffinReader(memory.files.newInputFile(vector.location())).entries())
          .anySatisfy(
              entry -> {
                assertThat(entry.offset()).isEqualTo(vector.contentOffset());
                assertThat(entry.length()).isEqualTo(vector.contentSizeInBytes());
                assertThat(entry.referencedDataFile()).isEqualTo(vector.referencedDataFile());
                assertThat(entry.cardinality()).isEqualTo(vector.recordCount());
              });
      DataFile file =
          memory.dataFiles().stream()
              .filter(each -> each.location().equals(vector.referencedDataFile()))
              .findFirst()
              .orElseThrow();
      assertThat(vector.specId()).isEqualTo(file.specId());
      assertThat(vector.partition()).isEqualTo(file.partition());
      assertThat(vector.fileSizeInBytes()).isEqualTo(memory.files.bytes(vector.location()).length);
    }
  }

  @ParameterizedTest
  @CsvSource({"4, 2147483647", "2147483647, 40", "-1, 40", "4, 9223372036854775807"})
  void rangesAreCheckedBeforeTheyAreAllocated_O55(long offset, long size) throws IOException {
    MemoryTable memory = table(3, PartitionSpec.unpartitioned());
    memory.append(rows(memory, 0, 10, 0));
    delete(memory, "id = 3", DeleteMode.MERGE_ON_READ);
    DeleteFile vector = memory.deletes().get(0);
    memory
        .table
        .newRowDelta()
        .validateFromSnapshot(memory.table.currentSnapshot().snapshotId())
        .removeDeletes(vector)
        .addDeletes(
            FileMetadata.deleteFileBuilder(PartitionSpec.unpartitioned())
                .copy(vector)
                .withContentOffset(offset)
                .withContentSizeInBytes(size)
                .build())
        .commit();
    List<String> before = memory.files.dataFiles();

    assertThatThrownBy(() -> delete(memory, "id = 5", DeleteMode.MERGE_ON_READ))
        .isInstanceOf(PuffinFormatException.class)
        .hasMessageContaining(vector.location());

    assertThat(memory.files.dataFiles()).isEqualTo(before);
  }

  @Test
  void aDeleteSaysDelete_O59() throws IOException {
    for (int formatVersion = 2; formatVersion <= 3; formatVersion++) {
      MemoryTable memory = table(formatVersion, PartitionSpec.unpartitioned());
      memory.append(rows(memory, 0, 10, 0));
      memory.append(rows(memory, 10, 20, 0));

      ChangeReport report = delete(memory, "id IN (3, 13)", DeleteMode.MERGE_ON_READ);
      assertThat(report.operation()).isEqualTo(DataOperations.DELETE);
      // a whole file and a part of another
      report = delete(memory, "id < 12", DeleteMode.MERGE_ON_READ);
      assertThat(report.operation()).isEqualTo(DataOperations.DELETE);
      // only whole files
      report = delete(memory, "id < 20", DeleteMode.COPY_ON_WRITE);
      assertThat(report.operation()).isEqualTo(DataOperations.DELETE);
    }
  }

  @Test
  void theTableKeepsItsUuid_O60() throws IOException {
    MemoryTable memory = table(3, PartitionSpec.unpartitioned());
    UUID before = memory.table.uuid();
    memory.append(rows(memory, 0, 10, 0));
    delete(memory, "id = 3", DeleteMode.MERGE_ON_READ);
    delete(memory, "id = 4", DeleteMode.COPY_ON_WRITE);
    memory.table.refresh();
    assertThat(memory.table.uuid()).isEqualTo(before);
  }

  @Test
  void countersAreExact_O61() throws IOException {
    MemoryTable memory = table(3, PartitionSpec.unpartitioned());
    memory.append(rows(memory, 0, 10, 0));
    memory.append(rows(memory, 10, 20, 0));

    delete(memory, "id IN (3, 4, 14)", DeleteMode.MERGE_ON_READ);
    assertThat(memory.summary())
        .containsEntry("added-dvs", "2")
        .containsEntry("added-position-deletes", "3")
        .containsEntry("total-delete-files", "2")
        .containsEntry("total-position-deletes", "3")
        .containsEntry("total-records", "20")
        .doesNotContainKey("removed-dvs");

    delete(memory, "id = 5", DeleteMode.MERGE_ON_READ);
    assertThat(memory.summary())
        .containsEntry("added-dvs", "1")
        .containsEntry("removed-dvs", "1")
        .containsEntry("added-position-deletes", "3")
        .containsEntry("removed-position-deletes", "2")
        .containsEntry("total-delete-files", "2")
        .containsEntry("total-position-deletes", "4");

    delete(memory, "id < 10", DeleteMode.MERGE_ON_READ);
    assertThat(memory.summary())
        .containsEntry("deleted-data-files", "1")
        .containsEntry("removed-dvs", "1")
        .containsEntry("total-delete-files", "1")
        .containsEntry("total-position-deletes", "1")
        .containsEntry("total-data-files", "1");

    delete(memory, "id = 15", DeleteMode.COPY_ON_WRITE);
    assertThat(memory.summary())
        .containsEntry("added-data-files", "1")
        .containsEntry("added-records", "8")
        .containsEntry("deleted-records", "10")
        .containsEntry("removed-dvs", "1")
        .containsEntry("total-delete-files", "0")
        .containsEntry("total-position-deletes", "0")
        .containsEntry("total-records", "8");
  }
}
