package dev.narwhal.conformance.bench;

import com.google.protobuf.ByteString;
import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.proto.table.EncodedU64Array;
import dev.narwhal.lance.proto.table.U64Segment;
import dev.narwhal.lance.rowid.RowIdIndex;
import dev.narwhal.lance.rowid.RowIdSequence;
import dev.narwhal.lance.rowid.RowIdSequences;
import dev.narwhal.lance.rowid.StoredSequence;
import dev.narwhal.lance.storage.MemoryObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The index of row ids of 20,000 fragments of 50,000 rows, one fragment in ten with holes: opening
 * it from the sequences as a manifest stores them, and 1,000 look-ups. The heap of 64 MB holds the
 * stored sequences too.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(value = 1, jvmArgsAppend = "-Xmx64m")
@SuppressWarnings("NullAway.Init") // JMH fills the fields
public class RowIdIndexBenchmark {
  private static final int FRAGMENTS = 20_000;
  private static final int ROWS = 50_000;
  private static final int HOLES = 500;
  private static final int LOOK_UPS = 1_000;

  private final MemoryObjectStore store = new MemoryObjectStore();
  private final List<StoredSequence> stored = new ArrayList<>();
  private final long[] fragmentIds = new long[FRAGMENTS];
  private long[] wanted;
  private RowIdIndex index;

  @Setup
  public void store() throws IOException {
    for (int i = 0; i < FRAGMENTS; i++) {
      fragmentIds[i] = i;
      long start = (long) i * (ROWS + HOLES);
      U64Segment segment = i % 10 == 3 ? withHoles(start) : range(start);
      ByteBuffer message =
          dev.narwhal.lance.proto.table.RowIdSequence.newBuilder()
              .addSegments(segment)
              .build()
              .toByteString()
              .asReadOnlyByteBuffer();
      stored.add(StoredSequence.Inline.of(message));
    }
    wanted =
        new SplittableRandom(7).longs(LOOK_UPS, 0, (long) FRAGMENTS * (ROWS + HOLES)).toArray();
    index = open();
  }

  @Benchmark
  public RowIdIndex open() throws IOException {
    List<RowIdSequence> sequences = new ArrayList<>(FRAGMENTS);
    for (StoredSequence one : stored) {
      sequences.add(RowIdSequences.read(store, one, ROWS));
    }
    return new RowIdIndex(fragmentIds, sequences, fragment -> DeletionVector.empty());
  }

  @Benchmark
  public long lookUp1000() throws IOException {
    long sum = 0;
    for (long id : wanted) {
      sum += index.find(id);
    }
    return sum;
  }

  private static U64Segment range(long start) {
    return U64Segment.newBuilder()
        .setRange(U64Segment.Range.newBuilder().setStart(start).setEnd(start + ROWS))
        .build();
  }

  private static U64Segment withHoles(long start) {
    ByteBuffer holes = ByteBuffer.allocate(HOLES * Short.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < HOLES; i++) {
      holes.putShort((short) (i * 100 + 1));
    }
    return U64Segment.newBuilder()
        .setRangeWithHoles(
            U64Segment.RangeWithHoles.newBuilder()
                .setStart(start)
                .setEnd(start + ROWS + HOLES)
                .setHoles(
                    EncodedU64Array.newBuilder()
                        .setU16Array(
                            EncodedU64Array.U16Array.newBuilder()
                                .setBase(start)
                                .setOffsets(ByteString.copyFrom(holes.flip())))))
        .build();
  }
}
