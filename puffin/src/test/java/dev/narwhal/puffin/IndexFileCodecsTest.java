package dev.narwhal.puffin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Paimon's two layouts and Delta's: files of a version byte and frames. */
class IndexFileCodecsTest {
  static Stream<Arguments> golden() {
    long[] five = {2, 3, 20, 21, 22};
    return Stream.of(
        arguments(DvFormat.PAIMON32, "paimon-1.4.2/index-32-one", 1, 22, new long[] {3}),
        arguments(DvFormat.PAIMON32, "paimon-1.4.2/index-32-five", 1, 30, five),
        arguments(DvFormat.PAIMON64, "paimon-1.4.2/index-64-one", 1, 42, new long[] {3}),
        arguments(DvFormat.PAIMON64, "paimon-1.4.2/index-64-five", 1, 50, five),
        arguments(DvFormat.DELTA, "delta-4.4.0/deletion_vector_two.bin", 1, 36, new long[] {7, 19}),
        arguments(
            DvFormat.DELTA, "delta-4.4.0/deletion_vector_two.bin", 45, 38, new long[] {2, 5, 6}),
        arguments(
            DvFormat.DELTA,
            "delta-4.4.0/deletion_vector_grown.bin",
            1,
            40,
            new long[] {0, 1, 2, 3}),
        arguments(
            DvFormat.DELTA, "delta-4.4.0/deletion_vector_grown.bin", 49, 36, new long[] {0, 1}));
  }

  @ParameterizedTest(name = "{1} at {2}")
  @MethodSource("golden")
  void decodesWhatOthersWrote(
      DvFormat format, String file, long offset, long length, long[] positions) {
    ByteBuffer bytes = Golden.buffer(file);

    assertThat(format.decode(bytes, new VectorRange(offset, length)).toArray())
        .containsExactly(positions);
    assertThat(format.ranges(bytes)).contains(new VectorRange(offset, length));
    assertThat(bytes.position()).isZero();
  }

  @ParameterizedTest(name = "{1} at {2}")
  @MethodSource("golden")
  void refusesEveryTruncation(
      DvFormat format, String file, long offset, long length, long[] positions) {
    int end = (int) (offset + length) + (format == DvFormat.PAIMON64 ? 0 : 8);
    for (int size = 0; size < end; size++) {
      ByteBuffer cut = Golden.slice(file, 0, size);
      assertThatThrownBy(() -> format.decode(cut, new VectorRange(offset, length)))
          .isInstanceOf(PuffinFormatException.class);
    }
  }

