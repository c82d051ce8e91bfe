package dev.narwhal.conformance.bench;

import dev.narwhal.iceberg.rowdelete.RowDeletes;
import dev.narwhal.iceberg.rowdelete.plan.RowDeletePlan;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.GenericFileWriterFactory;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.inmemory.InMemoryCatalog;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Types;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Planning over 50,000 data files with a vector each, of which statistics leave one. That one is
 * there; the others, and all vectors, are not, so that reading one would fail.
 *
 * <ul>
 *   <li>{@code ours}: the rows to delete.
 *   <li>{@code icebergScan}: Iceberg's plan of a scan with the same filter.
 *   <li>{@code icebergScanOfAll}: Iceberg's plan of a scan of the whole table.
 * </ul>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 3)
@Measurement(iterations = 5, time = 3)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms2g", "-Xmx2g"})
public class DeletePlanBenchmark {
  private static final Schema SCHEMA =
      new Schema(Types.NestedField.required(1, "id", Types.LongType.get()));
  private static final int ROWS = 10;

  @Param({"50000"})
  public int files = 50_000;

  private final BufferAllocator allocator = new RootAllocator();
  private final InMemoryCatalog catalog = new InMemoryCatalog();
  private String location = "";

  private Table table() {
    return catalog.loadTable(TableIdentifier.of("db", "t"));
  }

  /** Makes the table, and finds that both plans name the one file. */
  @Setup
  public void setUp() throws IOException {
    catalog.initialize("memory", Map.of());
    catalog.createNamespace(Namespace.of("db"));
    Table table =
        catalog.createTable(
            TableIdentifier.of("db", "t"),
            SCHEMA,
            PartitionSpec.unpartitioned(),
            Map.of("format-version", "3"));
    AppendFiles append = table.newFastAppend();
    for (int i = 1; i < files; i++) {
      append.appendFile(absent(i));
    }
    DataFile real = real(table);
    append.appendFile(real);
    append.commit();
    RowDelta vectors = table.newRowDelta();
    for (int i = 1; i < files; i++) {
      vectors.addDeletes(
          FileMetadata.deleteFileBuilder(PartitionSpec.unpartitioned())
              .ofPositionDeletes()
              .withFormat(FileFormat.PUFFIN)
              .withPath("mem://absent/vectors.puffin")
              .withFileSizeInBytes(50L * files)
              .withReferencedDataFile(path(i))
              .withContentOffset(4 + 46L * i)
              .withContentSizeInBytes(46)
              .withRecordCount(1)
              .build());
    }
    vectors.commit();
    location = real.location();
    if (ours() != ROWS - 1 || icebergScan() != 1 || icebergScanOfAll() != files) {
      throw new IllegalStateException("plans differ");
    }
  }

  private static String path(int i) {
    return "mem://absent/data/00000-%05d-7f9c24e8-3b12-4fef-91e0-0a5a1b9f3a11.parquet".formatted(i);
  }

  private static DataFile absent(int i) {
    ByteBuffer least = Conversions.toByteBuffer(Types.LongType.get(), (long) i * ROWS);
    ByteBuffer greatest = Conversions.toByteBuffer(Types.LongType.get(), (long) i * ROWS + 9);
    return DataFiles.builder(PartitionSpec.unpartitioned())
        .withPath(path(i))
        .withFormat(FileFormat.PARQUET)
        .withFileSizeInBytes(1_000)
        .withMetrics(
            new Metrics(
                (long) ROWS,
                Map.of(1, 100L),
                Map.of(1, (long) ROWS),
                Map.of(1, 0L),
                Map.of(),
                Map.of(1, least),
                Map.of(1, greatest)))
        .build();
  }

  /** Rows 0 to 9. */
  private static DataFile real(Table table) throws IOException {
    DataWriter<Record> writer =
        new GenericFileWriterFactory.Builder(table)
            .dataFileFormat(FileFormat.PARQUET)
            .build()
            .newDataWriter(
                OutputFileFactory.builderFor(table, 0, 0).build().newOutputFile(),
                PartitionSpec.unpartitioned(),
                null);
    try (writer) {
      for (long id = 0; id < ROWS; id++) {
        writer.write(GenericRecord.create(SCHEMA).copy(Map.of("id", id)));
      }
    }
    return writer.toDataFile();
  }

  @Benchmark
  public long ours() throws IOException {
    Table table = table();
    RowDeletes deletes = new RowDeletes(table, allocator);
    RowDeletePlan plan = deletes.planRowDeletes(deletes.matcher("id < 9"));
    List<String> found = plan.files().stream().map(file -> file.dataFile().location()).toList();
    if (!found.equals(List.of(location))) {
      throw new IllegalStateException("planned " + found);
    }
    return plan.deletedRows().orElseThrow();
  }

  @Benchmark
  public long icebergScan() throws IOException {
    try (CloseableIterable<FileScanTask> tasks =
        table().newScan().filter(Expressions.lessThan("id", 9L)).planFiles()) {
      return count(tasks);
    }
  }

  @Benchmark
  public long icebergScanOfAll() throws IOException {
    try (CloseableIterable<FileScanTask> tasks = table().newScan().planFiles()) {
      return count(tasks);
    }
  }

  private static long count(Iterable<FileScanTask> tasks) {
    long count = 0;
    for (FileScanTask task : tasks) {
      count += task.deletes().size() < 2 ? 1 : 0;
    }
    return count;
  }

  @TearDown
  public void tearDown() throws IOException {
    allocator.close();
    catalog.close();
  }
}
