package dev.narwhal.lance.datafile.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.narwhal.lance.error.LanceFormatException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FastLanesTest {
  /** File format notes, section 6.3, first example. */
  @Test
  void unpacksTheExampleOfEightBitValues() {
    byte[] packed = new byte[384];
    Arrays.fill(packed, 0, 128, (byte) 0x88);
    Arrays.fill(packed, 128, 256, (byte) 0xC6);
    Arrays.fill(packed, 256, 384, (byte) 0xFA);
    byte[] values = new byte[1024];
    new FastLanes(8).unpack(ByteBuffer.wrap(packed), 3, values);
    for (int i = 0; i < 1024; i++) {
      assertThat(values[i]).as("value %d", i).isEqualTo((byte) (i / 128));
    }
  }

  /** File format notes, section 6.3: definition levels of a real file start with 20 02. */
  @Test
  void theTestPackerAgreesWithRealDefinitionLevels() {
    long[] levels = new long[1024];
    for (int i = 0; i < 1024; i++) {
      levels[i] = i % 7 == 3 ? 1 : 0;
    }
    byte[] packed = BitPacker.group(levels, 0, 1024, 16, 1);
    assertThat(packed).startsWith(0x20, 0x02);
    short[] values = new short[1024];
    new FastLanes(16).unpack(ByteBuffer.wrap(packed), 1, values);
    for (int i = 0; i < 1024; i++) {
      assertThat(values[i]).as("value %d", i).isEqualTo((short) levels[i]);
    }
  }

  /** File format notes, section 6.3: where single values of a 32-bit group lie. */
  @ParameterizedTest(name = "value {0} is in lane {1}, row {2}")
  @CsvSource({"0,0,0", "1,1,0", "32,0,16", "64,0,8", "96,0,24", "128,0,1"})
  void findsEachValueInItsLaneAndRow(int index, int lane, int row) {
    // at full width, row r of lane l is word r * 32 + l
    ByteBuffer packed = ByteBuffer.allocate(4096).order(ByteOrder.LITTLE_ENDIAN);
    packed.putInt((row * 32 + lane) * 4, 7);
    int[] values = new int[1024];
    new FastLanes(32).unpack(packed, 32, values);
    assertThat(values[index]).isEqualTo(7);
    assertThat(Arrays.stream(values).filter(v -> v != 0).count()).isEqualTo(1);
  }

  @ParameterizedTest(name = "{0}-bit values at every width")
  @ValueSource(ints = {8, 16, 32, 64})
  void unpacksWhatWasPackedAtEveryWidth(int valueBits) {
    FastLanes lanes = new FastLanes(valueBits);
    for (int width = 0; width <= valueBits; width++) {
      long[] values = random(new Random(width), 1024, width);
      byte[] packed = BitPacker.group(values, 0, 1024, valueBits, width);
      ByteBuffer in = ByteBuffer.allocateDirect(packed.length + 5).position(5);
      in.put(packed).flip().position(5);
      ByteBuffer out = ByteBuffer.allocate(1024 * valueBits / 8 + 3).position(3);
      lanes.unpack(in, width, 1024, out);
      assertThat(in.position()).isEqualTo(5);
      assertThat(out.hasRemaining()).isFalse();
      assertThat(Arrays.copyOfRange(out.array(), 3, out.capacity()))
          .as("width %d", width)
          .isEqualTo(BitPacker.words(values, 0, 1024, valueBits));
    }
  }

  @Test
  void fillsArraysOfItsOwnValueTypeOnly() {
    long[] values = random(new Random(1), 1024, 13);
    ByteBuffer packed = ByteBuffer.wrap(BitPacker.group(values, 0, 1024, 32, 13));
    int[] ints = new int[1024];
    new FastLanes(32).unpack(packed, 13, ints);
    assertThat(Arrays.stream(ints).asLongStream().toArray()).isEqualTo(values);

    ByteBuffer wide = ByteBuffer.wrap(BitPacker.group(values, 0, 1024, 64, 13));
    long[] longs = new long[1024];
    new FastLanes(64).unpack(wide, 13, longs);
    assertThat(longs).isEqualTo(values);

    assertThatThrownBy(() -> new FastLanes(64).unpack(wide, 13, new int[1024]))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void putsOnlyTheValuesAskedFor() {
    long[] values = random(new Random(1), 1024, 9);
    ByteBuffer packed = ByteBuffer.wrap(BitPacker.group(values, 0, 1024, 16, 9));
    ByteBuffer out = ByteBuffer.allocate(100);
    new FastLanes(16).unpack(packed, 9, 3, out);
    assertThat(out.position()).isEqualTo(6);
    assertThat(Arrays.copyOf(out.array(), 6)).isEqualTo(BitPacker.words(values, 0, 3, 16));
  }

  @Test
  void rejectsWidthsAndLengthsThatCannotBe() {
    FastLanes lanes = new FastLanes(16);
    ByteBuffer out = ByteBuffer.allocate(2048);
    assertThatThrownBy(() -> lanes.unpack(ByteBuffer.allocate(9999), 17, 1024, out))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("width 17");
    assertThatThrownBy(() -> lanes.unpack(ByteBuffer.allocate(9999), -1, 1024, out))
        .isInstanceOf(LanceFormatException.class);
    assertThatThrownBy(() -> lanes.unpack(ByteBuffer.allocate(383), 3, 1024, out))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("383 bytes, expected 384");
    assertThatThrownBy(() -> new FastLanes(24)).isInstanceOf(IllegalArgumentException.class);
  }

  static long[] random(Random random, int count, int width) {
    long[] values = new long[count];
    for (int i = 0; i < count; i++) {
      values[i] = random.nextLong() & BitPacker.mask(width);
    }
    return values;
  }
}
