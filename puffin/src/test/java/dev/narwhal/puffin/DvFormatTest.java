package dev.narwhal.puffin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class DvFormatTest {
  @ParameterizedTest
  @CsvSource({
    "iceberg-1.12.0/two-vectors.puffin, PUFFIN",
    "trino-483/three-vectors.puffin, PUFFIN",
    "paimon-1.4.2/index-32-one, PAIMON32",
    "paimon-1.4.2/index-64-one, PAIMON64",
    "delta-4.4.0/deletion_vector_two.bin, DELTA",
  })
  void tellsGoldenFiles(String file, DvFormat format) {
    String name = file.substring(file.indexOf('/') + 1);

    assertThat(DvFormat.detect(Golden.buffer(file), name)).contains(format);
    assertThat(DvFormat.detect(Golden.slice(file, 0, DvFormat.DETECT_BYTES), name))
        .contains(format);
  }

  @Test
  void tellsABareBlob() {
    ByteBuffer blob = IcebergDvCodec.encode(PositionSet.of(1));

    assertThat(DvFormat.detect(blob)).contains(DvFormat.ICEBERG);
    assertThat(DvFormat.ICEBERG.ranges(blob)).containsExactly(new VectorRange(0, 42));
    assertThat(DvFormat.ICEBERG.decode(blob, new VectorRange(0, 42)).toArray()).containsExactly(1);
  }

  @Test
  void takesSixtyFourBitPaimonForDeltaWithoutAName() {
    assertThat(DvFormat.detect(Golden.buffer("paimon-1.4.2/index-64-one")))
        .contains(DvFormat.DELTA);
  }

  @Test
  void doesNotTellOthers() {
    assertThat(DvFormat.detect(Golden.buffer("lance-7.0.0/grown-past-5000.bin"))).isEmpty();
    assertThat(DvFormat.detect(ByteBuffer.allocate(0))).isEmpty();
    assertThat(DvFormat.detect(ByteBuffer.allocate(100))).isEmpty();
    assertThat(DvFormat.detect(ByteBuffer.wrap(new byte[] {1}))).isEmpty();
    assertThat(DvFormat.detect(Golden.slice("paimon-1.4.2/index-32-one", 0, 8))).isEmpty();
  }

  @Test
  void listsTheVectorsOfAPuffinFile() {
    ByteBuffer file = Golden.buffer("trino-483/three-vectors.puffin");
    List<VectorRange> ranges = DvFormat.PUFFIN.ranges(file);

    assertThat(ranges)
        .containsExactly(new VectorRange(4, 50), new VectorRange(54, 39), new VectorRange(93, 42));
    assertThat(DvFormat.PUFFIN.decode(file, ranges.get(0)).toArray())
        .containsExactly(0, 1, 2, 3, 10);
  }

  @ParameterizedTest
  @EnumSource(
      value = DvFormat.class,
      names = {"ICEBERG", "PUFFIN"})
  void refusesRangesThatLeaveTheFile(DvFormat format) {
    ByteBuffer file = Golden.buffer("trino-483/three-vectors.puffin");
    for (VectorRange range :
        List.of(new VectorRange(Long.MAX_VALUE, 1), new VectorRange(4, Long.MAX_VALUE))) {
      assertThatThrownBy(() -> format.decode(file, range))
          .isInstanceOf(PuffinFormatException.class)
          .hasMessageContaining("to end within 1126");
    }
    assertThatThrownBy(() -> format.decode(file, new VectorRange(5, 50)))
        .isInstanceOf(PuffinFormatException.class)
        .hasMessageStartingWith("vector in bytes 5+50: length");
  }

  @ParameterizedTest
  @EnumSource(DvFormat.class)
  void tellsItsMagic(DvFormat format) {
    assertThat(format.magic()).contains("at byte");
  }
}
