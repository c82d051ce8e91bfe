package dev.narwhal.conformance;

import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.scan.BatchReader;
import dev.narwhal.lance.scan.ScanOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.lance.merge.MergeInsertParams;
import org.lance.merge.MergeInsertParams.WhenNotMatched;
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
 * One row in a hundred of {@link ReadBenchmarkData#PLAIN} gets another {@code x}: by our update, by
 * our rewrite of the column, and by real Lance, whose Java binding has no update, by a merge of
 * these rows, whose values it is given. Each call updates rows that no call before it did.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 4)
@Measurement(iterations = 8)
@Fork(
    value = 1,
    jvmArgsAppend = {
      "--add-opens=java.base/java.nio=ALL-UNNAMED",
      "-Darrow.allocation.manager.type=Unsafe",
      "-Xmx512m"
    })
@SuppressWarnings("NullAway.Init") // JMH fills the fields
public class LanceUpdateBenchmark {
  @Param({"1.0"})
  public double scale;

  @Param({"false", "true"})
  public boolean stableRowIds;

  private Path folder;
  private BufferAllocator allocator;
  private Dataset ours;
  private Dataset columns;
  private byte[] source = {};
  private int call;

  @Setup(Level.Trial)
  public void write() throws IOException {
    folder = Files.createTempDirectory("narwhal-bench");
    for (String copy : new String[] {"ours", "columns", "theirs"}) {
      JudgeWriter plain = JudgeWriter.at(folder.resolve(copy), "2.1");
      ReadBenchmarkData.PLAIN.write(stableRowIds ? plain.withStableRowIds() : plain, scale);
    }
    allocator = new RootAllocator();
    ours = Dataset.open(folder.resolve("ours").toString(), allocator);
    columns = Dataset.open(folder.resolve("columns").toString(), allocator);
    next();
    ours();
    columns();
    theirs();
    Dataset judged = Dataset.open(folder.resolve("theirs").toString(), allocator);
    long updated = ours.countRows("x >= 1");
    if (updated == 0
        || updated != judged.countRows("x >= 1")
        || updated != columns.countRows("x >= 1")) {
      throw new IllegalStateException("all must update the same rows");
    }
  }

  /** The rows of the next call with their new values, for the merge. */
  @Setup(Level.Iteration)
  public void next() throws IOException {
    call++;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ScanOptions scan =
        ScanOptions.of(List.of("id", "x", "name")).withFilter(columns.predicate(where()));
    try (BatchReader reader = columns.scan(scan).read(allocator);
        VectorSchemaRoot root = VectorSchemaRoot.create(reader.schema(), allocator);
        ArrowStreamWriter writer = new ArrowStreamWriter(root, null, bytes)) {
      writer.start();
      while (reader.next()) {
        VectorSchemaRoot batch = reader.batch();
        Float8Vector x = (Float8Vector) batch.getVector("x");
        for (int i = 0; i < batch.getRowCount(); i++) {
          x.set(i, x.get(i) + 1);
        }
        for (int i = 0; i < root.getFieldVectors().size(); i++) {
          batch.getVector(i).makeTransferPair(root.getVector(i)).transfer();
        }
        root.setRowCount(batch.getRowCount());
        writer.writeBatch();
      }
      writer.end();
    }
    source = bytes.toByteArray();
  }

  @TearDown(Level.Trial)
  public void remove() throws IOException {
    allocator.close();
    BenchmarkFiles.remove(folder);
  }

  private String where() {
    return "id % 100 = " + call;
  }

  @Benchmark
  public long ours() throws IOException {
    ours.update().where(where()).set("x", "x + 1").execute();
    ours = ours.latest();
    return ours.version();
  }

  @Benchmark
  public long columns() throws IOException {
    columns.rewriteColumns().where(where()).set("x", "x + 1").execute();
    columns = columns.latest();
    return columns.version();
  }

  @Benchmark
  public long theirs() throws IOException {
    try (BufferAllocator child = allocator.newChildAllocator("merge", 0, Long.MAX_VALUE);
        ArrowReader reader = new ArrowStreamReader(new ByteArrayInputStream(source), child);
        ArrowArrayStream stream = ArrowArrayStream.allocateNew(child);
        LanceJudge judge = LanceJudge.open(folder.resolve("theirs"))) {
      Data.exportArrayStream(child, reader, stream);
      MergeInsertParams params =
          new MergeInsertParams(List.of("id"))
              .withMatchedUpdateAll()
              .withNotMatched(WhenNotMatched.DoNothing);
      try (org.lance.Dataset merged = judge.dataset().mergeInsert(params, stream).dataset()) {
        return merged.version();
      }
    }
  }
}
