package dev.narwhal.conformance;

import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.write.DeleteGroup;
import dev.narwhal.lance.write.DeleteOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
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
 * Many threads, each deleting rows of one fragment that no other thread deletes, one row a commit,
 * without any help by the caller: what fails has failed. The fragment has 20,000 rows; its table is
 * new for each iteration. Failures are printed.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 1)
@Measurement(iterations = 3)
@Fork(
    value = 1,
    jvmArgsAppend = {
      "--add-opens=java.base/java.nio=ALL-UNNAMED",
      "-Darrow.allocation.manager.type=Unsafe",
      "-Xmx512m"
    })
@SuppressWarnings("NullAway.Init") // JMH fills the fields
public class ConcurrentDeleteBenchmark {
  private static final int ROWS = 20_000;

  @Param({"8"})
  public int threads;

  @Param({"200"})
  public int deletes;

  private Path folder;
  private BufferAllocator allocator;
  private ExecutorService pool;

  @Setup(Level.Iteration)
  public void write() throws IOException {
    folder = Files.createTempDirectory("narwhal-bench");
    Schema schema =
        new Schema(
            List.of(new Field("id", FieldType.notNullable(new ArrowType.Int(64, true)), null)));
    JudgeWriter.at(folder.resolve("table"), "2.1")
        .create(
            schema,
            List.of(ROWS),
            (batch, fragment, rows) -> {
              BigIntVector ids = (BigIntVector) batch.getVector("id");
              ids.allocateNew(rows);
              for (int i = 0; i < rows; i++) {
                ids.set(i, i);
              }
              batch.setRowCount(rows);
            });
    allocator = new RootAllocator();
    pool = Executors.newFixedThreadPool(threads);
  }

  @TearDown(Level.Iteration)
  public void remove() throws IOException {
    pool.shutdown();
    long left = Dataset.open(table().toString(), allocator).countRows();
    System.out.println("rows deleted: " + (ROWS - left) + " of " + threads * deletes);
    allocator.close();
    BenchmarkFiles.remove(folder);
  }

  /** Each thread with a handle of its own. */
  @Benchmark
  public long ours() throws Exception {
    return failures(
        first -> {
          Dataset dataset = Dataset.open(table().toString(), allocator);
          long failed = 0;
          for (int i = 0; i < deletes; i++) {
            try {
              dataset.delete(one(first, i));
              dataset = dataset.latest();
            } catch (RuntimeException e) {
              failed++;
            }
          }
          return failed;
        });
  }

  /** All threads through one group. */
  @Benchmark
  public long oursInAGroup() throws Exception {
    DeleteGroup group =
        Dataset.open(table().toString(), allocator).deleteGroup(DeleteOptions.standard());
    return failures(
        first -> {
          long failed = 0;
          for (int i = 0; i < deletes; i++) {
            try {
              group.delete(one(first, i));
            } catch (RuntimeException e) {
              failed++;
            }
          }
          return failed;
        });
  }

  /** Each thread with a handle of its own. */
  @Benchmark
  public long theirs() throws Exception {
    return failures(
        first -> {
          long failed = 0;
          try (LanceJudge judge = LanceJudge.open(table())) {
            for (int i = 0; i < deletes; i++) {
              try {
                judge.delete(one(first, i));
              } catch (RuntimeException e) {
                failed++;
              }
            }
          }
          return failed;
        });
  }

  private interface Work {
    long run(int thread) throws IOException;
  }

  private long failures(Work work) throws Exception {
    List<Callable<Long>> tasks = new ArrayList<>();
    for (int thread = 0; thread < threads; thread++) {
      int number = thread;
      tasks.add(() -> work.run(number));
    }
    long failed = 0;
    for (Future<Long> future : pool.invokeAll(tasks)) {
      failed += future.get();
    }
    if (failed > 0) {
      System.out.println("deletes that failed: " + failed);
    }
    return failed;
  }

  private String one(int thread, int i) {
    return "id = " + (i * threads + thread);
  }

  private Path table() {
    return folder.resolve("table");
  }
}
