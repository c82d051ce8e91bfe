package dev.narwhal.iceberg.rowdelete;

import static org.apache.iceberg.types.Types.NestedField.optional;
import static org.apache.iceberg.types.Types.NestedField.required;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.narwhal.iceberg.rowdelete.commit.ChangeReport;
import dev.narwhal.iceberg.rowdelete.commit.PreparedChange;
import dev.narwhal.iceberg.rowdelete.maintenance.DeleteMaintenance;
import dev.narwhal.iceberg.rowdelete.maintenance.InspectedTable;
import dev.narwhal.iceberg.rowdelete.maintenance.RepairPlan;
import dev.narwhal.iceberg.rowdelete.maintenance.TableInspection;
import dev.narwhal.iceberg.rowdelete.plan.DeleteMode;
import dev.narwhal.iceberg.rowdelete.plan.NothingToDeleteException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataOperations;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.ContentFileUtil;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Equality deletes, and the care of delete files. */
class DeleteMaintenanceTest {
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

  private static MemoryTable table(int formatVersion, PartitionSpec spec) {
    MemoryTable memory = MemoryTable.create(formatVersion, SCHEMA, spec, Map.of());
    memory.append(rows(memory, 0, 10, 0));
    memory.append(rows(memory, 10, 20, 1));
    return memory;
  }

  private void delete(MemoryTable memory, String where, DeleteMode mode) throws IOException {
    RowDeletes deletes = new RowDeletes(memory.table, allocator);
    deletes.delete(deletes.matcher(where), mode);
  }

  private PreparedChange byEquality(MemoryTable memory, List<Record> rows, Integer... ids)
      throws IOException {
    return new RowDeletes(memory.table, allocator).prepareEqualityDelete(rows, Set.of(ids));
  }

