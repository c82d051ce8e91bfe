package dev.narwhal.iceberg.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.narwhal.iceberg.mapping.FieldIds;
import dev.narwhal.iceberg.mapping.SourceProperties;
import dev.narwhal.iceberg.mapping.UnmappableValueException;
import dev.narwhal.iceberg.source.Judge;
import dev.narwhal.iceberg.source.NestedColumns;
import dev.narwhal.iceberg.source.SampleColumn;
import dev.narwhal.iceberg.source.SampleColumns;
import dev.narwhal.iceberg.source.SampleDataset;
import dev.narwhal.iceberg.table.IncompatibleTableException;
import dev.narwhal.iceberg.table.TableNotEmptyException;
import dev.narwhal.iceberg.table.TableTarget;
import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataOperations;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.BaseDeleteLoader;
import org.apache.iceberg.deletes.PositionDeleteIndex;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.puffin.BlobMetadata;
import org.apache.iceberg.puffin.Puffin;
import org.apache.iceberg.puffin.PuffinReader;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class DatasetExportTest {
  private static final Map<String, String> SMALL_FILES =
      Map.of("write.target-file-size-bytes", "40000", "write.parquet.page-size-bytes", "1024");

  @TempDir Path directory;
  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void nothingLeaks() {
    allocator.close();
  }

  private Path table() {
    return directory.resolve("table");
  }

  private ExportReport export(SampleDataset dataset, ExportOptions options) throws IOException {
    try (TableTarget target = TableTarget.at(table().toString())) {
      return DatasetExport.run(dataset, target, options);
    }
  }

  private Table load() {
    try (TableTarget target = TableTarget.at(table().toString())) {
      return target.load().orElseThrow();
    }
  }

  /** Three fragments: a few rows deleted, none, and all but a few. */
  private SampleDataset dataset(List<SampleColumn> columns) {
    return new SampleDataset(columns, allocator, 100)
        .with(230, DeletionVector.ofOffsets(0, 3, 99, 100, 229))
        .with(50, DeletionVector.empty())
        .with(120, DeletionVector.ofOffsets(IntStream.range(0, 117).toArray()));
  }

  private static List<FileScanTask> tasks(Table table) throws IOException {
    List<FileScanTask> tasks = new ArrayList<>();
    try (CloseableIterable<FileScanTask> planned = table.newScan().planFiles()) {
      planned.forEach(tasks::add);
    }
    return tasks;
  }

  private static List<Path> filesBelow(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.filter(Files::isRegularFile).toList();
    }
  }

  @ParameterizedTest
  @CsvSource({"DELETION_VECTORS, 3", "POSITION_DELETES, 2", "COPY_ON_WRITE, 2", "COPY_ON_WRITE, 3"})
  void icebergReadsExactlyTheLiveRowsOfEveryType(Strategy strategy, int formatVersion)
      throws IOException {
    SampleDataset dataset = dataset(NestedColumns.andFlatOnes(formatVersion));

    ExportReport report = export(dataset, ExportOptions.of(strategy, formatVersion));

    assertThat(Judge.liveRows(load())).isEqualTo(Judge.comparable(dataset.liveRows()));
    assertThat(report.liveRows()).isEqualTo(278);
    assertThat(report.physicalRows()).isEqualTo(strategy.keepsDeadRows() ? 400 : 278);
    assertThat(report.formatVersion()).isEqualTo(formatVersion);
    assertThat(report.snapshotId()).isEqualTo(load().currentSnapshot().snapshotId());
  }

  @ParameterizedTest
  @EnumSource(Strategy.class)
  void reportsWhatWasWritten(Strategy strategy) throws IOException {
    ExportReport report = export(dataset(List.of(SampleColumns.id())), ExportOptions.of(strategy));

    long content = 0;
    for (Path file : filesBelow(table().resolve("data"))) {
      content += Files.size(file);
    }
    long metadata = 0;
    for (Path file : filesBelow(table().resolve("metadata"))) {
      if (!file.endsWith("version-hint.text")) {
        metadata += Files.size(file);
      }
    }
    assertThat(report.bytesWritten()).isEqualTo(content);
    assertThat(report.metadataBytesWritten()).isEqualTo(metadata);
    assertThat(report.dataFiles()).isEqualTo(3);
    assertThat(report.deadRowsCopied()).isEqualTo(strategy.keepsDeadRows() ? 122 : 0);
    assertThat(report.note())
        .contains(strategy.keepsDeadRows() ? "erasure needs copy-on-write" : "not copied");
  }

  @ParameterizedTest
  @EnumSource(Strategy.class)
  void isOneSnapshotWithTheSourceInTheProperties(Strategy strategy) throws IOException {
    export(dataset(SampleColumns.ofVersion2()), ExportOptions.of(strategy));

    Table table = load();
    assertThat(table.snapshots()).hasSize(1);
    assertThat(filesBelow(table().resolve("metadata")))
        .filteredOn(file -> file.toString().endsWith(".metadata.json"))
        .hasSize(1);
    assertThat(table.properties())
        .containsEntry(SourceProperties.SOURCE_URI, "memory:sample")
        .containsEntry(SourceProperties.VERSION, "42");
    FieldIds ids =
        FieldIds.fromJson(table.properties().getOrDefault(SourceProperties.FIELD_IDS, "none"));
    assertThat(ids.icebergId(2 * 3)).hasValue(table.schema().findField("int16").fieldId());
    assertThat(ids.icebergId(2 * SampleColumns.ofVersion2().size())).isEmpty();
  }

  @Test
  void deletionVectorsShareAPuffinFileAndTheMetadataEqualsItsFooter() throws IOException {
    ExportReport report =
        export(dataset(List.of(SampleColumns.id())), ExportOptions.of(Strategy.DELETION_VECTORS));

    Table table = load();
    List<DeleteFile> vectors =
        tasks(table).stream().flatMap(task -> task.deletes().stream()).toList();
    assertThat(vectors).hasSize(2);
    assertThat(report.deleteFiles()).isEqualTo(2);
    assertThat(vectors).extracting(DeleteFile::location).containsOnly(vectors.get(0).location());
    try (PuffinReader reader =
        Puffin.read(table.io().newInputFile(vectors.get(0).location())).build()) {
      List<BlobMetadata> blobs = reader.fileMetadata().blobs();
      assertThat(blobs).hasSize(2);
      for (DeleteFile vector : vectors) {
        assertThat(blobs)
            .filteredOn(
                blob ->
                    Objects.equals(
                        blob.properties().get("referenced-data-file"), vector.referencedDataFile()))
            .singleElement()
            .satisfies(
                blob -> {
                  assertThat(vector.contentOffset()).isEqualTo(blob.offset());
                  assertThat(vector.contentSizeInBytes()).isEqualTo(blob.length());
                  assertThat(blob.properties().get("cardinality"))
                      .isEqualTo(Long.toString(vector.recordCount()));
                });
      }
    }
  }

  @Test
  void icebergsPositionIndexReadsOurVectors() throws IOException {
    export(dataset(List.of(SampleColumns.id())), ExportOptions.of(Strategy.DELETION_VECTORS));

    Table table = load();
    List<Long> positions = new ArrayList<>();
    for (FileScanTask task : tasks(table)) {
      if (task.file().recordCount() == 230) {
        PositionDeleteIndex index =
            new BaseDeleteLoader(file -> table.io().newInputFile(file.location()))
                .loadPositionDeletes(task.deletes(), task.file().location());
        index.forEach(positions::add);
      }
    }
    assertThat(positions).containsExactly(0L, 3L, 99L, 100L, 229L);
  }

  @ParameterizedTest
  @EnumSource(Strategy.class)
  void splitsALargeFragmentAndSlicesItsDeletions(Strategy strategy) throws IOException {
    int rows = 150_000;
    // crosses both container edges, and is dense, sparse and run-like by turns
    int[] deleted =
        IntStream.range(0, rows)
            .filter(i -> i % 997 == 0 || (i > 60_000 && i < 70_000) || (i > 131_000 && i % 2 == 0))
            .toArray();
    SampleDataset dataset =
        new SampleDataset(List.of(SampleColumns.id()), allocator, 10_000)
            .with(rows, DeletionVector.ofOffsets(deleted))
            .with(3_000, DeletionVector.ofOffsets(2_999));

    ExportReport report =
        export(dataset, ExportOptions.of(strategy).withTableProperties(SMALL_FILES));

    assertThat(report.dataFiles()).isGreaterThan(4);
    if (strategy.keepsDeadRows()) {
      assertThat(tasks(load()))
          .extracting(FileScanTask::file)
          .extracting(DataFile::recordCount)
          .anySatisfy(count -> assertThat(count % 65_536).isNotZero());
    }
    assertThat(Judge.liveRows(load()).keySet()).isEqualTo(dataset.liveRows().keySet());
  }

  @Test
  void aFragmentThatIsFullyAliveGetsNoDeleteFile() throws IOException {
    export(dataset(List.of(SampleColumns.id())), ExportOptions.of(Strategy.DELETION_VECTORS));

    assertThat(tasks(load()))
        .filteredOn(task -> task.file().recordCount() == 50)
        .singleElement()
        .satisfies(task -> assertThat(task.deletes()).isEmpty());
  }

  @ParameterizedTest
  @CsvSource({"file, 2", "partition, 1"})
  void positionDeletesAreAsGranularAsTheTableSays(String granularity, int files)
      throws IOException {
    SampleDataset dataset = dataset(List.of(SampleColumns.id()));

    ExportReport report =
        export(
            dataset,
            ExportOptions.of(Strategy.POSITION_DELETES)
                .withTableProperties(Map.of("write.delete.granularity", granularity)));

    assertThat(report.deleteFiles()).isEqualTo(files);
    assertThat(load().properties()).containsEntry("write.delete.granularity", granularity);
    assertThat(Judge.liveRows(load()).keySet()).isEqualTo(dataset.liveRows().keySet());
  }

  @ParameterizedTest
  @EnumSource(Strategy.class)
  void aDatasetWithoutRowsBecomesATableWithAnEmptySnapshot(Strategy strategy) throws IOException {
    ExportReport report =
        export(
            new SampleDataset(SampleColumns.ofVersion2(), allocator, 10),
            ExportOptions.of(strategy));

    assertThat(report.dataFiles()).isZero();
    assertThat(load().currentSnapshot().snapshotId()).isEqualTo(report.snapshotId());
    assertThat(load().currentSnapshot().operation()).isEqualTo(DataOperations.APPEND);
    assertThat(load().schema().columns()).hasSize(SampleColumns.ofVersion2().size());
    assertThat(Judge.liveRows(load())).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Strategy.class)
  void aSourceThatFailsMidwayLeavesNothing(Strategy strategy) {
    SampleDataset dataset =
        new SampleDataset(List.of(SampleColumns.id()), allocator, 1_000)
            .with(5_000, DeletionVector.ofOffsets(1))
            .with(50_000, DeletionVector.ofOffsets(2), 30_000)
            .with(5_000, DeletionVector.ofOffsets(3));

    assertThatThrownBy(
            () -> export(dataset, ExportOptions.of(strategy).withTableProperties(SMALL_FILES)))
        .isInstanceOf(IOException.class)
        .hasMessage("the disk is gone");

    assertThat(table()).doesNotExist();
  }

  @Test
  void aTableThatSomebodyElseMakesMeanwhileStaysAndOursIsTakenBack() throws IOException {
    SampleDataset theirs =
        new SampleDataset(List.of(SampleColumns.id()), allocator, 10)
            .with(7, DeletionVector.empty());
    SampleColumn id =
        SampleColumn.required(
            "id",
            new ArrowType.Int(64, true),
            BigIntVector.class,
            (v, at, i) -> {
              if (i == 0) {
                exportUnchecked(theirs);
              }
              v.set(at, i);
            },
            i -> (long) i);
    SampleDataset ours =
        new SampleDataset(List.of(id), allocator, 10).with(20, DeletionVector.ofOffsets(3));

    assertThatThrownBy(() -> export(ours, ExportOptions.of(Strategy.DELETION_VECTORS)))
        .isInstanceOf(CommitFailedException.class);

    assertThat(Judge.liveRows(load())).hasSize(7);
    assertThat(filesBelow(table().resolve("data"))).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(Strategy.class)
  void anEmptyTableThatSomebodyElseFillsMeanwhileIsNotFilledTwice(Strategy strategy)
      throws IOException {
    List<SampleColumn> columns = List.of(SampleColumns.id());
    export(new SampleDataset(columns, allocator, 10), ExportOptions.of(strategy));
    SampleDataset theirs =
        new SampleDataset(columns, allocator, 10).with(7, DeletionVector.empty());
    SampleColumn id =
        SampleColumn.required(
            "id",
            new ArrowType.Int(64, true),
            BigIntVector.class,
            (v, at, i) -> {
              if (i == 0) {
                exportUnchecked(theirs, strategy);
              }
              v.set(at, i);
            },
            i -> (long) i);
    SampleDataset ours =
        new SampleDataset(List.of(id), allocator, 10).with(20, DeletionVector.ofOffsets(3));

    assertThatThrownBy(() -> export(ours, ExportOptions.of(strategy)))
        .isInstanceOf(TableNotEmptyException.class)
        .hasMessageContaining("meanwhile");

    assertThat(Judge.liveRows(load())).hasSize(7);
    assertThat(filesBelow(table().resolve("data"))).hasSize(1);
  }

  private void exportUnchecked(SampleDataset dataset) {
    exportUnchecked(dataset, Strategy.DELETION_VECTORS);
  }

  private void exportUnchecked(SampleDataset dataset, Strategy strategy) {
    try {
      export(dataset, ExportOptions.of(strategy));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void theFormatVersionIsNoTableProperty() {
    assertThatThrownBy(
            () ->
                ExportOptions.of(Strategy.COPY_ON_WRITE)
                    .withTableProperties(Map.of("format-version", "3")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("option of its own");
  }

  @Test
  void strategiesAreKnownByTheirNames() {
    for (Strategy strategy : Strategy.values()) {
      assertThat(Strategy.parse(strategy.text())).isEqualTo(strategy);
    }
    assertThatThrownBy(() -> Strategy.parse("merge"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "unknown strategy merge, expected one of deletion-vectors, position-deletes,"
                + " copy-on-write");
  }

  @Test
  void anUnmappableValueNamesFragmentColumnAndRowAndLeavesNothing() {
    SampleColumn holey =
        SampleColumn.of(
            org.apache.arrow.vector.types.pojo.Field.notNullable("n", new ArrowType.Int(32, true)),
            IntVector.class,
            (v, at, i) -> {
              if (i == 17) {
                v.setNull(at);
              } else {
                v.set(at, i);
              }
            },
            i -> i);
    SampleDataset dataset =
        new SampleDataset(List.of(SampleColumns.id(), holey), allocator, 5)
            .with(10, DeletionVector.empty())
            .with(10, DeletionVector.empty());

    assertThatThrownBy(() -> export(dataset, ExportOptions.of(Strategy.COPY_ON_WRITE)))
        .isInstanceOf(UnmappableValueException.class)
        .hasMessage("fragment 1: column n, row 7: null where the schema allows none");
    assertThat(table()).doesNotExist();
  }

  @Test
  void aTableWithRowsIsRefusedAndStaysAsItIs() throws IOException {
    export(dataset(List.of(SampleColumns.id())), ExportOptions.of(Strategy.DELETION_VECTORS));
    List<Path> before = filesBelow(table());

    assertThatThrownBy(
            () ->
                export(
                    dataset(List.of(SampleColumns.id())),
                    ExportOptions.of(Strategy.DELETION_VECTORS)))
        .isInstanceOf(TableNotEmptyException.class)
        .hasMessageContaining("already has rows")
        .hasMessageContaining(table().toString());

    assertThat(filesBelow(table())).containsExactlyElementsOf(before);
  }

  @Test
  void anEmptyTableIsFilled() throws IOException {
    SampleDataset dataset = dataset(SampleColumns.ofVersion2());
    export(
        new SampleDataset(SampleColumns.ofVersion2(), allocator, 10),
        ExportOptions.of(Strategy.DELETION_VECTORS));
    Table before = load();

    export(dataset, ExportOptions.of(Strategy.DELETION_VECTORS));

    assertThat(load().uuid()).isEqualTo(before.uuid());
    assertThat(Judge.liveRows(load())).isEqualTo(Judge.comparable(dataset.liveRows()));
  }

  @Test
  void anEmptyTableStaysAsItIsWhenTheExportFails() throws IOException {
    export(
        new SampleDataset(List.of(SampleColumns.id()), allocator, 10),
        ExportOptions.of(Strategy.DELETION_VECTORS));
    List<Path> before = filesBelow(table());

    assertThatThrownBy(
            () ->
                export(
                    new SampleDataset(List.of(SampleColumns.id()), allocator, 10)
                        .with(100, DeletionVector.empty(), 50),
                    ExportOptions.of(Strategy.DELETION_VECTORS)))
        .isInstanceOf(IOException.class);

    assertThat(filesBelow(table())).containsExactlyElementsOf(before);
    assertThat(Judge.liveRows(load())).isEmpty();
  }

  @Test
  void anEmptyTableOfOtherColumnsIsRefused() throws IOException {
    try (TableTarget target = TableTarget.at(table().toString())) {
      target
          .newTable(
              new Schema(Types.NestedField.required(1, "id", Types.IntegerType.get())),
              Map.of("format-version", "3"))
          .commitTransaction();
    }
    assertThatThrownBy(
            () ->
                export(
                    dataset(List.of(SampleColumns.id())),
                    ExportOptions.of(Strategy.DELETION_VECTORS)))
        .isInstanceOf(IncompatibleTableException.class)
        .hasMessageContaining("required int");
  }

  @Test
  void checkingRefusesTheSameAndWritesNothing() throws IOException {
    SampleDataset dataset = dataset(List.of(SampleColumns.id()));
    ExportOptions options = ExportOptions.of(Strategy.DELETION_VECTORS);
    try (TableTarget target = TableTarget.at(table().toString())) {
      DatasetExport.check(dataset, target, options);
      assertThat(table()).doesNotExist();

      DatasetExport.run(dataset, target, options);
      assertThatThrownBy(() -> DatasetExport.check(dataset, target, options))
          .isInstanceOf(TableNotEmptyException.class);
      assertThatThrownBy(
              () ->
                  DatasetExport.check(
                      dataset(SampleColumns.ofVersion3()),
                      target,
                      ExportOptions.of(Strategy.POSITION_DELETES)))
          .isInstanceOf(UnsupportedFeatureException.class)
          .hasMessageContaining("column ts_ns");
    }
  }

  @ParameterizedTest
  @CsvSource({"DELETION_VECTORS, 2", "POSITION_DELETES, 3", "COPY_ON_WRITE, 1"})
  void aStrategyIsRefusedInAFormatVersionThatLacksIt(Strategy strategy, int formatVersion) {
    assertThatThrownBy(() -> ExportOptions.of(strategy, formatVersion))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining(strategy.text())
        .hasMessageContaining("not " + formatVersion);
  }

  @Test
  void exportsIntoACatalog() throws IOException {
    Map<String, String> catalog =
        Map.of("type", "hadoop", "warehouse", directory.resolve("warehouse").toString());
    SampleDataset dataset = dataset(SampleColumns.ofVersion3());
    try (TableTarget target = TableTarget.inCatalog(catalog, "db.mirror")) {
      DatasetExport.run(dataset, target, ExportOptions.of(Strategy.DELETION_VECTORS));

      assertThat(Judge.liveRows(target.load().orElseThrow()))
          .isEqualTo(Judge.comparable(dataset.liveRows()));
    }
  }
}
