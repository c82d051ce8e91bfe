package dev.narwhal.conformance;

import dev.narwhal.lance.storage.LocalObjectStore;
import dev.narwhal.lance.write.RowSource;
import dev.narwhal.lance.write.insert.InsertOptions;
import dev.narwhal.lance.write.insert.NewDataset;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.pojo.Schema;
import org.lance.Dataset;
import org.lance.WriteParams.WriteMode;
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
 * Inserts by Narwhal and by real Lance in the same run, from rows in memory, opening included.
 * {@code SMALL}: a dataset is made, and 1,000 times 10 rows are appended, each with its own open
 * and commit. {@code LARGE}: 5,000,000 rows (int64, text, float64) become a dataset.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2)
@Measurement(iterations = 5)
@Fork(
    value = 1,
    jvmArgsAppend = {
      "--add-opens=java.base/java.nio=ALL-UNNAMED",
      "-Darrow.allocation.manager.type=Unsafe",
      "-Xmx512m"
    })
@SuppressWarnings("NullAway.Init") // JMH fills the fields
public class InsertBenchmark {
  @Param({"SMALL", "LARGE"})
  public String kind;

  @Param({"false", "true"})
  public boolean stableRowIds;

  private Path folder;
  private BufferAllocator allocator;
  private VectorSchemaRoot batch;
  private int appends;
  private int batches;

  @Setup(Level.Trial)
  public void fill() throws IOException {
    boolean small = kind.equals("SMALL");
    appends = small ? 1000 : 0;
    batches = small ? 1 : 5;
    int rows = small ? 10 : 1_000_000;
    allocator = new RootAllocator();
    batch = VectorSchemaRoot.create(ReadBenchmarkData.PLAIN.schema(), allocator);
    ReadBenchmarkData.PLAIN.fill(batch, 0, rows);
    folder = Files.createTempDirectory("narwhal-bench");
    long expected = (long) rows * (batches + (small ? appends : 0));
    if (ours() != expected || theirs() != expected) {
      throw new IllegalStateException("not all rows are there");
    }
    remove();
  }

  @TearDown(Level.Iteration)
  public void remove() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        if (!file.equals(folder)) {
          Files.delete(file);
        }
      }
    }
  }

  @TearDown(Level.Trial)
  public void close() throws IOException {
    batch.close();
    allocator.close();
    Files.delete(folder);
  }

  @Benchmark
  public long ours() throws IOException {
    Path dataset = folder.resolve("ours");
    try (RowSource source = RowSource.of(new Repeated(allocator))) {
      InsertOptions options = InsertOptions.standard();
      new NewDataset(LocalObjectStore.at(dataset))
          .withOptions(stableRowIds ? options.withStableRowIds() : options)
          .write(source);
    }
    for (int i = 0; i < appends; i++) {
      try (RowSource source = RowSource.of(batch)) {
        dev.narwhal.lance.Dataset.open(dataset.toString(), allocator).insert().append(source);
      }
    }
    return dev.narwhal.lance.Dataset.open(dataset.toString(), allocator).countRows();
  }

  @Benchmark
  public long theirs() throws IOException {
    Path dataset = folder.resolve("theirs");
    write(dataset, WriteMode.CREATE);
    for (int i = 0; i < appends; i++) {
      write(dataset, WriteMode.APPEND);
    }
    try (Dataset written = Dataset.open().allocator(allocator).uri(dataset.toString()).build()) {
      return written.countRows();
    }
  }

  private void write(Path dataset, WriteMode mode) throws IOException {
    try (ArrowReader reader = new Repeated(allocator)) {
      Dataset.write()
          .allocator(allocator)
          .reader(reader)
          .uri(dataset.toString())
          .mode(mode)
          .dataStorageVersion("2.1")
          .enableStableRowIds(stableRowIds)
          .execute()
          .close();
    }
  }

  /** The batch, several times, without a copy. */
  private final class Repeated extends ArrowReader {
    private int left = batches;

    Repeated(BufferAllocator allocator) {
      super(allocator);
    }

    @Override
    public boolean loadNextBatch() throws IOException {
      if (left-- == 0) {
        return false;
      }
      prepareLoadNextBatch();
      try (ArrowRecordBatch buffers = new VectorUnloader(batch).getRecordBatch()) {
        new VectorLoader(getVectorSchemaRoot()).load(buffers);
      }
      return true;
    }

    @Override
    public long bytesRead() {
      return 0;
    }

    @Override
    protected void closeReadSource() {}

    @Override
    protected Schema readSchema() {
      return batch.getSchema();
    }
  }
}