  private static int id(MemoryTable memory, String column) {
    return memory.table.schema().findField(column).fieldId();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void rowsThatEqualOthersGoAndComeBackOnlyAnew_O23(int formatVersion) throws IOException {
    MemoryTable memory = table(formatVersion, PartitionSpec.unpartitioned());

    ChangeReport report = byEquality(memory, rows(memory, 8, 12, 7), 1).commit();

    assertThat(report.deletedRows()).isEmpty();
    assertThat(report.operation()).isEqualTo(DataOperations.DELETE);
    assertThat(memory.ids()).hasSize(16).doesNotContain(8L, 11L);
    memory.append(rows(memory, 9, 10, 3));
    assertThat(memory.rows()).hasSize(17).contains("[9, 3]");
  }

  @Test
  void nullEqualsNull() throws IOException {
    MemoryTable memory = table(2, PartitionSpec.unpartitioned());
    memory.append(rows(memory, 20, 25, null));
    byEquality(memory, rows(memory, 0, 1, null), 2).commit();
    assertThat(memory.ids()).hasSize(20);
    new DeleteMaintenance(memory.table).prepareEqualityResolution().commit();
    assertThat(memory.ids()).hasSize(20);
    assertThat(memory.deletes()).allMatch(file -> file.content() == FileContent.POSITION_DELETES);
  }

  @Test
  void deletesOfAPartitionedSpecReachJustTheirPartitions() throws IOException {
    MemoryTable memory = table(2, BY_PART);
    List<Record> keys = List.of(memory.record(5L, 0), memory.record(15L, 0));
    assertThatThrownBy(() -> byEquality(memory, keys, 1))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("partitioned by");

    byEquality(memory, keys, 1, 2).commit();

    assertThat(memory.ids()).hasSize(19).doesNotContain(5L);
    memory.table.updateSpec().addField(Expressions.bucket("id", 2)).commit();
    assertThatThrownBy(() -> byEquality(memory, keys, 1, 2))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("partition spec 0");
  }

  @Test
  void keysMayBeNestedAndNeverFloat() throws IOException {
    Schema schema =
        new Schema(
            required(1, "id", Types.LongType.get()),
            optional(
                2,
                "st",
                Types.StructType.of(
                    optional(3, "a", Types.IntegerType.get()),
                    optional(4, "b", Types.StringType.get()))),
            optional(5, "x", Types.DoubleType.get()),
            optional(6, "l", Types.ListType.ofOptional(7, Types.IntegerType.get())));
    MemoryTable memory = MemoryTable.create(2, schema);
    Types.StructType struct = schema.findType("st").asStructType();
    List<Record> rows = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      Record st = i == 5 ? null : GenericRecord.create(struct);
      if (st != null) {
        st.set(0, i == 4 ? null : i);
        st.set(1, "b" + i);
      }
      rows.add(memory.record((long) i, st, i / 2.0, null));
    }
    memory.append(rows);

    byEquality(memory, List.of(rows.get(2), rows.get(5)), id(memory, "st.a")).commit();

    // a null struct has a null member: rows 4 and 5 go; Iceberg 1.12's generic reader cannot tell
    new DeleteMaintenance(memory.table).prepareEqualityResolution().commit();
    assertThat(memory.ids()).containsExactly(0L, 1L, 3L);
    assertThatThrownBy(() -> byEquality(memory, rows, id(memory, "x")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("x")
        .hasMessageContaining("float and double");
    assertThatThrownBy(() -> byEquality(memory, rows, id(memory, "l.element")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("l.element");
    assertThatThrownBy(() -> byEquality(memory, rows, id(memory, "st")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void manyDeletesByEqualityAreResolved_O16_O52(int formatVersion) throws IOException {
    MemoryTable memory = MemoryTable.create(formatVersion, SCHEMA);
    memory.append(rows(memory, 0, 50_000, 0));
    byEquality(memory, rows(memory, 0, 25_000, 0), 1).commit();
    byEquality(memory, rows(memory, 20_000, 49_995, 0), 1).commit();
    byEquality(memory, List.of(memory.record(3L, null)), 2).commit();
    assertThat(memory.ids()).hasSize(5);

    ChangeReport report = new DeleteMaintenance(memory.table).prepareEqualityResolution().commit();

    assertThat(report.operation()).isEqualTo(DataOperations.REPLACE);
    assertThat(report.deleteFilesRemoved()).isEqualTo(3);
    assertThat(memory.deletes()).extracting(DeleteFile::recordCount).containsExactly(49_995L);
    assertThat(memory.deletes())
        .extracting(DeleteFile::format)
        .containsExactly(formatVersion == 2 ? FileFormat.PARQUET : FileFormat.PUFFIN);
    assertThat(memory.ids()).hasSize(5);
  }

  @Test
  void aConditionBecomesTheDistinctValuesOfItsColumns() throws IOException {
    MemoryTable memory = table(2, PartitionSpec.unpartitioned());
    memory.append(rows(memory, 20, 25, null));
    RowDeletes deletes = new RowDeletes(memory.table, allocator);

    deletes.prepareEqualityDelete(deletes.matcher("part = 1 OR part IS NULL")).commit();

    assertThat(memory.deletes()).extracting(DeleteFile::recordCount).containsExactly(2L);
    assertThat(memory.ids()).hasSize(10).contains(9L);
    assertThatThrownBy(() -> deletes.prepareEqualityDelete(deletes.matcher("TRUE")))
        .isInstanceOf(UnsupportedFeatureException.class);
    assertThatThrownBy(() -> deletes.prepareEqualityDelete(deletes.matcher("id = 77")))
        .isInstanceOf(NothingToDeleteException.class);
  }

  @Test
  void deletesWrittenInAvroWorkAlike() throws IOException {
    MemoryTable memory =
        MemoryTable.create(
            2,
            SCHEMA,
            PartitionSpec.unpartitioned(),
            Map.of("write.delete.format.default", "avro"));
    memory.append(rows(memory, 0, 10, 0));
    byEquality(memory, rows(memory, 3, 4, 0), 1).commit();
    delete(memory, "id IN (3, 4)", DeleteMode.MERGE_ON_READ);
    assertThat(memory.deletes()).extracting(DeleteFile::format).containsOnly(FileFormat.AVRO);
    assertThat(memory.ids()).hasSize(8);
    new DeleteMaintenance(memory.table).prepareEqualityResolution().commit();
    assertThat(memory.ids()).hasSize(8);

    memory.table.updateProperties().set("write.delete.format.default", "orc").commit();
    assertThatThrownBy(() -> delete(memory, "id = 6", DeleteMode.MERGE_ON_READ))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("write.delete.format.default");
  }

  @Test
  void positionDeletesOfAnUpgradedTableBecomeVectors() throws IOException {
    MemoryTable memory = table(2, PartitionSpec.unpartitioned());
    List<String> both = memory.dataFiles().stream().map(DataFile::location).toList();
    memory
        .table
        .newRowDelta()
        .addDeletes(new ForeignDeletes(memory).positions(both, 0, 1))
        .commit();
    DeleteMaintenance maintenance = new DeleteMaintenance(memory.table);
    assertThatThrownBy(maintenance::prepareFold)
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("version 2");
    memory.table.updateProperties().set("format-version", "3").commit();
    delete(memory, "id = 5", DeleteMode.MERGE_ON_READ);

    ChangeReport report = maintenance.prepareFold().commit();

    assertThat(report.operation()).isEqualTo(DataOperations.REPLACE);
    assertThat(memory.deletes()).hasSize(2).allMatch(ContentFileUtil::isDV);
    assertThat(memory.ids()).hasSize(15);
    assertThatThrownBy(maintenance::prepareFold).isInstanceOf(NothingToDeleteException.class);
  }

  @Test
  void deletesWhoseDataFilesAreGoneAreDropped_O24() throws IOException {
    MemoryTable memory = table(2, PartitionSpec.unpartitioned());
    List<String> both = memory.dataFiles().stream().map(DataFile::location).toList();
    // a file as old as any delete: Iceberg itself drops only deletes that are older than all data
    memory.append(rows(memory, 30, 40, 0));
    memory
        .table
        .newRowDelta()
        .addDeletes(new ForeignDeletes(memory).positions(both, 0, 1))
        .commit();
    byEquality(memory, rows(memory, 4, 5, 0), 1).commit();
    delete(memory, "id = 5", DeleteMode.COPY_ON_WRITE);
    DeleteMaintenance maintenance = new DeleteMaintenance(memory.table);
    // the second file is still there
    assertThatThrownBy(maintenance::prepareDanglingRemoval)
        .isInstanceOf(NothingToDeleteException.class);
    delete(memory, "id = 15", DeleteMode.COPY_ON_WRITE);
    assertThat(memory.deletes()).hasSize(2);

    ChangeReport report = maintenance.prepareDanglingRemoval().commit();

    assertThat(report.deleteFilesRemoved()).isEqualTo(1);
    assertThat(memory.deletes())
        .extracting(DeleteFile::content)
        .containsExactly(FileContent.EQUALITY_DELETES);
    assertThat(memory.ids()).hasSize(10 - 4 + 10 - 3 + 10);
  }

  @Test
  void doubledVectorsAreReportedAndUnited_O2() throws IOException {
    MemoryTable memory = table(3, BY_PART);
    DataFile file = memory.dataFiles().get(1);
    long base = memory.table.currentSnapshot().snapshotId();
    for (long[] positions : new long[][] {{1, 2}, {2, 3}}) {
      memory
          .table
          .newRowDelta()
          .validateFromSnapshot(base)
          .conflictDetectionFilter(Expressions.equal("part", 0))
          .addDeletes(new ForeignDeletes(memory).vector(file, positions))
          .commit();
    }
    assertThatThrownBy(memory::ids).hasMessageContaining("Can't index multiple DVs");
    InspectedTable inspected = TableInspection.of(memory.table);
    assertThat(inspected.liveRows()).isEmpty();
    assertThat(inspected.warnings()).anyMatch(warning -> warning.contains("run repair"));

    DeleteMaintenance maintenance = new DeleteMaintenance(memory.table);
    RepairPlan plan = maintenance.planRepair();
    assertThat(plan.files()).hasSize(1);
    assertThat(plan.files().get(0).vectors()).hasSize(2);
    assertThat(plan.files().get(0).union().toArray()).containsExactly(1, 2, 3);
    maintenance.prepareRepair(plan).commit();

    assertThat(memory.deletes()).extracting(DeleteFile::recordCount).containsExactly(3L);
    assertThat(memory.ids()).hasSize(17).doesNotContain(11L, 12L, 13L);
    assertThatThrownBy(() -> maintenance.prepareRepair(maintenance.planRepair()))
        .isInstanceOf(NothingToDeleteException.class);
    assertThat(TableInspection.of(memory.table).liveRows()).hasValue(17);
  }

  @Test
  void maintenanceDoesNotGoPastDeletesThatCameBetween_O14() throws IOException {
    MemoryTable memory = table(2, PartitionSpec.unpartitioned());
    byEquality(memory, rows(memory, 4, 5, 0), 1).commit();
    PreparedChange change = new DeleteMaintenance(memory.table).prepareEqualityResolution();
    PreparedChange harmless = new DeleteMaintenance(memory.table).prepareEqualityResolution();
    memory.otherClient().append(rows(memory, 30, 31, 0));
    harmless.commit();
    assertThatThrownBy(change::commit)
        .isInstanceOf(ValidationException.class)
        .hasMessageContaining("it changed what is deleted");
    assertThat(memory.ids()).hasSize(20);
  }

  @Test
  void aTableIsInspectedWithItsDeletes() throws IOException {
    MemoryTable memory = table(2, PartitionSpec.unpartitioned());
    delete(memory, "id IN (3, 4)", DeleteMode.MERGE_ON_READ);
    byEquality(memory, rows(memory, 4, 6, 0), 1).commit();

    InspectedTable inspected = TableInspection.of(memory.table);

    assertThat(inspected.formatVersion()).isEqualTo(2);
    assertThat(inspected.liveRows()).hasValue(17);
    assertThat(inspected.warnings()).isEmpty();
    assertThat(inspected.dataFiles()).hasSize(2);
    assertThat(inspected.dataFiles())
        .anySatisfy(
            file -> {
              assertThat(file.records()).isEqualTo(10);
              assertThat(file.liveRows()).hasValue(7);
              assertThat(file.deletes())
                  .extracting(InspectedTable.InspectedDelete::kind)
                  .containsExactlyInAnyOrder("position", "equality");
            });
  }

  @Test
  void bareVectorsAreReadAndReported() throws IOException {
    MemoryTable memory = table(3, PartitionSpec.unpartitioned());
    delete(memory, "id = 3", DeleteMode.MERGE_ON_READ);
    DeleteFile vector = memory.deletes().get(0);
    byte[] puffin = memory.files.bytes(vector.location());
    byte[] bare = new byte[puffin.length];
    int offset = Math.toIntExact(vector.contentOffset());
    System.arraycopy(puffin, offset, bare, offset, Math.toIntExact(vector.contentSizeInBytes()));
    memory.files.put(vector.location(), bare);

    assertThat(TableInspection.of(memory.table).warnings())
        .anyMatch(warning -> warning.contains("without a Puffin container"));
    delete(memory, "id = 4", DeleteMode.MERGE_ON_READ);

    assertThat(memory.ids()).hasSize(18);
    assertThat(TableInspection.of(memory.table).warnings()).isEmpty();
  }
}
