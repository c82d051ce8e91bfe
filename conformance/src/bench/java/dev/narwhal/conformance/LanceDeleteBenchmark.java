package dev.narwhal.conformance;

import dev.narwhal.lance.Dataset;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
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
 * The same deletes by Narwhal and by real Lance in the same run, each on a copy of {@link
 * ReadBenchmarkData#PLAIN}. {@code -p scale=0.1} takes a tenth of the rows. Each call deletes rows
 * that no call before it did, so that deletion files grow as they do in use.
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
public class LanceDeleteBenchmark {
  private static final int IN_A_ROW = 100;

  @Param({"1.0"})
  public double scale;

  /** What to do. */
  public enum Job {
    /** One commit that deletes one row in a hundred, all over the table. */
    SCATTERED_PERCENT,
    /** A hundred commits of one row each. */
    HUNDRED_SINGLE_ROWS
  }

  @Param public Job job;

  private Path folder;
  private BufferAllocator allocator;
  private Dataset ours;
  private LanceJudge theirs;
  private int call;

  @Setup(Level.Trial)
  public void write() throws IOException {
    folder = Files.createTempDirectory("narwhal-bench");
    for (String copy : new String[] {"ours", "theirs"}) {
      ReadBenchmarkData.PLAIN.write(folder.resolve(copy), scale);
    }
    allocator = new RootAllocator();
    ours = Dataset.open(folder.resolve("ours").toString(), allocator);
    theirs = LanceJudge.open(folder.resolve("theirs"));
    call = 1;
    ours();
    theirs();
    if (ours.countRows() != theirs.countRows()) {
      throw new IllegalStateException("both sides must delete the same rows");
    }
  }

  @Setup(Level.Iteration)
  public void next() {
    call++;
  }

  @TearDown(Level.Trial)
  public void remove() throws IOException {
    theirs.close();
    allocator.close();
    BenchmarkFiles.remove(folder);
  }

  @Benchmark
  public long ours() throws IOException {
    if (job == Job.SCATTERED_PERCENT) {
      ours.delete(scattered());
      ours = ours.latest();
    } else {
      for (int i = 0; i < IN_A_ROW; i++) {
        ours.delete(single(i));
        ours = ours.latest();
      }
    }
    return ours.version();
  }

  @Benchmark
  public long theirs() {
    if (job == Job.SCATTERED_PERCENT) {
      return theirs.delete(scattered());
    }
    for (int i = 0; i < IN_A_ROW; i++) {
      theirs.delete(single(i));
    }
    return theirs.version();
  }

  private String scattered() {
    return "id % 100 = " + call;
  }

  private String single(int i) {
    return "id = " + (call * 1_003L + i * 37L);
  }
}
