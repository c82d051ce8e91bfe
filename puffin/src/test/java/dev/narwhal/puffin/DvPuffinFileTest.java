package dev.narwhal.puffin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.inmemory.InMemoryInputFile;
import org.apache.iceberg.inmemory.InMemoryOutputFile;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.puffin.Blob;
import org.apache.iceberg.puffin.BlobMetadata;
import org.apache.iceberg.puffin.Puffin;
import org.apache.iceberg.puffin.PuffinCompressionCodec;
import org.apache.iceberg.puffin.PuffinReader;
import org.apache.iceberg.puffin.PuffinWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DvPuffinFileTest {
  private static final PositionSet SOME = PositionSet.of(1, 5, 70_000);
  private static final PositionSet RANGE = PositionSet.builder().addRange(10, 5000).build();

  /** O4: the key of a vector is file, offset and size, not the file alone. */
  @Test
  void keepsSeveralVectorsInOneFileApart() throws IOException {
    InMemoryOutputFile file = new InMemoryOutputFile("mem:dv");
    List<DvEntry> written = write(file);
    DvPuffinReader reader = new DvPuffinReader(file.toInputFile());

    assertThat(written).extracting(DvEntry::referencedDataFile).containsExactly("a", "b", "c");
    assertThat(reader.entries()).isEqualTo(written);
    assertThat(reader.positions(written.get(0))).isEqualTo(SOME);
    assertThat(reader.positions(written.get(1))).isEqualTo(RANGE);
    assertThat(reader.positions(written.get(2).offset(), written.get(2).length()))
        .isEqualTo(PositionSet.of(Long.MAX_VALUE));
  }

  @Test
  void theSameVectorsGiveTheSameBytes() throws IOException {
    InMemoryOutputFile first = new InMemoryOutputFile();
    InMemoryOutputFile second = new InMemoryOutputFile();
    write(first);
    write(second);

    assertThat(second.toByteArray()).isEqualTo(first.toByteArray());
  }

  @Test
  void writesWhatIcebergsOwnWriterWould() throws IOException {
    InMemoryOutputFile file = new InMemoryOutputFile();
    List<DvEntry> written = write(file);

    try (PuffinReader reader = Puffin.read(file.toInputFile()).build()) {
      assertThat(reader.fileMetadata().properties())
          .isEqualTo(Map.of("created-by", DvPuffinWriter.createdBy()));
      List<BlobMetadata> blobs = reader.fileMetadata().blobs();
      for (int i = 0; i < blobs.size(); i++) {
        BlobMetadata blob = blobs.get(i);
        assertThat(blob.type()).isEqualTo("deletion-vector-v1");
        assertThat(blob.inputFields()).containsExactly(2_147_483_645);
        assertThat(blob.snapshotId()).isEqualTo(-1);
        assertThat(blob.sequenceNumber()).isEqualTo(-1);
        assertThat(blob.compressionCodec()).isNull();
        assertThat(blob.offset()).isEqualTo(written.get(i).offset());
        assertThat(blob.length()).isEqualTo(written.get(i).length());
        assertThat(List.copyOf(blob.properties().entrySet()))
            .containsExactly(
                Map.entry("referenced-data-file", written.get(i).referencedDataFile()),
                Map.entry("cardinality", Long.toString(written.get(i).cardinality())));
      }
    }
    assertThat(DvPuffinWriter.createdBy()).matches("Narwhal [0-9]+\\.[0-9]+\\.[0-9]+.*");
  }

  /** All but the name of the writer is byte for byte what Spark with Iceberg 1.12.0 wrote. */
  @Test
  void writesTheGoldenFileAnew() throws IOException {
    ByteBuffer golden = Golden.buffer("iceberg-1.12.0/two-vectors.puffin");
    InMemoryOutputFile file = new InMemoryOutputFile();
    try (DvPuffinWriter writer = new DvPuffinWriter(file)) {
      for (DvEntry entry : new DvPuffinReader(input(golden)).entries()) {
        ByteBuffer blob = golden.slice((int) entry.offset(), (int) entry.length());
        writer.add(entry.referencedDataFile(), IcebergDvCodec.decode(blob));
      }
      writer.finish();
    }

    assertThat(withoutCreator(file.toByteArray()))
        .isEqualTo(withoutCreator(Golden.toArray(golden)));
  }

  @Test
  void readsTheFootersOfOthers() throws IOException {
    DvPuffinReader trino =
        new DvPuffinReader(input(Golden.buffer("trino-483/three-vectors.puffin")));
    List<DvEntry> entries = trino.entries();

    assertThat(entries).extracting(DvEntry::offset).containsExactly(4L, 54L, 93L);
    assertThat(entries).extracting(DvEntry::length).containsExactly(50L, 39L, 42L);
    assertThat(entries).extracting(DvEntry::cardinality).containsExactly(5L, 4L, 1L);
    assertThat(entries.get(0).referencedDataFile()).startsWith("file:///tmp/").contains("part=1");
    assertThat(trino.positions(entries.get(1)).toArray()).containsExactly(0, 1, 2, 3);
  }

  @Test
  void splicesRoaringBytesInEveryWay() throws IOException {
    ByteBuffer lance = Golden.buffer("lance-7.0.0/grown-past-5000.bin");
    InMemoryOutputFile file = new InMemoryOutputFile();
    DvFrame frame = new DvFrame();
    List<DvEntry> written;
    long size;
    try (DvPuffinWriter writer = new DvPuffinWriter(file)) {
      assertThat(writer.splice("a", lance, 10_000)).isPresent();
      frame.body(lance.remaining()).put(lance.slice());
      assertThat(writer.splice("b", frame, 10_000)).isPresent();
      assertThat(writer.add("c", PortableRoaring.of(lance, 10_000))).isPresent();
      written = writer.entries();
      size = writer.finish();
    }

    DvPuffinReader reader = new DvPuffinReader(file.toInputFile());
    assertThat(size).isEqualTo(file.toByteArray().length);
    assertThat(reader.entries()).isEqualTo(written).hasSize(3);
    for (DvEntry entry : written) {
      assertThat(entry.cardinality()).isEqualTo(5500);
      assertThat(reader.positions(entry))
          .isEqualTo(PositionSet.builder().addRange(0, 4000).addRange(7000, 8500).build());
      assertThat(reader.blob(entry.offset(), entry.length()).slice(20, 8208)).isEqualTo(lance);
    }
  }

  @Test
  void passesOverDataFilesWithoutDeletes() throws IOException {
    InMemoryOutputFile file = new InMemoryOutputFile();
    try (DvPuffinWriter writer = new DvPuffinWriter(file)) {
      assertThat(writer.add("a", PositionSet.empty())).isEmpty();
      assertThat(writer.add("b", PortableRoaring.empty())).isEmpty();
      assertThat(writer.splice("c", PositionSet.empty().toPortable(), 0)).isEmpty();
      writer.finish();
    }

    assertThat(new DvPuffinReader(file.toInputFile()).entries()).isEmpty();
  }

  @Test
  void aRefusedVectorLeavesTheFileAsItWas() throws IOException {
    InMemoryOutputFile file = new InMemoryOutputFile();
    List<DvEntry> written;
    try (DvPuffinWriter writer = new DvPuffinWriter(file)) {
      writer.add("a", SOME);
      assertThatThrownBy(() -> writer.splice("b", SOME.toPortable(), 70_000))
          .isInstanceOf(PuffinFormatException.class);
      writer.add("c", RANGE);
      written = writer.entries();
      writer.finish();
    }

    assertThat(written).extracting(DvEntry::referencedDataFile).containsExactly("a", "c");
    assertThat(new DvPuffinReader(file.toInputFile()).entries()).isEqualTo(written);
  }

  /** O55: nothing is allocated for a range that the file cannot hold. */
  @Test
  void refusesRangesThatLeaveTheFile() {
    DvPuffinReader reader = new DvPuffinReader(input(ByteBuffer.allocate(1024)));

    for (long[] range :
        new long[][] {
          {4, Integer.MAX_VALUE},
          {4, Long.MAX_VALUE},
          {Long.MAX_VALUE, Long.MAX_VALUE},
          {1025, 0},
          {1000, 25},
          {-1, 10},
          {4, -1}
        }) {
      assertThatThrownBy(() -> reader.positions(range[0], range[1]))
          .isInstanceOf(PuffinFormatException.class)
          .hasMessageStartingWith("mem:f: a vector of " + range[1] + " bytes, expected to lie");
    }
  }

  @Test
  void refusesAVectorOfAnotherCardinality() throws IOException {
    InMemoryOutputFile file = new InMemoryOutputFile("mem:f");
    DvEntry entry = write(file).get(0);
    DvEntry other = new DvEntry("a", entry.offset(), entry.length(), 4);

    assertThatThrownBy(() -> new DvPuffinReader(file.toInputFile()).positions(other))
        .isInstanceOf(PuffinFormatException.class)
        .hasMessage("mem:f bytes 4+" + entry.length() + ": 3 positions, expected 4");
  }

  @Test
  void refusesEveryTruncation() {
    byte[] golden = Golden.bytes("iceberg-1.12.0/one-vector.puffin");
    for (int size = 0; size < golden.length; size++) {
      DvPuffinReader reader = new DvPuffinReader(input(ByteBuffer.wrap(golden, 0, size)));
      assertThatThrownBy(reader::entries)
          .isInstanceOf(PuffinFormatException.class)
          .hasMessageStartingWith("mem:f");
    }
  }

  /**
   * The footer has no checksum: a flipped bit may change a name or a number in it. Whatever it
   * lists then, a vector that is not there is refused when it is read.
   */
  @Test
  void aFlippedBitIsRefusedOrChangesWhatTheFooterSays() throws IOException {
    byte[] golden = Golden.bytes("iceberg-1.12.0/one-vector.puffin");
    List<DvEntry> entries = new DvPuffinReader(input(ByteBuffer.wrap(golden))).entries();
    int refused = 0;
    for (int bit = 0; bit < golden.length * 8; bit++) {
      byte[] bytes = golden.clone();
      bytes[bit / 8] ^= (byte) (1 << bit % 8);
      DvPuffinReader reader = new DvPuffinReader(input(ByteBuffer.wrap(bytes)));
      try {
        for (DvEntry entry : reader.entries()) {
          assertThat(reader.positions(entry).toArray()).containsExactly(0, 5, 11);
          assertThat(entry.offset()).isEqualTo(entries.get(0).offset());
        }
      } catch (PuffinFormatException expected) {
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(50 * 8);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 460, 0})
  void refusesFalseFooterSizes(int payload) {
    byte[] bytes = Golden.bytes("iceberg-1.12.0/one-vector.puffin");
    ByteBuffer.wrap(bytes).putInt(bytes.length - 12, Integer.reverseBytes(payload));

    assertThatThrownBy(() -> new DvPuffinReader(input(ByteBuffer.wrap(bytes))).entries())
        .isInstanceOf(PuffinFormatException.class)
        .hasMessageContaining("footer");
  }

  @Test
  void passesOverBlobsOfOtherTypes() throws IOException {
    InMemoryOutputFile file = new InMemoryOutputFile();
    try (PuffinWriter writer = Puffin.write(file).build()) {
      writer.write(new Blob("something-v1", List.of(1), 1, 1, ByteBuffer.allocate(7)));
    }

    assertThat(new DvPuffinReader(file.toInputFile()).entries()).isEmpty();
  }

  @Test
  void refusesVectorsThatTheSpecDoesNotAllow() {
    Map<String, String> good = Map.of("referenced-data-file", "a", "cardinality", "1");
    assertRefused(PuffinCompressionCodec.ZSTD, good, "compressed with zstd");
    assertRefused(
        PuffinCompressionCodec.NONE,
        Map.of("cardinality", "1"),
        "no property referenced-data-file");
    for (String cardinality : List.of("", "-1", "1.5", "many", "99999999999999999999")) {
      assertRefused(
          PuffinCompressionCodec.NONE,
          Map.of("referenced-data-file", "a", "cardinality", cardinality),
          "property cardinality is " + cardinality);
    }
  }

  private static void assertRefused(
      PuffinCompressionCodec compression, Map<String, String> properties, String why) {
    InMemoryOutputFile file = new InMemoryOutputFile("mem:f");
    // Iceberg's compressor wants an array below the buffer.
    ByteBuffer blob = ByteBuffer.wrap(Golden.toArray(IcebergDvCodec.encode(PositionSet.of(1))));
    try (PuffinWriter writer = Puffin.write(file).build()) {
      writer.write(
          new Blob("deletion-vector-v1", List.of(), -1, -1, blob, compression, properties));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    assertThatThrownBy(() -> new DvPuffinReader(file.toInputFile()).entries())
        .isInstanceOf(PuffinFormatException.class)
        .hasMessageContaining("mem:f blob at 4: " + why);
  }

  private static List<DvEntry> write(InMemoryOutputFile file) throws IOException {
    List<DvEntry> entries = new ArrayList<>();
    try (DvPuffinWriter writer = new DvPuffinWriter(file)) {
      entries.add(writer.add("a", SOME).orElseThrow());
      entries.add(writer.add("b", RANGE).orElseThrow());
      entries.add(writer.add("c", PositionSet.of(Long.MAX_VALUE)).orElseThrow());
      assertThat(writer.entries()).isEqualTo(entries);
      writer.finish();
    }
    return entries;
  }

  private static InputFile input(ByteBuffer bytes) {
    return new InMemoryInputFile("mem:f", Golden.toArray(bytes));
  }

  private static String withoutCreator(byte[] file) {
    String text = new String(file, StandardCharsets.ISO_8859_1);
    return text.substring(0, text.indexOf("\"created-by\""));
  }
}