  @ParameterizedTest(name = "{1} at {2}")
  @MethodSource("golden")
  void refusesEveryFlippedBitOfTheVector(
      DvFormat format, String file, long offset, long length, long[] positions) {
    int end = (int) (offset + length) + (format == DvFormat.PAIMON64 ? 0 : 8);
    for (int bit = 0; bit < end * 8; bit++) {
      if (bit >= 8 && bit < offset * 8) {
        continue; // another vector
      }
      byte[] bytes = Golden.bytes(file);
      bytes[bit / 8] ^= (byte) (1 << bit % 8);
      ByteBuffer flipped = ByteBuffer.wrap(bytes);
      assertThatThrownBy(() -> format.decode(flipped, new VectorRange(offset, length)))
          .isInstanceOf(PuffinFormatException.class);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = DvFormat.class,
      names = {"PAIMON32", "PAIMON64", "DELTA"})
  void refusesRangesThatLeaveTheFile(DvFormat format) {
    ByteBuffer file = Golden.buffer("paimon-1.4.2/index-64-five");
    for (VectorRange range :
        List.of(
            new VectorRange(1, Integer.MAX_VALUE),
            new VectorRange(1, Long.MAX_VALUE),
            new VectorRange(Long.MAX_VALUE, 1),
            new VectorRange(0, 10),
            new VectorRange(51, 1),
            new VectorRange(52, 0))) {
      assertThatThrownBy(() -> format.decode(file, range))
          .isInstanceOf(PuffinFormatException.class);
    }
  }

  /** What the metadata says and what the length field says must be the same. */
  @Test
  void refusesALengthThatIsNotTheRecordedOne() {
    ByteBuffer file = Golden.buffer("delta-4.4.0/deletion_vector_two.bin");

    assertThatThrownBy(() -> DeltaDvCodec.decode(file, new VectorRange(1, 44)))
        .isInstanceOf(PuffinFormatException.class)
        .hasMessage("vector in bytes 1+44: length 36, expected 44 in 52 bytes (at byte 0)");
  }

  @Test
  void refusesListingAFileWithAFalseLength() {
    byte[] bytes = Golden.bytes("delta-4.4.0/deletion_vector_two.bin");
    bytes[45] = (byte) 0x80;
    assertThatThrownBy(() -> DeltaDvCodec.ranges(ByteBuffer.wrap(bytes)))
        .isInstanceOf(PuffinFormatException.class)
        .hasMessage("length 2147483686, expected at most 38 (at byte 45)");
    bytes[45] = 0x7F;
    assertThatThrownBy(() -> DeltaDvCodec.ranges(ByteBuffer.wrap(bytes)))
        .isInstanceOf(PuffinFormatException.class);
    assertThatThrownBy(() -> DeltaDvCodec.ranges(ByteBuffer.wrap(bytes, 0, 50)))
        .isInstanceOf(PuffinFormatException.class)
        .hasMessageContaining("5 bytes left");
  }

  @Test
  void refusesAnotherVersion() {
    byte[] bytes = Golden.bytes("paimon-1.4.2/index-32-one");
    bytes[0] = 2;
    assertThatThrownBy(() -> Paimon32Codec.ranges(ByteBuffer.wrap(bytes)))
        .isInstanceOf(PuffinFormatException.class)
        .hasMessage("version 2, expected 1 (at byte 0)");
    assertThatThrownBy(() -> Paimon32Codec.ranges(ByteBuffer.allocate(0)))
        .isInstanceOf(PuffinFormatException.class);
  }

  @Test
  void listsNothingInAFileWithoutVectors() {
    assertThat(DeltaDvCodec.ranges(ByteBuffer.wrap(new byte[] {1}))).isEmpty();
  }

  @Test
  void encodesTheFilesThatOthersWrote() {
    assertThat(Paimon32Codec.encodeFile(PositionSet.of(2, 3, 20, 21, 22)))
        .isEqualTo(Golden.buffer("paimon-1.4.2/index-32-five"));
    assertThat(Paimon64Codec.encodeFile(PositionSet.of(2, 3, 20, 21, 22)))
        .isEqualTo(Golden.buffer("paimon-1.4.2/index-64-five"));
    assertThat(DeltaDvCodec.encodeFile(PositionSet.of(7, 19)))
        .isEqualTo(Golden.slice("delta-4.4.0/deletion_vector_two.bin", 0, 45));
  }

  @ParameterizedTest
  @ValueSource(longs = {1L << 31, (1L << 32) - 1, 1L << 32, Long.MAX_VALUE})
  void refusesPositionsThatPaimonsThirtyTwoBitVectorsCannotHold(long position) {
    assertThat(Paimon32Codec.decode(Paimon32Codec.encode(PositionSet.of((1L << 31) - 1))).max())
        .isEqualTo((1L << 31) - 1);
    assertThatThrownBy(() -> Paimon32Codec.encode(PositionSet.of(position)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(Long.toString(position));
  }

  @Test
  void namesTheBitmapWithAFault() {
    ByteBuffer bitmap = new RoaringBytes().array(0, 4, 4).withoutRuns();
    byte[] bytes = new byte[8 + bitmap.remaining() + 4];
    RoaringBytes.little(4).putInt(Paimon32Codec.MAGIC).flip().get(bytes, 4, 4);
    bitmap.get(bytes, 8, bitmap.remaining());
    CrcFrame.seal(bytes, bytes.length - 8);

    assertThatThrownBy(() -> Paimon32Codec.decode(ByteBuffer.wrap(bytes)))
        .isInstanceOf(PuffinFormatException.class)
        .hasMessage("bitmap at byte 8: array value 4, expected one above 4 (at byte 18)");
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("dev.narwhal.puffin.RandomPositions#seeds")
  void filesRoundTrip(long seed) {
    PositionSet set = RandomPositions.set(RandomPositions.below(Long.MAX_VALUE, seed));
    PositionSet small = set.slice(0, 1L << 31);

    assertRoundTrip(DvFormat.PAIMON32, Paimon32Codec.encodeFile(small), small);
    assertRoundTrip(DvFormat.PAIMON64, Paimon64Codec.encodeFile(set), set);
    assertRoundTrip(DvFormat.DELTA, DeltaDvCodec.encodeFile(set), set);
  }

  private static void assertRoundTrip(DvFormat format, ByteBuffer file, PositionSet set) {
    List<VectorRange> ranges = format.ranges(file);
    assertThat(ranges).hasSize(1);
    assertThat(format.decode(file, ranges.get(0))).isEqualTo(set);
  }
}
