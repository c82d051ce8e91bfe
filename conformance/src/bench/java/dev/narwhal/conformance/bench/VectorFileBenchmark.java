package dev.narwhal.conformance.bench;

import dev.narwhal.puffin.DvEntry;
import dev.narwhal.puffin.DvPuffinReader;
import dev.narwhal.puffin.DvPuffinWriter;
import dev.narwhal.puffin.PositionSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.deletes.BaseDVFileWriter;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * 10,000 deletion vectors of planned deletes into one Puffin file.
 *
 * <ul>
 *   <li>{@code ours}: a vector each from the set of positions that a plan has.
 *   <li>{@code icebergPerPosition}: {@code BaseDVFileWriter.delete(path, position, ...)} for each
 *       position of the same sets.
 * </ul>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2, time = 3)
@Measurement(iterations = 4, time = 3)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms2g", "-Xmx2g"})
public class VectorFileBenchmark {
  private static final int VECTORS = 10_000;
  private static final int ROWS = 100_000;
  private static final PartitionSpec UNPARTITIONED = PartitionSpec.unpartitioned();

  /** Deleted rows in a thousand. */
  @Param({"10"})
  public int perMille = 10;

  private final List<String> dataFiles = new ArrayList<>();
  private final List<PositionSet> positions = new ArrayList<>();
  private final ReusedMemory file = new ReusedMemory();

  /** Makes the sets, and finds that both ways write the same ones. */
  @Setup
  public void setUp() throws IOException {
    Random random = new Random(0);
    for (int i = 0; i < VECTORS; i++) {
      dataFiles.add("s3://bucket/warehouse/db/table/data/00000-%05d-file.parquet".formatted(i));
      PositionSet.Builder builder = PositionSet.builder();
      for (int j = 0; j < ROWS / 1000 * perMille; j++) {
        builder.add(random.nextInt(ROWS));
      }
      positions.add(builder.build());
    }
    ours();
    requireWritten();
    icebergPerPosition();
    requireWritten();
  }

  private void requireWritten() throws IOException {
    DvPuffinReader reader = new DvPuffinReader(file.toInputFile());
    List<DvEntry> entries = reader.entries();
    if (entries.size() != VECTORS) {
      throw new IllegalStateException(entries.size() + " vectors");
    }
    for (DvEntry entry : entries.subList(0, 100)) {
      int i = dataFiles.indexOf(entry.referencedDataFile());
      if (!reader.positions(entry).equals(positions.get(i))) {
        throw new IllegalStateException("other positions for " + entry);
      }
    }
  }

  @Benchmark
  public long ours() throws IOException {
    try (DvPuffinWriter writer = new DvPuffinWriter(file)) {
      for (int i = 0; i < VECTORS; i++) {
        writer.add(dataFiles.get(i), positions.get(i));
      }
      return writer.finish();
    }
  }

  @Benchmark
  @SuppressWarnings("deprecation") // the other constructor needs a table to name files for
  public long icebergPerPosition() throws IOException {
    try (BaseDVFileWriter writer = new BaseDVFileWriter(() -> file, path -> null)) {
      for (int i = 0; i < VECTORS; i++) {
        String dataFile = dataFiles.get(i);
        positions
            .get(i)
            .forEach(position -> writer.delete(dataFile, position, UNPARTITIONED, null));
      }
    }
    return file.size();
  }
}
