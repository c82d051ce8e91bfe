package dev.narwhal.conformance;

import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.scan.BatchReader;
import dev.narwhal.lance.scan.ScanOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
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
 * The same reading jobs by Narwhal and by real Lance in the same run, on each of {@link
 * ReadBenchmarkData}. {@code -p scale=0.1} takes a tenth of the rows. One row in a hundred is
 * deleted. The heap is smaller than the data.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 4, time = 2)
@Fork(
    value = 1,
    jvmArgsAppend = {
      "--add-opens=java.base/java.nio=ALL-UNNAMED",
      "-Darrow.allocation.manager.type=Unsafe",
      "-Xmx512m"
    })
@SuppressWarnings("NullAway.Init") // JMH fills the fields
public class LanceReadBenchmark {
  private static final int TAKEN = 1_000;
  private static final String DELETED = "id % 100 = 7";

  @Param({"PLAIN", "VECTORS", "NESTED", "TEXT"})
  public String data;

  @Param({"1.0"})
  public double scale;

  /** What to do. */
  public enum Job {
    /** All columns of all live rows. */
    SCAN_ALL(""),
    /** The column that the dataset is named after, of all live rows. */
    SCAN_ONE(""),
    /** All columns of one live row in a thousand. */
    FILTER_0_1_PERCENT("x < 0.001"),
    /** All columns of one live row in a hundred. */
    FILTER_1_PERCENT("x < 0.01"),
    /** All columns of every other live row. */
    FILTER_50_PERCENT("x < 0.5"),
    /** The number of live rows that a filter leaves. */
    COUNT("x < 0.5"),
    /** All columns of 1,000 live rows anywhere. */
    TAKE_1000("");

    private final String filter;

    Job(String filter) {
      this.filter = filter;
    }
  }

  @Param public Job job;

  private Path folder;
  private BufferAllocator allocator;
  private String column;
  private long[] offsets;
  private List<Long> boxedOffsets;
  private Dataset ours;
  private LanceJudge theirs;

  @Setup(Level.Trial)
  public void write() throws IOException {
    ReadBenchmarkData written = ReadBenchmarkData.valueOf(data);
    column = written.column;
    folder = Files.createTempDirectory("narwhal-bench");
    Path dataset = folder.resolve("ds");
    written.write(dataset, scale);
    try (LanceJudge judge = LanceJudge.open(dataset)) {
      judge.delete(DELETED);
    }
    allocator = new RootAllocator();
    ours = Dataset.open(dataset.toString(), allocator);
    theirs = LanceJudge.open(dataset);
    offsets = new SplittableRandom(1).longs(TAKEN, 0, ours.countRows()).toArray();
    boxedOffsets = Arrays.stream(offsets).boxed().toList();
    if (ours() != theirs()) {
      throw new IllegalStateException("both sides must see the same rows");
    }
  }

  @TearDown(Level.Trial)
  public void remove() throws IOException {
    theirs.close();
    allocator.close();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Benchmark
  public long ours() throws IOException {
    if (job == Job.COUNT) {
      return ours.countRows(job.filter);
    }
    if (job == Job.TAKE_1000) {
      try (VectorSchemaRoot rows = ours.takeOffsets(offsets, ours.columnNames())) {
        return rows.getRowCount();
      }
    }
    ScanOptions options =
        ScanOptions.of(job == Job.SCAN_ONE ? List.of(column) : ours.columnNames());
    if (!job.filter.isEmpty()) {
      options = options.withFilter(ours.predicate(job.filter));
    }
    long seen = 0;
    try (BatchReader reader = ours.scan(options).read(allocator)) {
      while (reader.next()) {
        seen += reader.batch().getRowCount();
      }
    }
    return seen;
  }

  @Benchmark
  public long theirs() throws IOException {
    if (job == Job.COUNT) {
      return theirs.countRows(job.filter);
    }
    if (job == Job.TAKE_1000) {
      return theirs.countTaken(boxedOffsets, ours.columnNames());
    }
    org.lance.ipc.ScanOptions.Builder options = new org.lance.ipc.ScanOptions.Builder();
    if (job == Job.SCAN_ONE) {
      options.columns(List.of(column));
    }
    if (!job.filter.isEmpty()) {
      options.filter(job.filter);
    }
    long[] seen = new long[1];
    theirs.scan(options.build(), (batch, dictionaries) -> seen[0] += batch.getRowCount());
    return seen[0];
  }
}
