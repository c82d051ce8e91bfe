package dev.narwhal.lance.deletion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.narwhal.lance.deletion.GoldenDeletions.Golden;
import dev.narwhal.lance.error.LanceFormatException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.NavigableSet;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.roaringbitmap.RoaringBitmap;

class BitmapCodecTest {
  private static final long ALL = 1L << 32;

  @ParameterizedTest
  @MethodSource("dev.narwhal.lance.deletion.GoldenDeletions#bitmaps")
  void readsTheFilesOfRealLanceAndWritesTheSameBytes(Golden golden) {
    DeletionVector vector = BitmapCodec.decode(golden.bytes(), golden.physicalRows());
    assertThat(golden.matches(vector)).isTrue();
    assertThat(BitmapCodec.encode(vector)).isEqualTo(golden.bytes());
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("dev.narwhal.lance.RandomSeeds#seeds")
  void readsWhatItAndTheLibraryWrite(long seed) {
    NavigableSet<Long> model = RandomVectors.offsets(new Random(seed));
    DeletionVector vector = RandomVectors.vector(model);
    long physicalRows = vector.max() + 1;
    assertThat(BitmapCodec.decode(BitmapCodec.encode(vector), physicalRows)).isEqualTo(vector);
    RoaringBitmap runs = vector.toRoaring();
    runs.runOptimize();
    assertThat(BitmapCodec.decode(serialise(runs), physicalRows)).isEqualTo(vector);
  }

  @Test
  void readsWithAndWithoutPositionsBesideRuns() {
    for (int containers : new int[] {1, 2, 3, 4, 5, 9}) {
      RoaringBitmap bitmap = new RoaringBitmap();
      for (long i = 0; i < containers; i++) {
        bitmap.add(i << 16, (i << 16) + 5000);
        bitmap.add((i << 16) + 5007, (i << 16) + 5008);
      }
      bitmap.runOptimize();
      ByteBuffer bytes = serialise(bitmap);
      assertThat(bytes.getChar(0)).isEqualTo((char) 12347);
      assertThat(BitmapCodec.decode(bytes, ALL)).isEqualTo(DeletionVector.of(bitmap));
    }
  }

  @Test
  void readsTheWholeRangeOfOffsets() {
    DeletionVector vector = DeletionVector.ofOffsets(0, -1);
    assertThat(BitmapCodec.decode(BitmapCodec.encode(vector), ALL)).isEqualTo(vector);
    assertThatThrownBy(() -> BitmapCodec.decode(BitmapCodec.encode(vector), ALL - 1))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("offset 4294967295 in a fragment of 4294967295 rows");
    assertThat(BitmapCodec.decode(hex("3a30000000000000"), 0)).isEqualTo(DeletionVector.empty());
  }

  @Test
  void leavesTheCallersBufferAlone() {
    ByteBuffer bytes = ByteBuffer.allocate(100).position(7);
    bytes.put(BitmapCodec.encode(DeletionVector.ofOffsets(3))).flip().position(7);
    assertThat(BitmapCodec.decode(bytes, 4)).isEqualTo(DeletionVector.ofOffsets(3));
    assertThat(bytes.position()).isEqualTo(7);
    assertThat(bytes.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
  }

  /** Runs that touch are legal and equal to the one run they make. */
  @Test
  void joinsRunsThatTouch() {
    ByteBuffer bytes = hex("3b300000" + "01" + "00000300" + "0200" + "05000100" + "07000100");
    assertThat(BitmapCodec.decode(bytes, ALL)).isEqualTo(DeletionVector.ofOffsets(5, 6, 7, 8));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "no bytes, '', 4 bytes expected for the cookie",
    "another cookie, 3930000001000000, Roaring cookie 12345",
    "dirt above the cookie, 3a30010001000000, Roaring cookie 77882",
    "too many containers, 3a30000001000100, 65537 containers",
    "negative count, 3a300000ffffffff, 4294967295 containers",
    "no headers, 3a30000000000100, 524288 bytes expected for the container headers",
    "no run flags, 3b30ffff, 8192 bytes expected for the run flags",
    "array cut off, 3a30000001000000" + "00000100" + "10000000" + "0500, array container",
    "keys that fall, 3a30000002000000"
        + "0500000003000000"
        + "1800000 01a000000"
        + "01000100, key 3",
    "same key twice, 3a30000002000000"
        + "0500000005000000"
        + "180000001a000000"
        + "01000100, key 5",
    "wrong position, 3a30000001000000" + "00000000" + "11000000" + "0500, is said to be at 17",
    "values that fall, 3a30000001000000" + "00000100" + "10000000" + "05000400, do not ascend",
    "a value twice, 3a30000001000000" + "00000100" + "10000000" + "05000500, do not ascend",
    "bytes left, 3a30000001000000" + "00000000" + "10000000" + "050007, 1 bytes are left",
    "runs that overlap, 3b300000"
        + "01"
        + "00000300"
        + "0200"
        + "0500010006000100, run of 2 from 6",
    "runs that fall, 3b300000" + "01" + "00000300" + "0200" + "0500010001000100, run of 2 from 1",
    "run past the container, 3b300000"
        + "01"
        + "00000100"
        + "0100"
        + "ffff0100, run of 2 from 65535",
    "run cardinality, 3b300000" + "01" + "00000300" + "0100" + "05000100, holds 2 values",
    "no runs, 3b300000" + "01" + "00000000" + "0000, holds 0 values",
  })
  void rejectsWhatTheStructureForbids(String what, String hex, String message) {
    assertThatThrownBy(() -> BitmapCodec.decode(hex(hex.replace(" ", "")), ALL))
        .as(what)
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining(message);
  }

  @Test
  void rejectsABitmapContainerOfAnotherCardinality() {
    RoaringBitmap bitmap = RoaringBitmap.bitmapOfRange(0, 5000);
    bitmap.removeRunCompression();
    ByteBuffer bytes = serialise(bitmap);
    bytes.put(16 + 7000, (byte) 1);
    assertThatThrownBy(() -> BitmapCodec.decode(bytes, ALL))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("holds 5001 values, its header says 5000");
  }

  @Test
  void rejectsEveryTruncation() {
    for (ByteBuffer good : samples()) {
      for (int length = 0; length < good.limit(); length++) {
        ByteBuffer cut = good.slice(0, length);
        assertThatThrownBy(() -> BitmapCodec.decode(cut, ALL))
            .isInstanceOf(LanceFormatException.class);
      }
    }
  }

  /** A flipped bit may move a value or a key and keep the structure whole: then it is a vector. */
  @Test
  void everyFlippedBitIsAFormatErrorOrAVectorInTheFragment() {
    for (ByteBuffer good : samples()) {
      int rejected = 0;
      for (int bit = 0; bit < good.limit() * 8; bit++) {
        ByteBuffer bad = ByteBuffer.allocate(good.limit());
        bad.put(good.duplicate()).flip();
        bad.put(bit / 8, (byte) (bad.get(bit / 8) ^ 1 << bit % 8));
        try {
          assertThat(BitmapCodec.decode(bad, 400_000).max()).isLessThan(400_000);
        } catch (LanceFormatException e) {
          rejected++;
        }
      }
      assertThat(rejected).isGreaterThan(good.limit());
    }
  }

  private static ByteBuffer[] samples() {
    RoaringBitmap runs = RoaringBitmap.bitmapOfRange(70_000, 80_000);
    runs.add(1, 5, 9, 200_000, 300_000, 399_999);
    runs.runOptimize();
    return new ByteBuffer[] {
      BitmapCodec.encode(DeletionVector.ofOffsets(1, 2, 3, 65_535, 65_536, 200_000)),
      serialise(runs)
    };
  }

  private static ByteBuffer serialise(RoaringBitmap bitmap) {
    ByteBuffer bytes =
        ByteBuffer.allocate(bitmap.serializedSizeInBytes()).order(ByteOrder.LITTLE_ENDIAN);
    bitmap.serialize(bytes);
    return bytes.flip();
  }

  private static ByteBuffer hex(String hex) {
    return ByteBuffer.wrap(HexFormat.of().parseHex(hex));
  }
}
