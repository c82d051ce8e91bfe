package dev.narwhal.puffin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.deletes.BaseDVFileWriter;
import org.apache.iceberg.deletes.PositionDeleteIndex;
import org.apache.iceberg.inmemory.InMemoryOutputFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Iceberg's own classes read what we write, and we read what they write. */
class IcebergJudgeTest {
  /** Iceberg keeps a bitmap for every key below the greatest, so the judge is spared high ones. */
  private static final long JUDGED = 6L << 32;

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("dev.narwhal.puffin.RandomPositions#seeds")
  void icebergReadsOurBlobs(long seed) {
    NavigableSet<Long> model = RandomPositions.below(JUDGED, seed);
    ByteBuffer blob = IcebergDvCodec.encode(RandomPositions.set(model));

    assertSame(theirs(blob, model.size()), model);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("dev.narwhal.puffin.RandomPositions#seeds")
  void icebergReadsOurSplices(long seed) {
    NavigableSet<Long> model = RandomPositions.below(1L << 32, seed);
    model.add(7L);
    PortableRoaring portable =
        PortableRoaring.of(RandomPositions.set(model).toPortable(), 1L << 32);

    assertSame(theirs(IcebergDvCodec.splice(portable), model.size()), model);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("dev.narwhal.puffin.RandomPositions#seeds")
  void weReadWhatIcebergSerialises(long seed) {
    NavigableSet<Long> model = RandomPositions.below(JUDGED, seed);
    PositionDeleteIndex index = emptyIndex();
    model.forEach(index::delete);
    ByteBuffer serialised = index.serialize();

    assertThat(IcebergDvCodec.decode(serialised)).isEqualTo(RandomPositions.set(model));
    if (model.isEmpty() || model.last() < 1L << 32) {
      ByteBuffer ours = IcebergDvCodec.encode(RandomPositions.set(model));
      // The one difference: for no positions at all.
      assertThat(ours).isEqualTo(serialised);
    }
  }

  /** Iceberg keeps a range as a run container where an array is as large; we do not. */
  @Test
  void weReadRangesThatIcebergSerialises() {
    PositionDeleteIndex index = emptyIndex();
    index.delete(1, 4);
    index.delete(7, 9);
    index.delete((1L << 32) - 5, (1L << 32) + 70_000);

    assertThat(IcebergDvCodec.decode(index.serialize()))
        .isEqualTo(
            PositionSet.builder()
                .addRange(1, 4)
                .addRange(7, 9)
                .addRange((1L << 32) - 5, (1L << 32) + 70_000)
                .build());
  }

  @Test
  void icebergReadsSplicedLanceBitmaps() {
    PortableRoaring portable =
        PortableRoaring.of(Golden.buffer("lance-7.0.0/every-second-of-12000.bin"), 12_000);
    NavigableSet<Long> model = new TreeSet<>();
    for (long position = 0; position < 12_000; position += 2) {
      model.add(position);
    }

    assertSame(theirs(IcebergDvCodec.splice(portable), 6000), model);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("dev.narwhal.puffin.RandomPositions#seeds")
  void weReadFilesThatIcebergWrote(long seed) throws IOException {
    NavigableSet<Long> first = RandomPositions.below(JUDGED, seed);
    NavigableSet<Long> second = RandomPositions.below(JUDGED, ~seed);
    first.add(3L);
    second.add(4L);
    InMemoryOutputFile file = new InMemoryOutputFile("mem:dv");
    BaseDVFileWriter writer = icebergWriter(file);
    try (writer) {
      first.forEach(p -> writer.delete("a", p, PartitionSpec.unpartitioned(), null));
      second.forEach(p -> writer.delete("b", p, PartitionSpec.unpartitioned(), null));
    }

    DvPuffinReader reader = new DvPuffinReader(file.toInputFile());
    assertThat(reader.entries()).hasSize(2);
    for (DeleteFile written : writer.result().deleteFiles()) {
      DvEntry entry =
          new DvEntry(
              written.referencedDataFile(),
              written.contentOffset(),
              written.contentSizeInBytes(),
              written.recordCount());
      assertThat(reader.entries()).contains(entry);
      assertThat(reader.positions(entry))
          .isEqualTo(RandomPositions.set(entry.referencedDataFile().equals("a") ? first : second));
    }
  }

  /** The constructor that is not deprecated needs a table to name files for. */
  @SuppressWarnings("deprecation")
  private static BaseDVFileWriter icebergWriter(InMemoryOutputFile file) {
    return new BaseDVFileWriter(() -> file, path -> null);
  }

  private static void assertSame(PositionDeleteIndex theirs, NavigableSet<Long> model) {
    assertThat(theirs.cardinality()).isEqualTo(model.size());
    for (long position : model) {
      if (!theirs.isDeleted(position)) {
        throw new AssertionError("not deleted: " + position);
      }
    }
  }

  private static PositionDeleteIndex emptyIndex() {
    return theirs(IcebergDvCodec.encode(PositionSet.empty()), 0);
  }

  private static PositionDeleteIndex theirs(ByteBuffer blob, long cardinality) {
    DeleteFile file =
        FileMetadata.deleteFileBuilder(PartitionSpec.unpartitioned())
            .ofPositionDeletes()
            .withFormat(FileFormat.PUFFIN)
            .withPath("mem:dv")
            .withFileSizeInBytes(1000)
            .withReferencedDataFile("mem:data")
            .withContentOffset(4)
            .withContentSizeInBytes(blob.remaining())
            .withRecordCount(cardinality)
            .build();
    return PositionDeleteIndex.deserialize(Golden.toArray(blob), file);
  }
}
