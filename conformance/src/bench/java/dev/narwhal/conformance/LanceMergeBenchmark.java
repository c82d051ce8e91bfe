package dev.narwhal.conformance;

import dev.narwhal.lance.write.merge.MergeOptions;
import dev.narwhal.lance.write.merge.WhenMatched;
import dev.narwhal.lance.write.merge.WhenNotMatched;
import dev.narwhal.lance.write.merge.WhenNotMatchedBySource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;
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
 * The same upserts by Narwhal and by real Lance in the same run, each on a copy of {@link
 * ReadBenchmarkData#PLAIN}: one row of the source for each hundred of the table, half of them new,
 * no index. {@code -p scale=0.1} takes a tenth of the rows. Each call opens the newest version, and
 * updates and inserts rows that no call before it did.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 5)
@Measurement(iterations = 10)
@Fork(
    value = 1,
    jvmArgsAppend = {
      "--add-opens=java.base/java.nio=ALL-UNNAMED",
      "-Darrow.allocation.manager.type=Unsafe",
      "-Xmx512m"
    })
@SuppressWarnings("NullAway.Init") // JMH fills the fields
public class LanceMergeBenchmark {
  private static final MergeCase UPSERT =
      new MergeCase(
          List.of("id"),
          WhenMatched.updateAll(),
          WhenNotMatched.INSERT,
          WhenNotMatchedBySource.keep());

  @Param({"1.0"})
  public double scale;

  @Param({"false", "true"})
  public boolean stableRowIds;

  private Path folder;
  private Schema schema;
  private long rows;
  private int call;

  @Setup(Level.Trial)
  public void write() throws IOException {
    folder = Files.createTempDirectory("narwhal-bench");
    for (String copy : new String[] {"ours", "theirs"}) {
      JudgeWriter plain = JudgeWriter.at(folder.resolve(copy), "2.1");
      ReadBenchmarkData.PLAIN.write(stableRowIds ? plain.withStableRowIds() : plain, scale);
    }
    try (LanceJudge judge = LanceJudge.open(folder.resolve("theirs"))) {
      schema = judge.schema();
      rows = judge.countRows();
    }
    call = 1;
    if (ours() != theirs()) {
      throw new IllegalStateException("both sides must update and insert the same rows");
    }
  }

  @Setup(Level.Iteration)
  public void next() {
    call++;
  }

  @TearDown(Level.Trial)
  public void remove() throws IOException {
    BenchmarkFiles.remove(folder);
  }

  @Benchmark
  public long ours() throws IOException {
    return UPSERT
        .byUs(folder.resolve("ours"), schema, this::fill, MergeOptions.standard())
        .updatedRows();
  }

  @Benchmark
  public long theirs() throws IOException {
    return UPSERT.byThem(folder.resolve("theirs"), schema, this::fill).updated();
  }

  /** Every other row is one of the table, all over it; the others are new. */
  private void fill(VectorSchemaRoot batch) {
    int count = (int) (rows / 100);
    for (FieldVector vector : batch.getFieldVectors()) {
      vector.clear();
      vector.setInitialCapacity(count);
      vector.allocateNew();
      for (int i = 0; i < count; i++) {
        boolean isNew = i % 2 == 1;
        long id = isNew ? rows * (call + 1L) + i : (i * 100L + call) % rows;
        if (vector instanceof BigIntVector longs) {
          longs.setSafe(i, id);
        } else if (vector instanceof Float8Vector doubles) {
          doubles.setSafe(i, id * 0.5);
        } else {
          byte[] text = ("merged by call " + call).getBytes(StandardCharsets.UTF_8);
          ((VarCharVector) vector).setSafe(i, text);
        }
      }
    }
    batch.setRowCount(count);
  }
}
