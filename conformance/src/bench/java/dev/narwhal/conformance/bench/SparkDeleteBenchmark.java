package dev.narwhal.conformance.bench;

import dev.narwhal.conformance.SparkJudge;
import dev.narwhal.iceberg.rowdelete.RowDeletes;
import dev.narwhal.iceberg.rowdelete.plan.DeleteMode;
import dev.narwhal.iceberg.table.TableTarget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.iceberg.Table;
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
 * A DELETE of one row in a hundred, scattered, of an Iceberg table (version 3) of ten Parquet files
 * that Spark wrote. Each delete finds the table as it was: what the one before did is rolled back.
 *
 * <ul>
 *   <li>{@code ours}: planned, prepared and committed.
 *   <li>{@code spark}: the statement, in a warm session of a process of its own on as many threads.
 * </ul>
 *
 * <p>Needs the module {@code conformance/spark} built, as {@code -am} does.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 4)
@Measurement(iterations = 6)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms2g", "-Xmx2g"})
@SuppressWarnings("NullAway.Init") // setUp fills the fields
public class SparkDeleteBenchmark {
  private static final String NAME = "w.db.t";
  private static final String CONDITION = "id % 100 = 7";

  @Param({"10000000"})
  public long rows = 10_000_000;

  @Param({"MERGE_ON_READ", "COPY_ON_WRITE"})
  public DeleteMode mode = DeleteMode.MERGE_ON_READ;

  private final BufferAllocator allocator = new RootAllocator();
  private Path folder;
  private SparkJudge spark;
  private TableTarget target;
  private Table table;
  private long snapshot;

  /** Makes the table, and finds that both delete the same rows. */
  @Setup
  public void setUp() throws IOException {
    folder = Files.createTempDirectory("spark-delete");
    Path warehouse = Files.createDirectory(folder.resolve("warehouse"));
    spark = SparkJudge.start(warehouse, folder.resolve("spark.log"), "3g");
    spark.sql("CREATE NAMESPACE w.db");
    spark.sql(
        ("CREATE TABLE %s (id BIGINT, k INT, x DOUBLE, s STRING) USING iceberg TBLPROPERTIES"
                + " ('format-version'='3', 'write.delete.mode'='%s',"
                + " 'write.distribution-mode'='none')")
            .formatted(NAME, mode == DeleteMode.MERGE_ON_READ ? "merge-on-read" : "copy-on-write"));
    spark.sql(
        ("INSERT INTO %s SELECT id, CAST(hash(id) AS INT), rand(1), concat('row ', hash(id, 1))"
                + " FROM range(0, %d, 1, 10)")
            .formatted(NAME, rows));
    target = TableTarget.at(warehouse.resolve("db/t").toString());
    table = target.load().orElseThrow();
    snapshot = table.currentSnapshot().snapshotId();
    ours();
    requireOthersLeft();
    rollBack();
    spark();
    requireOthersLeft();
    rollBack();
  }

  private void requireOthersLeft() throws IOException {
    List<?> left = spark.sql("SELECT count(*), sum(id) FROM " + NAME);
    List<?> meant =
        spark.sql(
            "SELECT count(*), sum(id) FROM range(0, %d) WHERE NOT %s".formatted(rows, CONDITION));
    if (!left.equals(meant)) {
      throw new IllegalStateException(left + " instead of " + meant);
    }
  }

  @Setup(Level.Invocation)
  public void rollBack() {
    table.refresh();
    table.manageSnapshots().rollbackTo(snapshot).commit();
  }

  @Benchmark
  public long ours() throws IOException {
    RowDeletes deletes = new RowDeletes(table, allocator);
    return deletes.delete(deletes.matcher(CONDITION), mode).counts().deletedRows().orElseThrow();
  }

  @Benchmark
  public int spark() throws IOException {
    return spark.sql("DELETE FROM " + NAME + " WHERE " + CONDITION).size();
  }

  @TearDown
  public void tearDown() throws Exception {
    target.close();
    spark.close();
    allocator.close();
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
