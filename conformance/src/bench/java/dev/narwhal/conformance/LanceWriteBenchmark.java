package dev.narwhal.conformance;

import dev.narwhal.lance.datafile.write.LanceFileWriter;
import dev.narwhal.lance.datafile.write.WriterOptions;
import dev.narwhal.lance.schema.LogicalTypes;
import dev.narwhal.lance.storage.LocalObjectStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
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
 * The same rows, which are in memory, written as one file of 2.1 by Narwhal and by real Lance in
 * the same run; real Lance makes a dataset of it, which is one manifest more. Five batches of equal
 * rows. {@code -p scale=0.1} takes a tenth.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
    value = 1,
    jvmArgsAppend = {
      "--add-opens=java.base/java.nio=ALL-UNNAMED",
      "-Darrow.allocation.manager.type=Unsafe",
      "-Xmx512m"
    })
@SuppressWarnings("NullAway.Init") // JMH fills the fields
public class LanceWriteBenchmark {
  private static final int BATCHES = 5;

  @Param({"PLAIN", "VECTORS", "NESTED", "TEXT"})
  public String data;

  @Param({"1.0"})
  public double scale;

  private Path folder;
  private BufferAllocator allocator;
  private Schema schema;
  private VectorSchemaRoot batch;
  private int written;

  @Setup(Level.Trial)
  public void fill() throws IOException {
    ReadBenchmarkData kind = ReadBenchmarkData.valueOf(data);
    schema = kind.schema();
    allocator = new RootAllocator();
    batch = VectorSchemaRoot.create(schema, allocator);
    kind.fill(batch, 0, (int) (kind.rows * scale) / BATCHES);
    folder = Files.createTempDirectory("narwhal-bench");
    long ourBytes = ours();
    long theirBytes = theirs();
    System.out.printf(
        "%n%s: %d bytes, real Lance %d, ratio %.3f%n",
        data, ourBytes, theirBytes, (double) ourBytes / theirBytes);
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
    try (LanceFileWriter writer =
        LanceFileWriter.create(
            LocalObjectStore.at(folder),
            "ours" + written++ + "/data/a.lance",
            LogicalTypes.of(schema),
            WriterOptions.defaults())) {
      for (int i = 0; i < BATCHES; i++) {
        writer.write(batch);
      }
      return writer.finish().sizeBytes();
    }
  }

  @Benchmark
  public long theirs() throws IOException {
    Path dataset = folder.resolve("theirs" + written++);
    try (ArrowReader reader = new Repeated(allocator)) {
      Dataset.write()
          .allocator(allocator)
          .reader(reader)
          .uri(dataset.toString())
          .mode(WriteMode.CREATE)
          .maxRowsPerFile(Integer.MAX_VALUE)
          .dataStorageVersion("2.1")
          .execute()
          .close();
    }
    try (Stream<Path> files = Files.list(dataset.resolve("data"))) {
      List<Path> all = files.toList();
      return all.stream().mapToLong(file -> file.toFile().length()).sum();
    }
  }

  /** The batch, several times, without a copy. */
  private final class Repeated extends ArrowReader {
    private int left = BATCHES;

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
      return schema;
    }
  }
}
