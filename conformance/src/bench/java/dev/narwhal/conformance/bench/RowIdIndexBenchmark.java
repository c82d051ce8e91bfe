package dev.narwhal.conformance.bench;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import com.google.protobuf.ByteString;
import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.proto.table.EncodedU64Array;
import dev.narwhal.lance.proto.table.U64Segment;
import dev.narwhal.lance.rowid.RowIdIndex;
import dev.narwhal.lance.rowid.RowIdSequence;
import dev.narwhal.lance.rowid.RowIdSequenceCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
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
 * The index of row ids of 20,000 fragments with 50,000 ids each, a billion in all; every tenth
 * fragment has holes, half of these as a list and half as a bitmap. The heap is 64 MB, which the
 * sequences' bytes, as a manifest keeps them, take 17 MB of.
 *
 * <ul>
 *   <li>{@code open}: from the bytes of the sequences to the index.
 *   <li>{@code find}: 1,000 random ids; each fragment has three deleted rows.
 * </ul>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xmx64m"})
public class RowIdIndexBenchmark {
  private static final int FRAGMENTS = 20_000;
  private static final int SLOTS = 50_000;
  private static final int HOLES = 500;
  private static final int LOOK_UPS = 1000;

  private final List<ByteBuffer> messages = new ArrayList<>();
  private final long[] fragmentIds = new long[FRAGMENTS];
  private final DeletionVector deleted = DeletionVector.ofOffsets(1, 5, 9);
  private final long[] asked = new long[LOOK_UPS];
  private RowIdIndex index = new RowIdIndex(new long[0], List.of(), fragment -> deleted);

  @Setup
  public void build() throws IOException {
    Random random = new Random(20);
    for (int i = 0; i < FRAGMENTS; i++) {
      fragmentIds[i] = i;
      messages.add(ByteBuffer.wrap(message(random, i)));
    }
    for (int i = 0; i < LOOK_UPS; i++) {
      asked[i] = random.nextInt(FRAGMENTS) * (long) SLOTS + random.nextInt(SLOTS);
    }
    index = open();
    for (long id : new long[] {0, 1, 2, SLOTS - 1}) {
      if (index.find(id) != (id == 1 ? RowIdIndex.NOT_FOUND : id)) {
        throw new IllegalStateException("row id " + id + " is at " + index.find(id));
      }
    }
  }

  @Benchmark
  public RowIdIndex open() {
    List<RowIdSequence> sequences = new ArrayList<>(FRAGMENTS);
    for (ByteBuffer message : messages) {
      sequences.add(RowIdSequenceCodec.decode(message));
    }
    return new RowIdIndex(fragmentIds, sequences, fragment -> deleted);
  }

  @Benchmark
  public long[] find() throws IOException {
    return index.find(asked);
  }

  private static byte[] message(Random random, int fragment) {
    long start = fragment * (long) SLOTS;
    U64Segment.Builder segment = U64Segment.newBuilder();
    if (fragment % 20 == 3) {
      segment.setRangeWithHoles(
          U64Segment.RangeWithHoles.newBuilder()
              .setStart(start)
              .setEnd(start + SLOTS)
              .setHoles(holes(start)));
    } else if (fragment % 20 == 13) {
      byte[] bits = new byte[SLOTS / 8];
      random.nextBytes(bits);
      segment.setRangeWithBitmap(
          U64Segment.RangeWithBitmap.newBuilder()
              .setStart(start)
              .setEnd(start + SLOTS)
              .setBitmap(ByteString.copyFrom(bits)));
    } else {
      segment.setRange(U64Segment.Range.newBuilder().setStart(start).setEnd(start + SLOTS));
    }
    return dev.narwhal.lance.proto.table.RowIdSequence.newBuilder()
        .addSegments(segment)
        .build()
        .toByteArray();
  }

  private static EncodedU64Array holes(long start) {
    ByteBuffer holes = ByteBuffer.allocate(HOLES * Short.BYTES).order(LITTLE_ENDIAN);
    for (int i = 0; i < HOLES; i++) {
      holes.putShort((short) (i * (SLOTS / HOLES)));
    }
    return EncodedU64Array.newBuilder()
        .setU16Array(
            EncodedU64Array.U16Array.newBuilder()
                .setBase(start)
                .setOffsets(ByteString.copyFrom(holes.flip())))
        .build();
  }
}
