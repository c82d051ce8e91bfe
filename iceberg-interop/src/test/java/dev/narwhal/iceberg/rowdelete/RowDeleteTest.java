package dev.narwhal.iceberg.rowdelete;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.narwhal.iceberg.export.DatasetExport;
import dev.narwhal.iceberg.export.ExportOptions;
import dev.narwhal.iceberg.export.Strategy;
import dev.narwhal.iceberg.rowdelete.commit.ChangeReport;
import dev.narwhal.iceberg.rowdelete.plan.DeleteMode;
import dev.narwhal.iceberg.rowdelete.plan.NothingToDeleteException;
import dev.narwhal.iceberg.rowdelete.plan.PredicateMatcher;
import dev.narwhal.iceberg.rowdelete.plan.RowMatcher;
import dev.narwhal.iceberg.source.SampleColumns;
import dev.narwhal.iceberg.source.SampleDataset;
import dev.narwhal.iceberg.table.TableTarget;
import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.puffin.PuffinFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.iceberg.DataOperations;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.hadoop.HadoopTables;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class RowDeleteTest {
  @TempDir Path directory;
  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void nothingLeaks() {
    allocator.close();
  }

  /** Rows 0-99 (0 and 1 dead), 100-199 (none dead), 200-299 (200-249 dead), one file each. */
  private Table table(Strategy strategy, Map<String, String> properties) throws IOException {
    SampleDataset dataset =
        new SampleDataset(List.of(SampleColumns.id()), allocator, 64)
            .with(100, DeletionVector.ofOffsets(0, 1))
            .with(100, DeletionVector.empty())
            .with(100, DeletionVector.ofOffsets(IntStream.range(0, 50).toArray()));
    return export(dataset, strategy, properties);
  }

  @ParameterizedTest
  @EnumSource(
      value = Strategy.class,
      names = {"DELETION_VECTORS", "POSITION_DELETES"})
  void whatADeadRowWouldFailAtIsNobodysError(Strategy strategy) throws IOException {
    Table table = table(strategy, Map.of());
    new RowDeletes(table, allocator)
        .delete(
            PredicateMatcher.of("10 / id > 1 OR 10 / (id - 249) > 1", table.schema()),
            DeleteMode.MERGE_ON_READ);
    assertThat(TableState.liveIds(table)).isEqualTo(ids(i -> i > 5 && (i < 250 || i > 254)));
  }

  private Table export(SampleDataset dataset, Strategy strategy, Map<String, String> properties)
      throws IOException {
    try (TableTarget target = TableTarget.at(directory.resolve("table").toString())) {
      DatasetExport.run(
          dataset, target, ExportOptions.of(strategy).withTableProperties(properties));
      return target.load().orElseThrow();
    }
  }

  private ChangeReport delete(Table table, DeleteMode mode, IntPredicate ids) throws IOException {
    return new RowDeletes(table, allocator).delete(new ById(ids, () -> {}), mode);
  }

  private static Set<Integer> ids(IntPredicate predicate) {
    return IntStream.range(0, 300)
        .filter(i -> i > 1 && (i < 200 || i >= 250))
        .filter(predicate)
        .collect(java.util.TreeSet::new, Set::add, Set::addAll);
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.filter(Files::isRegularFile).sorted().toList();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "DELETION_VECTORS, MERGE_ON_READ",
    "DELETION_VECTORS, COPY_ON_WRITE",
    "POSITION_DELETES, MERGE_ON_READ",
    "POSITION_DELETES, COPY_ON_WRITE",
    "COPY_ON_WRITE, MERGE_ON_READ",
    "COPY_ON_WRITE, COPY_ON_WRITE"
  })
  void deletesTheMatchingLiveRowsAndNoOthers(Strategy strategy, DeleteMode mode)
      throws IOException {
    Table table = table(strategy, Map.of());
    IntPredicate thirds = i -> i % 3 == 0;

    ChangeReport report = delete(table, mode, thirds);

    assertThat(TableState.liveIds(table)).isEqualTo(ids(thirds.negate()));
    assertThat(report.deletedRows()).hasValue(ids(thirds).size());
    assertThat(report.snapshotId()).isEqualTo(table.currentSnapshot().snapshotId());
    assertThat(report.operation())
        .isEqualTo(
            mode == DeleteMode.MERGE_ON_READ ? DataOperations.DELETE : DataOperations.OVERWRITE);
    assertThat(report.dataFilesRemoved()).isZero();
    assertThat(report.dataFilesRewritten()).isEqualTo(mode == DeleteMode.MERGE_ON_READ ? 0 : 3);
    assertThat(report.metadataOnly()).isFalse();
  }

  @Test
  void aSecondDeleteAbsorbsTheFirstVector_O1() throws IOException {
    Table table = table(Strategy.DELETION_VECTORS, Map.of());

    delete(table, DeleteMode.MERGE_ON_READ, i -> i == 5);
    ChangeReport report = delete(table, DeleteMode.MERGE_ON_READ, i -> i == 7 || i == 110);

    assertThat(report.deleteFilesAdded()).isEqualTo(2);
    assertThat(report.deleteFilesRemoved()).isEqualTo(1);
    assertThat(TableState.liveDeletes(table))
        .extracting(DeleteFile::referencedDataFile)
        .doesNotHaveDuplicates()
        .hasSize(3);
    assertThat(TableState.liveDeletes(table))
        .extracting(DeleteFile::recordCount)
        .containsExactlyInAnyOrder(4L, 1L, 50L);
    assertThat(TableState.liveIds(table)).isEqualTo(ids(i -> i != 5 && i != 7 && i != 110));
  }

  @ParameterizedTest
  @EnumSource(DeleteMode.class)
  void aFileWithoutLiveRowsGoesWithItsVector_O6(DeleteMode mode) throws IOException {
    Table table = table(Strategy.DELETION_VECTORS, Map.of());

    ChangeReport report = delete(table, mode, i -> i >= 200);

    assertThat(report.metadataOnly()).isTrue();
    assertThat(report.dataFilesRemoved()).isEqualTo(1);
    assertThat(report.deleteFilesRemoved()).isEqualTo(1);
    assertThat(report.deletedRows()).hasValue(50);
    assertThat(report.operation()).isEqualTo(DataOperations.DELETE);
    assertThat(TableState.fileSizes(table)).containsExactly(100L, 100L);
    assertThat(TableState.liveDeletes(table)).hasSize(1);
    assertThat(TableState.liveIds(table)).isEqualTo(ids(i -> i < 200));
  }

  @ParameterizedTest
  @EnumSource(DeleteMode.class)
  void aDeleteOfEverythingLeavesNoFileAndNoVector(DeleteMode mode) throws IOException {
    Table table = table(Strategy.DELETION_VECTORS, Map.of());

    delete(table, mode, i -> true);

    assertThat(TableState.liveIds(table)).isEmpty();
    assertThat(TableState.fileSizes(table)).isEmpty();
    assertThat(TableState.liveDeletes(table)).isEmpty();
  }

  @Test
  void aMatcherOfNoColumnReadsNoFile() throws IOException {
    Table table = table(Strategy.DELETION_VECTORS, Map.of());
    RowMatcher everySecondRow =
        new RowMatcher() {
          @Override
          public String text() {
            return "every second row";
          }

          @Override
          public Set<String> columns() {
            return Set.of();
          }

          @Override
          public void match(VectorSchemaRoot batch, long[] matches) {
            for (int row = 0; row < batch.getRowCount(); row += 2) {
              matches[row >>> 6] |= 1L << row;
            }
          }
        };

    new RowDeletes(table, allocator).delete(everySecondRow, DeleteMode.MERGE_ON_READ);

    assertThat(TableState.liveIds(table)).isEqualTo(ids(i -> i % 2 == 1));
  }

  @Test
  void aMatcherOfAnUnknownColumnIsRefused() throws IOException {
    Table table = table(Strategy.DELETION_VECTORS, Map.of());
    RowMatcher unknown =
        new RowMatcher() {
          @Override
          public String text() {
            return "nope = 1";
          }

          @Override
          public Set<String> columns() {
            return Set.of("nope");
          }

          @Override
          public void match(VectorSchemaRoot batch, long[] matches) {
            throw new AssertionError("nothing to match");
          }
        };

    assertThatThrownBy(
            () -> new RowDeletes(table, allocator).delete(unknown, DeleteMode.MERGE_ON_READ))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("[nope] of nope = 1");
  }

  @ParameterizedTest
  @EnumSource(DeleteMode.class)
  void wholeAndPartialFilesGoTogether(DeleteMode mode) throws IOException {
    Table table = table(Strategy.DELETION_VECTORS, Map.of());
    IntPredicate deleted = i -> i >= 190;

    ChangeReport report = delete(table, mode, deleted);

    assertThat(report.dataFilesRemoved()).isEqualTo(1);
    assertThat(report.deletedRows()).hasValue(60);
    assertThat(TableState.liveIds(table)).isEqualTo(ids(deleted.negate()));
    assertThat(TableState.liveDeletes(table)).hasSize(mode == DeleteMode.MERGE_ON_READ ? 2 : 1);
  }

  @Test
  void copyOnWriteRewritesOnlyFilesWithAMatch() throws IOException {
    Table table = table(Strategy.DELETION_VECTORS, Map.of());

    ChangeReport report = delete(table, DeleteMode.COPY_ON_WRITE, i -> i == 50);

    assertThat(report.dataFilesRewritten()).isEqualTo(1);
    assertThat(report.deleteFilesRemoved()).isEqualTo(1);
    // 100 rows less the two dead and the one deleted
    assertThat(TableState.fileSizes(table)).containsExactlyInAnyOrder(97L, 100L, 100L);
  }

  @ParameterizedTest
  @CsvSource({"file, 2", "partition, 1"})
  void positionsAreAddedAtTheTablesGranularity(String granularity, int files) throws IOException {
    Table table = table(Strategy.POSITION_DELETES, Map.of("write.delete.granularity", granularity));
    int before = TableState.liveDeletes(table).size();

    ChangeReport report =
        delete(table, DeleteMode.MERGE_ON_READ, i -> i == 50 || i == 150 || i == 151);

    assertThat(report.deleteFilesAdded()).isEqualTo(files);
    assertThat(report.deleteFilesRemoved()).isZero();
    assertThat(TableState.liveDeletes(table)).hasSize(before + files);
    assertThat(TableState.liveIds(table)).isEqualTo(ids(i -> i != 50 && i != 150 && i != 151));
  }

  @Test
  void afterAnUpgradeFilesOfSeveralDataFilesStayUntilEachHasAVector_O28() throws IOException {
    Table table = table(Strategy.POSITION_DELETES, Map.of("write.delete.granularity", "partition"));
    table.updateProperties().set("format-version", "3").commit();

    ChangeReport report = delete(table, DeleteMode.MERGE_ON_READ, i -> i == 50);

    assertThat(report.deleteFilesRemoved()).isZero();
    assertThat(TableState.liveDeletes(table))
        .extracting(DeleteFile::format)
        .containsExactlyInAnyOrder(FileFormat.PARQUET, FileFormat.PUFFIN);
    assertThat(TableState.liveIds(table)).isEqualTo(ids(i -> i != 50));
  }

  @Test
  void afterAnUpgradeTheFileOfOneDataFileIsAbsorbed() throws IOException {
    Table table = table(Strategy.POSITION_DELETES, Map.of("write.delete.granularity", "file"));
    table.updateProperties().set("format-version", "3").commit();

    ChangeReport report = delete(table, DeleteMode.MERGE_ON_READ, i -> i == 50);

    assertThat(report.deleteFilesRemoved()).isEqualTo(1);
    assertThat(TableState.liveIds(table)).isEqualTo(ids(i -> i != 50));
  }

  @Test
  void positionsCountThroughRowGroupsAndBatches_O18() throws IOException {
    int rows = 20_000;
    SampleDataset dataset =
        new SampleDataset(List.of(SampleColumns.id()), allocator, 5_000)
            .with(rows, DeletionVector.ofOffsets(0, 9_999));
    Table table =
        export(
            dataset,
            Strategy.DELETION_VECTORS,
            Map.of(
                "write.parquet.row-group-size-bytes", "10000",
                "write.parquet.row-group-check-min-record-count", "100"));
    Set<Integer> expected = new java.util.TreeSet<>(dataset.liveRows().keySet());
    IntPredicate deleted = i -> i == 63 || i == 64 || (i >= 4_095 && i < 8_193) || i == rows - 1;
    expected.removeIf(deleted::test);

    delete(table, DeleteMode.MERGE_ON_READ, deleted);

    assertThat(TableState.liveIds(table)).isEqualTo(expected);
  }

  @Test
  void rowsKeepTheirIdsAndLastUpdatesWhenTheirFileIsRewritten() throws IOException {
    Table table = table(Strategy.DELETION_VECTORS, Map.of());
    Map<Object, List<Object>> before = TableState.lineage(table);

    delete(table, DeleteMode.COPY_ON_WRITE, i -> i % 10 == 0);
    delete(table, DeleteMode.COPY_ON_WRITE, i -> i % 10 == 1);

    Map<Object, List<Object>> after = TableState.lineage(table);
    assertThat(after).hasSize(ids(i -> i % 10 > 1).size());
    assertThat(before).containsAllEntriesOf(after);
  }

  @ParameterizedTest
  @EnumSource(DeleteMode.class)
  void nothingToDeleteChangesNothing(DeleteMode mode) throws IOException {
    Table table = table(Strategy.DELETION_VECTORS, Map.of());
    List<Path> before = files();

    // 0 and 1 are dead already
    assertThatThrownBy(() -> delete(table, mode, i -> i < 2))
        .isInstanceOf(NothingToDeleteException.class)
        .hasMessageContaining("some ids");

    assertThat(files()).isEqualTo(before);
  }

  @ParameterizedTest
  @CsvSource({"DELETION_VECTORS", "POSITION_DELETES"})
  void aDeleteOfTheSameFileMeanwhileFailsARewriteAndLeavesNoFiles(Strategy strategy)
      throws IOException {
    Table table = table(strategy, Map.of());
    List<List<Path>> afterOther = new ArrayList<>();

    RowMatcher matcher =
        new ById(
            i -> i == 50,
            () -> {
              deleteElsewhere(table, i -> i == 60);
              afterOther.add(uncheckedFiles());
            });
    RowDeletes deletes = new RowDeletes(table, allocator);
    assertThatThrownBy(() -> deletes.delete(matcher, DeleteMode.COPY_ON_WRITE))
        .isInstanceOf(ValidationException.class)
        .hasMessageContaining("some ids")
        .hasMessageContaining("which was rewritten");

    assertThat(dataFiles(files())).isEqualTo(dataFiles(afterOther.get(0)));
    assertThat(TableState.liveIds(table)).isEqualTo(ids(i -> i != 60));
  }

  @ParameterizedTest
  @CsvSource({
    "DELETION_VECTORS, MERGE_ON_READ",
    "DELETION_VECTORS, COPY_ON_WRITE",
    "POSITION_DELETES, MERGE_ON_READ"
  })
  void aDeleteOfAnotherFileMeanwhileDoesNotDisturb(Strategy strategy, DeleteMode mode)
      throws IOException {
    Table table = table(strategy, Map.of());

    RowMatcher matcher = new ById(i -> i == 150, () -> deleteElsewhere(table, i -> i == 60));
    ChangeReport report = new RowDeletes(table, allocator).delete(matcher, mode);

    assertThat(report.deletedRows()).hasValue(1);
    assertThat(TableState.liveIds(table)).isEqualTo(ids(i -> i != 60 && i != 150));
  }

  @ParameterizedTest
  @CsvSource({"DELETION_VECTORS", "POSITION_DELETES"})
  void deletesOfOneFileAreUnited_O45(Strategy strategy) throws IOException {
    Table table = table(strategy, Map.of());

    RowMatcher matcher =
        new ById(i -> i == 50 || i == 60, () -> deleteElsewhere(table, i -> i == 60 || i == 61));
    ChangeReport report =
        new RowDeletes(table, allocator).delete(matcher, DeleteMode.MERGE_ON_READ);

    assertThat(report.deletedRows()).hasValue(1);
    assertThat(TableState.liveIds(table)).isEqualTo(ids(i -> i != 50 && i != 60 && i != 61));
    if (strategy == Strategy.DELETION_VECTORS) {
      assertThat(TableState.liveDeletes(table))
          .extracting(DeleteFile::referencedDataFile)
          .doesNotHaveDuplicates();
    }
  }

  private void deleteElsewhere(Table table, IntPredicate ids) {
    try {
      delete(new HadoopTables().load(table.location()), DeleteMode.MERGE_ON_READ, ids);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private List<Path> uncheckedFiles() {
    try {
      return files();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static List<Path> dataFiles(List<Path> files) {
    return files.stream().filter(file -> file.toString().contains("/data/")).toList();
  }

  @Test
  void aDamagedVectorIsAnErrorThatNamesItAndNotNothing() throws IOException {
    Table table = table(Strategy.DELETION_VECTORS, Map.of());
    DeleteFile vector = TableState.liveDeletes(table).get(0);
    Path puffin = Path.of(java.net.URI.create(vector.location()));
    byte[] bytes = Files.readAllBytes(puffin);
    bytes[Math.toIntExact(vector.contentOffset()) + 20] ^= 1;
    Files.write(puffin, bytes);
    List<Path> before = files();

    assertThatThrownBy(() -> delete(table, DeleteMode.MERGE_ON_READ, i -> i == 7))
        .isInstanceOf(PuffinFormatException.class)
        .hasMessageContaining(puffin.getFileName().toString())
        .hasMessageContaining("CRC");

    assertThat(files()).isEqualTo(before);
  }

  @Test
  void modesAreKnownByTheirNames() {
    for (DeleteMode mode : DeleteMode.values()) {
      assertThat(DeleteMode.parse(mode.text())).isEqualTo(mode);
    }
    assertThatThrownBy(() -> DeleteMode.parse("mor"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("unknown mode mor, expected one of merge-on-read, copy-on-write");
  }

  @Test
  void deletesAddUpInTheSnapshotsCounters() throws IOException {
    Table table = table(Strategy.DELETION_VECTORS, Map.of());

    delete(table, DeleteMode.MERGE_ON_READ, i -> i == 5);

    Snapshot snapshot = table.currentSnapshot();
    assertThat(snapshot.summary())
        .containsEntry("added-dvs", "1")
        .containsEntry("removed-dvs", "1")
        .containsEntry("added-position-deletes", "3")
        .containsEntry("removed-position-deletes", "2")
        .containsEntry("total-position-deletes", "53")
        .containsEntry("total-delete-files", "2");
  }
}
