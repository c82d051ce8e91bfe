package dev.narwhal.puffin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class IcebergDvCodecTest {
  static Stream<Arguments> golden() {
    return Stream.of(
        arguments("iceberg-1.12.0/two-vectors.puffin", 4, 44, new long[] {7, 19}),
        arguments("iceberg-1.12.0/two-vectors.puffin", 48, 46, new long[] {2, 5, 6}),
        arguments("iceberg-1.12.0/one-vector.puffin", 4, 46, new long[] {0, 5, 11}),
        arguments("iceberg-1.12.0/run-container.puffin", 4, 44, new long[] {0, 1}),
        arguments("iceberg-1.12.0/run-container.puffin", 48, 39, new long[] {0, 1, 2, 3}),
        arguments("trino-483/three-vectors.puffin", 4, 50, new long[] {0, 1, 2, 3, 10}),
        arguments("trino-483/three-vectors.puffin", 54, 39, new long[] {0, 1, 2, 3}),
        arguments("trino-483/three-vectors.puffin", 93, 42, new long[] {0}));
  }

  @ParameterizedTest(name = "{0} at {1}")
  @MethodSource("golden")
  void decodesWhatOthersWrote(String file, int offset, int length, long[] positions) {
    assertThat(IcebergDvCodec.decode(Golden.slice(file, offset, length)).toArray())
        .containsExactly(positions);
  }

  @ParameterizedTest(name = "{0} at {1}")
  @MethodSource("golden")
  void encodesTheBytesThatOthersWrote(String file, int offset, int length, long[] positions) {
    assertThat(IcebergDvCodec.encode(PositionSet.of(positions)))
        .isEqualTo(Golden.slice(file, offset, length));
  }

  @ParameterizedTest(name = "{0} at {1}")
  @MethodSource("golden")
  void refusesEveryTruncation(String file, int offset, int length, long[] positions) {
    for (int size = 0; size < length; size++) {
      ByteBuffer cut = Golden.slice(file, offset, size);
      assertThatThrownBy(() -> IcebergDvCodec.decode(cut))
          .isInstanceOf(PuffinFormatException.class);
    }
  }

  @ParameterizedTest(name = "{0} at {1}")
  @MethodSource("golden")
  void refusesEveryFlippedBit(String file, int offset, int length, long[] positions) {
    for (int bit = 0; bit < length * 8; bit++) {
      byte[] bytes = Golden.toArray(Golden.slice(file, offset, length));
      bytes[bit / 8] ^= (byte) (1 << bit % 8);
      ByteBuffer flipped = ByteBuffer.wrap(bytes);
      // The CRC covers all but itself and the length, which is compared with the size.
      assertThatThrownBy(() -> IcebergDvCodec.decode(flipped))
          .isInstanceOf(PuffinFormatException.class)
          .hasMessageContaining(bit < 32 ? "length" : "CRC-32");
    }
  }

  @Test
  void refusesABlobWithMoreBytesThanItsLength() {
    ByteBuffer blob = IcebergDvCodec.encode(PositionSet.of(1));
    ByteBuffer longer = ByteBuffer.allocate(blob.remaining() + 1).put(blob).rewind();

    assertThatThrownBy(() -> IcebergDvCodec.decode(longer))
        .isInstanceOf(PuffinFormatException.class)
        .hasMessage("length 34, expected 35 in 43 bytes (at byte 0)");
  }

  @Test
  void tellsBothChecksums() {
    byte[] bytes = Golden.toArray(IcebergDvCodec.encode(PositionSet.of(1)));
    bytes[bytes.length - 1] ^= 1;

    assertThatThrownBy(() -> IcebergDvCodec.decode(ByteBuffer.wrap(bytes)))
        .hasMessageMatching(
            "CRC-32 0x[0-9a-f]{8}, expected 0x[0-9a-f]{8} of the body \\(at byte 38\\)");
  }

  @Test
  void refusesAnotherMagic() {
    assertThatThrownBy(() -> IcebergDvCodec.decode(Paimon32Codec.encode(PositionSet.of(1))))
        .isInstanceOf(PuffinFormatException.class)
        .hasMessage("magic 5E 43 F2 D0, expected D1 D3 39 64 (at byte 4)");
  }

  @ParameterizedTest
  @ValueSource(longs = {2, 4, 1L << 31, 1L << 32, Long.MAX_VALUE, -1, Long.MIN_VALUE})
  void refusesACountThatTheBytesCannotHold(long count) {
    ByteBuffer body = body(count).putInt(0).put(PositionSet.of(7).toPortable());

    assertThatThrownBy(() -> IcebergDvCodec.decode(framed(body)))
        .isInstanceOf(PuffinFormatException.class)
        .hasMessageContaining(Long.toUnsignedString(count) + " bitmaps, expected at most 1");
  }

  @Test
  void refusesABodyWithoutACount() {
    ByteBuffer body = body(0).position(11);

    assertThatThrownBy(() -> IcebergDvCodec.decode(framed(body)))
        .isInstanceOf(PuffinFormatException.class)
        .hasMessageContaining("7 bytes left for the number of bitmaps");
  }

  @Test
  void refusesKeysThatDoNotAscend() {
    for (int[] keys : new int[][] {{3, 3}, {3, 2}, {0, -1}, {Integer.MIN_VALUE, 1}}) {
      ByteBuffer body = body(2);
      for (int key : keys) {
        body.putInt(key).put(PositionSet.of(7).toPortable());
      }
      assertThatThrownBy(() -> IcebergDvCodec.decode(framed(body)))
          .isInstanceOf(PuffinFormatException.class)
          .hasMessageContaining("key");
    }
  }

  @Test
  void refusesFewerBitmapsThanCounted() {
    ByteBuffer body = body(2).putInt(0).put(PositionSet.of(1, 2, 3, 4, 9).toPortable());

    assertThatThrownBy(() -> IcebergDvCodec.decode(framed(body)))
        .isInstanceOf(PuffinFormatException.class)
        .hasMessage("0 bytes left for a key, expected 4 (at byte 46)");
  }

  @Test
  void refusesBytesAfterTheLastBitmap() {
    ByteBuffer body = body(1).putInt(0).put(PositionSet.of(1).toPortable()).put((byte) 0);

    assertThatThrownBy(() -> IcebergDvCodec.decode(framed(body)))
        .isInstanceOf(PuffinFormatException.class)
        .hasMessageContaining("1 bytes after the last bitmap");
  }

  @Test
  void namesTheBitmapWithAFault() {
    ByteBuffer body = body(2).putInt(0).put(PositionSet.of(1).toPortable());
    body.putInt(9).put(new RoaringBytes().array(0, 4, 4).withoutRuns());

    assertThatThrownBy(() -> IcebergDvCodec.decode(framed(body)))
        .isInstanceOf(PuffinFormatException.class)
        .hasMessage("bitmap at byte 42: array value 4, expected one above 4 (at byte 18)");
  }

  @Test
  void readsTheEmptyBitmapsThatIcebergWritesBelowAKey() {
    ByteBuffer body = body(2);
    body.putInt(0).put(PositionSet.empty().toPortable());
    body.putInt(1).put(PositionSet.of(5).toPortable());

    assertThat(IcebergDvCodec.decode(framed(body)).toArray()).containsExactly((1L << 32) + 5);
  }

  @Test
  void theGreatestKeyNeedsNoRoomForThoseBelow() {
    ByteBuffer blob = IcebergDvCodec.encode(PositionSet.of(0, Long.MAX_VALUE));

    assertThat(blob.remaining()).isEqualTo(20 + 2 * (4 + 18));
    assertThat(IcebergDvCodec.decode(blob).toArray()).containsExactly(0, Long.MAX_VALUE);
  }

  @Test
  void anEmptySetIsABlobWithoutBitmaps() {
    ByteBuffer blob = IcebergDvCodec.encode(PositionSet.empty());

    assertThat(blob.remaining()).isEqualTo(20);
    assertThat(IcebergDvCodec.decode(blob)).isEqualTo(PositionSet.empty());
  }

  @Test
  void leavesBufferAndSetAsTheyWere() {
    ByteBuffer blob = Golden.slice("iceberg-1.12.0/two-vectors.puffin", 4, 44);
    ByteBuffer inside = Golden.buffer("iceberg-1.12.0/two-vectors.puffin");
    inside.position(4).limit(48).order(ByteOrder.LITTLE_ENDIAN);

    PositionSet positions = IcebergDvCodec.decode(inside);

    assertThat(inside.position()).isEqualTo(4);
    assertThat(inside.order()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
    assertThat(IcebergDvCodec.encode(positions)).isEqualTo(blob);
    assertThat(positions.toArray()).containsExactly(7, 19);
    assertThat(IcebergDvCodec.encode(positions).isReadOnly()).isTrue();
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("dev.narwhal.puffin.RandomPositions#seeds")
  void roundTrips(long seed) {
    PositionSet set = RandomPositions.set(RandomPositions.below(Long.MAX_VALUE, seed));

    assertThat(IcebergDvCodec.decode(IcebergDvCodec.encode(set))).isEqualTo(set);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("dev.narwhal.puffin.RandomPositions#seeds")
  void damagedBlobsWithTheRightChecksumNeverFailOtherwise(long seed) {
    PositionSet set = RandomPositions.set(RandomPositions.below(3L << 32, seed));
    byte[] good = Golden.toArray(IcebergDvCodec.encode(set));
    java.util.Random random = new java.util.Random(seed);
    for (int round = 0; round < 50; round++) {
      byte[] bytes = good.clone();
      for (int i = 0; i <= round % 3; i++) {
        // Near the start lie the counts, keys, cardinalities and offsets.
        int at = 8 + random.nextInt(Math.min(bytes.length - 8, 80));
        bytes[at] = (byte) random.nextInt();
      }
      CrcFrame.seal(bytes, bytes.length - 8);
      try {
        PositionSet other = IcebergDvCodec.decode(ByteBuffer.wrap(bytes));
        assertThat(IcebergDvCodec.decode(IcebergDvCodec.encode(other))).isEqualTo(other);
      } catch (PuffinFormatException expected) {
        assertThat(expected).hasMessageContaining("expected");
      }
    }
  }

  /** Room for a body with its first fields. */
  private static ByteBuffer body(long count) {
    return RoaringBytes.little(1000).putInt(IcebergDvCodec.MAGIC).putLong(count);
  }

  private static ByteBuffer framed(ByteBuffer body) {
    ByteBuffer frame = ByteBuffer.allocate(body.position() + 8);
    frame.position(4).put(body.duplicate().flip());
    byte[] bytes = Golden.toArray(frame.rewind());
    CrcFrame.seal(bytes, bytes.length - 8);
    return ByteBuffer.wrap(bytes);
  }
}
