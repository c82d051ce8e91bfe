package dev.narwhal.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.narwhal.iceberg.export.DatasetExport;
import dev.narwhal.iceberg.export.ExportOptions;
import dev.narwhal.iceberg.export.Strategy;
import dev.narwhal.iceberg.rowdelete.RowDeletes;
import dev.narwhal.iceberg.rowdelete.commit.ChangeReport;
import dev.narwhal.iceberg.rowdelete.plan.DeleteMode;
import dev.narwhal.iceberg.rowdelete.plan.NothingToDeleteException;
import dev.narwhal.iceberg.rowdelete.plan.PredicateMatcher;
import dev.narwhal.iceberg.source.LanceSource;
import dev.narwhal.iceberg.table.TableTarget;
import dev.narwhal.iceberg.verify.RowVerification;
import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.puffin.DvEntry;
import dev.narwhal.puffin.DvPuffinReader;
import dev.narwhal.puffin.PositionSet;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.deletes.PositionDeleteIndex;
import org.apache.iceberg.io.CloseableIterable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Iceberg's generic reader sees in our tables the live rows that real Lance sees in the dataset.
 */
class ExportsJudgedTest {
  private static final List<String> DATASETS =
      List.of(
          "del-sparse", // arrays
          "del-dense-bitmap", // one bitmap
          "del-array-grows-to-bitmap",
          "del-whole-fragment",
          "del-nulls",
          "del-all", // no row in the first fragments
          "empty",
          "add-null-column", // a column that old fragments lack
          "stable-delete",
          "compact-plain",
          "shallow-clone"); // files under a base path

  @TempDir Path folder;

  static List<Arguments> exports() {
    List<Arguments> exports = new ArrayList<>();
    for (String dataset : DATASETS) {
      for (Strategy strategy : Strategy.values()) {
        exports.add(Arguments.of(dataset, strategy));
      }
    }
    return exports;
  }

  @ParameterizedTest(name = "{0} as {1}")
  @MethodSource("exports")
  void icebergSeesRealLancesLiveRows(String name, Strategy strategy) throws IOException {
    Path path = Fixtures.lanceDataset(name).dataset();
    long[] expected;
    try (LanceJudge judge = LanceJudge.open(path)) {
      expected = judge.longs("id");
    }
    Arrays.sort(expected);
    try (BufferAllocator allocator = new RootAllocator();
        TableTarget target = TableTarget.at(folder.resolve("table").toString())) {
      LanceSource source = new LanceSource(Dataset.open(path.toString(), allocator), allocator);
      DatasetExport.run(source, target, ExportOptions.of(strategy));
      Table table = target.load().orElseThrow();
      assertThat(ids(table)).isEqualTo(expected);
      assertThat(RowVerification.run(source, table).equal()).isTrue();
      assertVectorsAreWhereTheManifestSays(table);
    }
  }

  @ParameterizedTest(name = "{0} as {1}")
  @MethodSource("exports")
  void deletesAddUpToWhatRealLanceLeaves(String name, Strategy strategy) throws IOException {
    String where = "id % 4 = 1";
    Path path = Fixtures.lanceDataset(name).dataset();
    long[] expected;
    long matching;
    try (LanceJudge judge = LanceJudge.open(path)) {
      expected = Arrays.stream(judge.longs("id")).filter(id -> id % 4 != 1).sorted().toArray();
      matching = judge.countRows(where);
    }
    try (BufferAllocator allocator = new RootAllocator();
        TableTarget target = TableTarget.at(folder.resolve("table").toString())) {
      LanceSource source = new LanceSource(Dataset.open(path.toString(), allocator), allocator);
      // many small files, so that slices of vectors begin where containers do not
      DatasetExport.run(
          source,
          target,
          ExportOptions.of(strategy)
              .withTableProperties(
                  Map.of(
                      "write.target-file-size-bytes", "2000",
                      "write.parquet.row-group-size-bytes", "1000",
                      "write.parquet.row-group-check-min-record-count", "100")));
      Table table = target.load().orElseThrow();
      DeleteMode mode =
          strategy == Strategy.COPY_ON_WRITE ? DeleteMode.COPY_ON_WRITE : DeleteMode.MERGE_ON_READ;
      PredicateMatcher matcher = PredicateMatcher.of(where, table.schema());
      if (matching == 0) {
        assertThatThrownBy(() -> new RowDeletes(table, allocator).delete(matcher, mode))
            .isInstanceOf(NothingToDeleteException.class);
      } else {
        ChangeReport report = new RowDeletes(table, allocator).delete(matcher, mode);
        assertThat(report.deletedRows()).hasValue(matching);
      }
      table.refresh();
      assertThat(ids(table)).isEqualTo(expected);
      assertVectorsAreWhereTheManifestSays(table);
    }
  }

