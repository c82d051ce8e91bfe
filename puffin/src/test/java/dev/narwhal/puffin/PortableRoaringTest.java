package dev.narwhal.puffin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PortableRoaringTest {
  private static final String EVERY_SECOND = "lance-7.0.0/every-second-of-12000.bin";
  private static final String GROWN = "lance-7.0.0/grown-past-5000.bin";

  @Test
  void splicesLanceBitmaps() {
    PortableRoaring everySecond = PortableRoaring.of(Golden.buffer(EVERY_SECOND), 12_000);
    assertThat(everySecond.cardinality()).isEqualTo(6000);
    assertThat(everySecond.max()).isEqualTo(11_998);
    assertThat(IcebergDvCodec.decode(IcebergDvCodec.splice(everySecond)).toArray())
        .isEqualTo(LongStream.range(0, 6000).map(i -> 2 * i).toArray());

    PortableRoaring grown = PortableRoaring.of(Golden.buffer(GROWN), 10_000);
    assertThat(IcebergDvCodec.decode(IcebergDvCodec.splice(grown)))
        .isEqualTo(PositionSet.builder().addRange(0, 4000).addRange(7000, 8500).build());
  }

  @Test
  void keepsTheBytesBetweenHeaderAndChecksumAsTheyAre() {
    ByteBuffer source = Golden.buffer(GROWN);
    ByteBuffer blob = IcebergDvCodec.splice(PortableRoaring.of(source, 10_000));

    assertThat(blob.remaining()).isEqualTo(source.remaining() + 24);
    assertThat(blob.slice(20, source.remaining())).isEqualTo(source);
    assertThat(blob.getInt(0)).isEqualTo(source.remaining() + 16);
    assertThat(blob.isReadOnly()).isTrue();
  }

  @Test
  void takesAnyKindOfBuffer() {
    ByteBuffer source = Golden.buffer(EVERY_SECOND);
    ByteBuffer direct = ByteBuffer.allocateDirect(source.remaining()).put(source.slice()).flip();
    ByteBuffer inside = ByteBuffer.allocate(source.remaining() + 7).order(ByteOrder.BIG_ENDIAN);
    inside.position(3).put(source.slice()).flip().position(3);
    ByteBuffer blob = IcebergDvCodec.splice(PortableRoaring.of(source, 12_000));

    for (ByteBuffer other : new ByteBuffer[] {direct, inside, source.asReadOnlyBuffer()}) {
      int position = other.position();
      assertThat(IcebergDvCodec.splice(PortableRoaring.of(other, 12_000))).isEqualTo(blob);
      assertThat(other.position()).isEqualTo(position);
    }
  }

  @Test
  void doesNotSeeLaterChangesOfTheSource() {
    ByteBuffer source = Golden.buffer(EVERY_SECOND);
    PortableRoaring portable = PortableRoaring.of(source, 12_000);
    source.put(20, (byte) -1);

    assertThat(portable.bytes()).isEqualTo(Golden.buffer(EVERY_SECOND));
  }

  @Test
  void noPositionsMakeNoBlob() {
    PortableRoaring empty = PortableRoaring.of(PositionSet.empty().toPortable(), 10);

    assertThat(empty.isEmpty()).isTrue();
    assertThat(empty.positions()).isEqualTo(PositionSet.empty());
    assertThatThrownBy(() -> IcebergDvCodec.splice(empty))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no positions");
  }

  @Test
  void refusesPositionsBeyondTheRows() {
    assertThatThrownBy(() -> PortableRoaring.of(Golden.buffer(EVERY_SECOND), 11_998))
        .isInstanceOf(PuffinFormatException.class)
        .hasMessage("position 11998, expected below 11998");
  }

  @Test
  void comesBackOutOfABlobAsItWas() {
    ByteBuffer source = Golden.buffer(GROWN);
    ByteBuffer blob = IcebergDvCodec.splice(PortableRoaring.of(source, 10_000));

    PortableRoaring back = IcebergDvCodec.portable(blob, 10_000);

    assertThat(back.bytes()).isEqualTo(source);
    assertThat(back.bytes().order()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
    assertThat(back.cardinality()).isEqualTo(5500);
    assertThat(IcebergDvCodec.splice(back)).isEqualTo(blob);
  }

  @Test
  void comesOutOfBlobsOfOthersWithTheirRunContainers() {
    PortableRoaring portable =
        IcebergDvCodec.portable(Golden.slice("trino-483/three-vectors.puffin", 54, 39), 20);

    assertThat(portable.bytes()).isEqualTo(new RoaringBytes().runs(0, 4, 0, 3).withRuns());
  }

  @Test
  void comesOutEmptyOfABlobWithoutBitmaps() {
    assertThat(IcebergDvCodec.portable(IcebergDvCodec.encode(PositionSet.empty()), 0).isEmpty())
        .isTrue();
  }

  @Test
  void refusesBlobsWithPositionsBeyondTheRows() {
    ByteBuffer blob = IcebergDvCodec.encode(PositionSet.of(3, 1L << 32));

    assertThatThrownBy(() -> IcebergDvCodec.portable(blob, 1L << 32))
        .isInstanceOf(PuffinFormatException.class)
        .hasMessage("position 4294967296, expected below 4294967296");
    assertThatThrownBy(() -> IcebergDvCodec.portable(blob, 3))
        .isInstanceOf(PuffinFormatException.class)
        .hasMessage("position 3, expected below 3");
  }

  @Test
  void anAlignedSliceCopiesContainers() {
    ByteBuffer source =
        new RoaringBytes()
            .array(0, 1, 2)
            .runs(1, 2, 3, 0, 4, 0)
            .array(2, 9)
            .array(7, 5)
            .array(8, 6)
            .withRuns();
    PortableRoaring portable = PortableRoaring.of(source, 1L << 32);

    // Runs that touch stay as they are: nothing was decoded.
    assertThat(portable.slice(65_536, 3 << 16).bytes())
        .isEqualTo(new RoaringBytes().runs(0, 2, 3, 0, 4, 0).array(1, 9).withRuns());
    assertThat(portable.slice(2 << 16, 1L << 40).bytes())
        .isEqualTo(new RoaringBytes().array(0, 9).array(5, 5).array(6, 6).withoutRuns());
    assertThat(portable.slice(0, 8 << 16).bytes())
        .isEqualTo(
            new RoaringBytes()
                .array(0, 1, 2)
                .runs(1, 2, 3, 0, 4, 0)
                .array(2, 9)
                .array(7, 5)
                .withRuns());
    assertThat(portable.slice(3 << 16, 7 << 16).isEmpty()).isTrue();
    assertThat(portable.slice(1L << 40, 1L << 41).isEmpty()).isTrue();
  }

  @Test
  void aSliceThatCutsAContainerIsEncodedAnew() {
    PortableRoaring portable =
        PortableRoaring.of(new RoaringBytes().runs(1, 2, 3, 0, 4, 0).withRuns(), 1L << 32);

    assertThat(portable.slice(65_536, 65_540).positions()).isEqualTo(PositionSet.of(3));
    assertThat(portable.slice(65_540, 65_545).positions()).isEqualTo(PositionSet.of(0));
    assertThat(portable.slice(7, 1L << 32).positions()).isEqualTo(PositionSet.of(65_532, 65_533));
  }

  @Test
  void refusesASliceThatIsNone() {
    PortableRoaring portable = PortableRoaring.of(PositionSet.of(1).toPortable(), 2);

    assertThatThrownBy(() -> portable.slice(-1, 5)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> portable.slice(65_536, 5))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("dev.narwhal.puffin.RandomPositions#seeds")
  void agreesWithDecoding(long seed) {
    PositionSet set = RandomPositions.set(RandomPositions.below(1L << 32, seed));
    PortableRoaring portable = PortableRoaring.of(set.toPortable(), set.max() + 1);

    assertThat(portable.cardinality()).isEqualTo(set.cardinality());
    assertThat(portable.max()).isEqualTo(set.max());
    assertThat(portable.positions()).isEqualTo(set);
    if (!set.isEmpty()) {
      assertThat(IcebergDvCodec.splice(portable)).isEqualTo(IcebergDvCodec.encode(set));
      assertThat(IcebergDvCodec.portable(IcebergDvCodec.encode(set), set.max() + 1).bytes())
          .isEqualTo(portable.bytes());
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("dev.narwhal.puffin.RandomPositions#seeds")
  void slicesAgreeWithDecoding(long seed) {
    PositionSet set = RandomPositions.set(RandomPositions.below(1L << 32, seed));
    PortableRoaring portable = PortableRoaring.of(set.toPortable(), 1L << 32);
    Random random = new Random(seed);
    for (int i = 0; i < 12; i++) {
      long start = 65_536L * random.nextInt(5);
      long end = start + (long) random.nextInt(40_000) * 65_536;
      if (i % 3 == 1) {
        end += random.nextInt(65_536);
      } else if (i % 3 == 2) {
        start = Math.min(start + random.nextInt(65_536), end);
      }
      assertThat(portable.slice(start, end).positions())
          .as("[%d, %d)", start, end)
          .isEqualTo(set.slice(start, end));
    }
  }
}
