package dev.narwhal.conformance.bench;

import dev.narwhal.puffin.DvEntry;
import dev.narwhal.puffin.DvFrame;
import dev.narwhal.puffin.DvPuffinReader;
import dev.narwhal.puffin.DvPuffinWriter;
import dev.narwhal.puffin.IcebergDvCodec;
import dev.narwhal.puffin.PortableRoaring;
import dev.narwhal.puffin.PositionSet;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.deletes.BaseDVFileWriter;
import org.apache.iceberg.deletes.PositionDeleteIndex;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.roaringbitmap.RoaringBitmap;

/**
 * From the bytes of Lance bitmap files to a Puffin file of Iceberg deletion vectors, 100 vectors of
 * fragments of 1,000,000 rows; the time is that of one vector.
 *
 * <ul>
 *   <li>{@code fileSpliced}: ours, bytes in, checked and framed.
 *   <li>{@code filePerPosition}: decode, then {@code BaseDVFileWriter.delete(path, position, ...)}.
 *   <li>{@code filePerIndex}: {@code BaseDVFileWriter.delete(path, index, ...)} with indexes that
 *       the setup has decoded, so that its time lacks the decoding.
 *   <li>{@code blobInPlace}, {@code blobCopied}, {@code blobFresh}: the splice alone, without a
 *       file: in a frame whose body holds the bytes; copied into a frame used again; as a value
 *       with an array of its own. The setup prints the size of a vector, from which GB/s follow.
 * </ul>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms2g", "-Xmx2g"})
public class DvTranscodeBenchmark {
  private static final int VECTORS = 100;
  private static final int ROWS = 1_000_000;
  private static final int CLUSTER = 1000;
  private static final PartitionSpec UNPARTITIONED = PartitionSpec.unpartitioned();

  /** Deleted rows in a thousand. */
  @Param({"1", "10", "100", "500"})
  public int perMille = 1;

  /** Single rows, or runs of 1,000 rows. */
  @Param({"scattered", "clustered"})
  public String spread = "scattered";

  private final List<String> dataFiles = new ArrayList<>();
  private final List<ByteBuffer> lance = new ArrayList<>();
  private final List<PositionDeleteIndex> indexes = new ArrayList<>();
  private final ReusedMemory file = new ReusedMemory();
  private final DvFrame frame = new DvFrame();
  private final DvFrame filled = new DvFrame();

  /** Makes the vectors, and finds that all ways of writing them give the same positions. */
  @Setup
  public void setUp() throws IOException {
    for (int i = 0; i < VECTORS; i++) {
      dataFiles.add("s3://bucket/warehouse/db/table/data/00000-%d-fragment.parquet".formatted(i));
      lance.add(lanceFile(new Random(i)));
      indexes.add(index(lance.get(i)));
    }
    filled.body(lance.get(0).remaining()).put(lance.get(0).slice());
    long bytes = lance.stream().mapToLong(ByteBuffer::remaining).sum();
    System.out.printf("# %d bytes in a vector on average%n", bytes / VECTORS);
    verifyEqual();
  }

  @Benchmark
  @OperationsPerInvocation(VECTORS)
  public int fileSpliced() throws IOException {
    try (DvPuffinWriter writer = new DvPuffinWriter(file)) {
      for (int i = 0; i < VECTORS; i++) {
        writer.splice(dataFiles.get(i), lance.get(i), ROWS);
      }
      writer.finish();
    }
    return file.size();
  }

  @Benchmark
  @OperationsPerInvocation(VECTORS)
  public int filePerPosition() throws IOException {
    try (BaseDVFileWriter writer = icebergWriter()) {
      for (int i = 0; i < VECTORS; i++) {
        String dataFile = dataFiles.get(i);
        RoaringBitmap decoded = new RoaringBitmap();
        decoded.deserialize(lance.get(i).slice().order(ByteOrder.LITTLE_ENDIAN));
        decoded.forEach(
            (org.roaringbitmap.IntConsumer)
                offset -> writer.delete(dataFile, offset & 0xFFFF_FFFFL, UNPARTITIONED, null));
      }
    }
    return file.size();
  }

  @Benchmark
  @OperationsPerInvocation(VECTORS)
  public int filePerIndex() throws IOException {
    try (BaseDVFileWriter writer = icebergWriter()) {
      for (int i = 0; i < VECTORS; i++) {
        writer.delete(dataFiles.get(i), indexes.get(i), UNPARTITIONED, null);
      }
    }
    return file.size();
  }

  @Benchmark
  public long blobInPlace() {
    return filled.seal(ROWS);
  }

  @Benchmark
  @OperationsPerInvocation(VECTORS)
  public long blobCopied() {
    long positions = 0;
    for (ByteBuffer bytes : lance) {
      frame.body(bytes.remaining()).put(bytes.slice());
      positions += frame.seal(ROWS);
    }
    return positions;
  }

  @Benchmark
  @OperationsPerInvocation(VECTORS)
  public long blobFresh() {
    long size = 0;
    for (ByteBuffer bytes : lance) {
      size += IcebergDvCodec.splice(PortableRoaring.of(bytes, ROWS)).remaining();
    }
    return size;
  }

  /** As Lance writes it: no run containers. */
  private ByteBuffer lanceFile(Random random) {
    int deleted = ROWS / 1000 * perMille;
    RoaringBitmap bitmap = new RoaringBitmap();
    if (spread.equals("clustered")) {
      while (bitmap.getCardinality() < deleted) {
        long start = random.nextInt(ROWS / CLUSTER) * (long) CLUSTER;
        bitmap.add(start, start + CLUSTER);
      }
    } else {
      while (bitmap.getCardinality() < deleted) {
        bitmap.add(random.nextInt(ROWS));
      }
    }
    bitmap.removeRunCompression();
    ByteBuffer bytes = ByteBuffer.allocate(bitmap.serializedSizeInBytes());
    bitmap.serialize(bytes.order(ByteOrder.LITTLE_ENDIAN));
    return bytes.flip();
  }

  private static PositionDeleteIndex index(ByteBuffer portable) {
    ByteBuffer blob = IcebergDvCodec.splice(PortableRoaring.of(portable, ROWS));
    byte[] bytes = new byte[blob.remaining()];
    blob.get(bytes);
    DeleteFile file =
        FileMetadata.deleteFileBuilder(UNPARTITIONED)
            .ofPositionDeletes()
            .withFormat(FileFormat.PUFFIN)
            .withPath("mem:dv")
            .withFileSizeInBytes(bytes.length)
            .withReferencedDataFile("mem:data")
            .withContentOffset(4)
            .withContentSizeInBytes(bytes.length)
            .withRecordCount(PositionSet.fromPortable(portable).cardinality())
            .build();
    return PositionDeleteIndex.deserialize(bytes, file);
  }

  private void verifyEqual() throws IOException {
    fileSpliced();
    DvPuffinReader spliced = new DvPuffinReader(file.toInputFile());
    filePerPosition();
    verifyEqual(spliced, new DvPuffinReader(file.toInputFile()));
    filePerIndex();
    verifyEqual(spliced, new DvPuffinReader(file.toInputFile()));
  }

  private void verifyEqual(DvPuffinReader spliced, DvPuffinReader theirs) throws IOException {
    List<DvEntry> entries = spliced.entries();
    if (entries.size() != VECTORS || theirs.entries().size() != VECTORS) {
      throw new IllegalStateException("vectors are missing");
    }
    for (DvEntry entry : theirs.entries()) {
      int i = dataFiles.indexOf(entry.referencedDataFile());
      PositionSet expected = PositionSet.fromPortable(lance.get(i));
      if (!theirs.positions(entry).equals(expected)
          || !spliced.positions(entries.get(i)).equals(expected)) {
        throw new IllegalStateException("not equal: " + entry);
      }
    }
  }

  /** The constructor that is not deprecated needs a table to name files for. */
  @SuppressWarnings("deprecation")
  private BaseDVFileWriter icebergWriter() {
    return new BaseDVFileWriter(() -> file, path -> null);
  }
}
