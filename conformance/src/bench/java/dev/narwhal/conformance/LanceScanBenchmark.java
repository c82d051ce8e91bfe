package dev.narwhal.conformance;

import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.scan.BatchReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.lance.ipc.ScanOptions;
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
 * Counts and scans of 5,000,000 rows in 5 fragments (int64, text of 20 characters, float64), by
 * Narwhal and by real Lance in the same run. {@code -p rows=N} chooses another size.
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
public class LanceScanBenchmark {
  private static final Schema SCHEMA =
      new Schema(
          List.of(
              new Field("id", FieldType.notNullable(new ArrowType.Int(64, true)), null),
              new Field("name", FieldType.notNullable(new ArrowType.Utf8()), null),
              new Field(
                  "x",
                  FieldType.notNullable(new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE)),
                  null)));
  private static final int FRAGMENTS = 5;

  @Param({"5000000"})
  public int rows;

  /** Which rows are deleted before the scans. */
  @Param({"", "id % 100 = 7", "id % 5 = 0"})
  public String deleted;

  private Path folder;
  private Path dataset;
  private BufferAllocator allocator;
  private Dataset ours;
  private LanceJudge theirs;

  @Setup(Level.Trial)
  public void write() throws IOException {
    folder = Files.createTempDirectory("narwhal-bench");
    dataset = folder.resolve("ds");
    int perFragment = rows / FRAGMENTS;
    JudgeWriter.at(dataset, "2.1")
        .create(
            SCHEMA,
            List.of(perFragment, perFragment, perFragment, perFragment, perFragment),
            LanceScanBenchmark::fill);
    if (!deleted.isEmpty()) {
      try (LanceJudge judge = LanceJudge.open(dataset)) {
        judge.delete(deleted);
      }
    }
    allocator = new RootAllocator();
    ours = Dataset.open(dataset.toString(), allocator);
    theirs = LanceJudge.open(dataset);
    long live = theirs.countRows();
    if (scanOurs() != live || scanTheirs() != live || countOurs() != countTheirs()) {
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
  public long scanOurs() throws IOException {
    long seen = 0;
    try (BatchReader reader = ours.read()) {
      while (reader.next()) {
        seen += reader.batch().getRowCount();
      }
    }
    return seen;
  }

  @Benchmark
  public long scanTheirs() throws IOException {
    long[] seen = new long[1];
    theirs.scan(
        new ScanOptions.Builder().build(), (batch, dictionaries) -> seen[0] += batch.getRowCount());
    return seen[0];
  }

  @Benchmark
  public long countOurs() throws IOException {
    return ours.countRows("x < 0.5");
  }

  @Benchmark
  public long countTheirs() {
    return theirs.countRows("x < 0.5");
  }

  private static void fill(VectorSchemaRoot batch, int fragment, int count) {
    SplittableRandom random = new SplittableRandom(fragment);
    BigIntVector ids = (BigIntVector) batch.getVector("id");
    VarCharVector names = (VarCharVector) batch.getVector("name");
    Float8Vector xs = (Float8Vector) batch.getVector("x");
    ids.allocateNew(count);
    names.allocateNew(20L * count, count);
    xs.allocateNew(count);
    for (int i = 0; i < count; i++) {
      ids.set(i, (long) fragment * count + i);
      String text = Long.toHexString(random.nextLong() | Long.MIN_VALUE) + "abcd";
      names.set(i, text.getBytes(StandardCharsets.US_ASCII));
      xs.set(i, random.nextDouble());
    }
    batch.setRowCount(count);
  }
}