  @Test
  void aBitmapFileBecomesTheBodyOfTheBlobByteForByte() throws IOException {
    Path path = Fixtures.lanceDataset("del-dense-bitmap").dataset();
    try (BufferAllocator allocator = new RootAllocator();
        TableTarget target = TableTarget.at(folder.resolve("table").toString())) {
      Dataset dataset = Dataset.open(path.toString(), allocator);
      DatasetExport.run(
          new LanceSource(dataset, allocator), target, ExportOptions.of(Strategy.DELETION_VECTORS));
      Fragment fragment = dataset.fragments().get(0);
      byte[] stored =
          Files.readAllBytes(
              path.resolve(fragment.deletionFile().orElseThrow().relativePath(fragment.id())));
      byte[] blob = new byte[20 + stored.length + 4];
      try (CloseableIterable<FileScanTask> tasks =
          target.load().orElseThrow().newScan().planFiles()) {
        DeleteFile vector = tasks.iterator().next().deletes().get(0);
        assertThat(vector.contentSizeInBytes()).isEqualTo(blob.length);
        new DvPuffinReader(target.load().orElseThrow().io().newInputFile(vector.location()))
            .blob(vector.contentOffset(), vector.contentSizeInBytes())
            .get(blob);
      }
      assertThat(Arrays.copyOfRange(blob, 20, 20 + stored.length)).isEqualTo(stored);
    }
  }

  @Test
  void aBitmapFileThatIsDamagedOrMiscountedIsNotSpliced() throws IOException {
    Path path = Fixtures.lanceDataset("del-dense-bitmap").copyInto(folder);
    try (BufferAllocator allocator = new RootAllocator()) {
      Dataset dataset = Dataset.open(path.toString(), allocator);
      Fragment fragment = dataset.fragments().get(0);
      Path file = path.resolve(fragment.deletionFile().orElseThrow().relativePath(fragment.id()));
      LanceSource source = new LanceSource(dataset, allocator);
      byte[] bytes = Files.readAllBytes(file);
      bytes[bytes.length - 1] ^= 1;
      Files.write(file, bytes);
      assertThatThrownBy(() -> source.fragments().get(0).portableDeletions())
          .isInstanceOf(LanceFormatException.class)
          .hasMessageContaining(file.getFileName().toString());
      ByteBuffer other = PositionSet.of(3).toPortable();
      bytes = new byte[other.remaining()];
      other.get(bytes);
      Files.write(file, bytes);
      assertThatThrownBy(() -> source.fragments().get(0).portableDeletions())
          .isInstanceOf(LanceFormatException.class)
          .hasMessageContaining("1 deleted rows, the manifest says 6000");
    }
  }

  private static long[] ids(Table table) throws IOException {
    List<Long> ids = new ArrayList<>();
    try (CloseableIterable<Record> records = IcebergGenerics.read(table).select("id").build()) {
      for (Record record : records) {
        ids.add((Long) record.getField("id"));
      }
    }
    return ids.stream().mapToLong(Long::longValue).sorted().toArray();
  }

  /** At most one vector for each data file, at the place that the Puffin footer gives, too. */
  private static void assertVectorsAreWhereTheManifestSays(Table table) throws IOException {
    try (CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
      for (FileScanTask task : tasks) {
        List<DeleteFile> vectors =
            task.deletes().stream().filter(file -> file.format() == FileFormat.PUFFIN).toList();
        assertThat(vectors).hasSizeLessThanOrEqualTo(1);
        for (DeleteFile vector : vectors) {
          DvPuffinReader puffin = new DvPuffinReader(table.io().newInputFile(vector.location()));
          assertThat(puffin.entries())
              .contains(
                  new DvEntry(
                      task.file().location(),
                      vector.contentOffset(),
                      vector.contentSizeInBytes(),
                      vector.recordCount()));
          byte[] blob = new byte[vector.contentSizeInBytes().intValue()];
          puffin.blob(vector.contentOffset(), vector.contentSizeInBytes()).get(blob);
          PositionDeleteIndex theirs = PositionDeleteIndex.deserialize(blob, vector);
          List<Long> positions = new ArrayList<>();
          theirs.forEach(positions::add);
          List<Long> ours = new ArrayList<>();
          puffin.positions(vector.contentOffset(), vector.contentSizeInBytes()).forEach(ours::add);
          assertThat(positions).isEqualTo(ours);
        }
      }
    }
  }
}
