package dev.narwhal.iceberg.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.narwhal.iceberg.source.NestedColumns;
import dev.narwhal.iceberg.source.SampleColumn;
import dev.narwhal.iceberg.source.SampleDataset;
import dev.narwhal.iceberg.table.TableTarget;
import dev.narwhal.lance.deletion.DeletionVector;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.GenericFileWriterFactory;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.io.OutputFileFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The metrics of our data files against those of Iceberg's own writer for the same rows. */
class DataFileMetricsTest {
  @TempDir Path directory;
  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void nothingLeaks() {
    allocator.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"truncate(16)", "full", "counts", "none"})
  void metricsAreThoseOfIcebergsOwnWriter(String mode) throws IOException {
    Map<String, String> properties =
        Map.of(
            "write.metadata.metrics.default", mode,
            // several row groups, so that bounds are merged
            "write.parquet.row-group-size-bytes", "100000",
            "write.parquet.row-group-check-min-record-count", "100");
    List<SampleColumn> columns = NestedColumns.andFlatOnes(3);
    SampleDataset dataset =
        new SampleDataset(columns, allocator, 700).with(2_000, DeletionVector.empty());
    try (TableTarget target = TableTarget.at(directory.resolve("table").toString())) {
      DatasetExport.run(
          dataset,
          target,
          ExportOptions.of(Strategy.DELETION_VECTORS).withTableProperties(properties));
      Table table = target.load().orElseThrow();

      DataFile ours = onlyFile(table);
      DataFile theirs = rewrittenByIceberg(table);

      assertThat(ours.splitOffsets()).hasSizeGreaterThan(1);
      assertThat(ours.recordCount()).isEqualTo(theirs.recordCount());
      assertThat(ours.splitOffsets()).isEqualTo(theirs.splitOffsets());
      assertThat(ours.columnSizes()).isEqualTo(theirs.columnSizes());
      assertThat(ours.valueCounts()).isEqualTo(theirs.valueCounts());
      assertThat(ours.nullValueCounts()).isEqualTo(theirs.nullValueCounts());
      assertThat(ours.nanValueCounts()).isEqualTo(theirs.nanValueCounts());
      assertThat(ours.lowerBounds()).isEqualTo(theirs.lowerBounds());
      assertThat(ours.upperBounds()).isEqualTo(theirs.upperBounds());
      assertThat(ours.fileSizeInBytes()).isEqualTo(theirs.fileSizeInBytes());
    }
  }

  private static DataFile onlyFile(Table table) throws IOException {
    try (CloseableIterable<FileScanTask> tasks = table.newScan().includeColumnStats().planFiles()) {
      return tasks.iterator().next().file();
    }
  }

  private static DataFile rewrittenByIceberg(Table table) throws IOException {
    OutputFileFactory files = OutputFileFactory.builderFor(table, 9, 9).build();
    DataWriter<Record> writer =
        new GenericFileWriterFactory.Builder(table)
            .build()
            .newDataWriter(files.newOutputFile(), table.spec(), null);
    try (writer;
        CloseableIterable<Record> records = IcebergGenerics.read(table).build()) {
      records.forEach(writer::write);
    }
    return writer.toDataFile();
  }
}
