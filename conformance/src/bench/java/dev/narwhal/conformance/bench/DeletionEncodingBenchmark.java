package dev.narwhal.conformance.bench;

import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.deletion.EncodedDeletions;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
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
 * What the forms of a deletion file cost: to encode, to decode, and to probe 1,000 rows of what was
 * decoded. A fragment of 1,000,000 rows. {@link DeletionEncodingChart} draws the result.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xmx512m")
@SuppressWarnings("NullAway.Init") // JMH fills the fields
public class DeletionEncodingBenchmark {
  static final int PHYSICAL_ROWS = 1_000_000;
  private static final int PROBES = 1_000;

  @Param({"ARRAY", "BITMAP", "BITMAP_WITH_RUNS"})
  public String form;

  @Param({"SCATTERED", "CLUSTERED", "RANGES"})
  public String rows;

  @Param({"0.0001", "0.001", "0.01", "0.1", "0.5", "0.9"})
  public double share;

  private DeletionForm layout;
  private DeletionVector vector;
  private EncodedDeletions encoded;
  private DeletionVector decoded;
  private long[] probes;

  @Setup
  public void encodeOnce() {
    layout = DeletionForm.valueOf(form);
    vector = DeletedRows.valueOf(rows).of(PHYSICAL_ROWS, share);
    encoded = layout.encode(vector);
    decoded = layout.decode(encoded.bytes(), PHYSICAL_ROWS);
    if (!decoded.equals(vector)) {
      throw new IllegalStateException("other rows came back than were encoded");
    }
    probes = new SplittableRandom(7).longs(PROBES, 0, PHYSICAL_ROWS).toArray();
  }

  @Benchmark
  public EncodedDeletions encode() {
    return layout.encode(vector);
  }

  @Benchmark
  public DeletionVector decode() {
    return layout.decode(encoded.bytes(), PHYSICAL_ROWS);
  }

  @Benchmark
  public int probe1000() {
    int found = 0;
    for (long row : probes) {
      found += decoded.contains(row) ? 1 : 0;
    }
    return found;
  }
}
