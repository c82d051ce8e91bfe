package dev.narwhal.lance.datafile.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.narwhal.lance.error.LanceFormatException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link InlineBitpacking} and {@link OutOfLineBitpacking}. */
class BitpackingTest {
  @ParameterizedTest(name = "{0}-bit values")
  @ValueSource(ints = {8, 16, 32, 64})
  void inlineDecodesEveryWidthAndCount(int valueBits) {
    Random random = new Random(valueBits);
    for (int width = 0; width <= valueBits; width++) {
      int count = width == 0 ? 0 : 1 + random.nextInt(1024);
      long[] values = FastLanesTest.random(random, count, width);
      ByteBuffer packed = inline(values, valueBits, width);
      ByteBuffer out = ByteBuffer.allocate(count * valueBits / 8);
      InlineBitpacking.decode(packed, new FastLanes(valueBits), count, out);
      assertThat(packed.position()).isZero();
      assertThat(out.hasRemaining()).isFalse();
      assertThat(out.array())
          .as("width %d, count %d", width, count)
          .isEqualTo(BitPacker.words(values, 0, count, valueBits));
    }
  }

  @Test
  void inlineOfWidthZeroIsItsHeaderAndAllZeros() {
    ByteBuffer out = ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
    InlineBitpacking.decode(ByteBuffer.allocate(4), new FastLanes(32), 2, out);
    assertThat(out.array()).containsOnly(0);
  }

  @ParameterizedTest(name = "{0}-bit values, width {1}")
  @CsvSource({"8,9", "16,17", "32,-1", "64,65", "64,-1", "64,-9223372036854775808"})
  void inlineRejectsWidthsOutsideTheType(int valueBits, long width) {
    ByteBuffer packed = ByteBuffer.allocate(20000).order(ByteOrder.LITTLE_ENDIAN);
    packed.put(BitPacker.words(new long[] {width}, 0, 1, valueBits)).rewind();
    assertThatThrownBy(
            () ->
                InlineBitpacking.decode(
                    packed, new FastLanes(valueBits), 1, ByteBuffer.allocate(8)))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("inline bit-packing width");
  }

  @Test
  void inlineRejectsEveryOtherLength() {
    ByteBuffer good = inline(new long[] {1, 2, 3}, 16, 2);
    FastLanes lanes = new FastLanes(16);
    for (int length = 0; length < good.limit() + 20; length++) {
      if (length != good.limit()) {
        ByteBuffer bad = ByteBuffer.allocate(length);
        bad.put(good.slice(0, Math.min(length, good.limit()))).clear();
        assertThatThrownBy(() -> InlineBitpacking.decode(bad, lanes, 3, ByteBuffer.allocate(6)))
            .isInstanceOf(LanceFormatException.class);
      }
    }
  }

  @Test
  void inlineRejectsMoreValuesThanAGroup() {
    ByteBuffer packed = inline(new long[] {1}, 16, 1);
    assertThatThrownBy(
            () ->
                InlineBitpacking.decode(packed, new FastLanes(16), 1025, ByteBuffer.allocate(4096)))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("1025");
  }

  @ParameterizedTest(name = "{0}-bit values to {1} bits, {2} of them, tail packed: {3}")
  @CsvSource({
    "16,1,1024,true", "16,1,2048,false", "16,1,1,true", "16,1,1,false", "16,3,1500,true",
    "16,3,1500,false", "16,3,4000,true", "8,7,100,true", "8,7,100,false", "32,11,3000,true",
    "32,11,3000,false", "64,33,5000,true", "64,33,5000,false", "16,0,3000,true", "16,16,1030,false",
    "16,5,0,true"
  })
  void outOfLineDecodesBothTails(int valueBits, int width, int count, boolean packTail) {
    long[] values = FastLanesTest.random(new Random(count), count, width);
    ByteBuffer packed = outOfLine(values, valueBits, width, packTail);
    ByteBuffer out = ByteBuffer.allocate(count * valueBits / 8);
    OutOfLineBitpacking.decode(packed, new FastLanes(valueBits), width, count, out);
    assertThat(out.hasRemaining()).isFalse();
    assertThat(out.array()).isEqualTo(BitPacker.words(values, 0, count, valueBits));
  }

  @Test
  void outOfLineTakesTheTailAsItIsWhereBothFormsAreAsLong() {
    // 64 words of 16 bits are 128 bytes, as is a group packed to one bit
    long[] values = FastLanesTest.random(new Random(1), 64, 16);
    ByteBuffer packed = outOfLine(values, 16, 1, false);
    ByteBuffer out = ByteBuffer.allocate(128);
    OutOfLineBitpacking.decode(packed, new FastLanes(16), 1, 64, out);
    assertThat(out.array()).isEqualTo(BitPacker.words(values, 0, 64, 16));
  }

  @Test
  void outOfLineRejectsEveryOtherLength() {
    long[] values = FastLanesTest.random(new Random(1), 1100, 3);
    int raw = outOfLine(values, 16, 3, false).limit();
    int packed = outOfLine(values, 16, 3, true).limit();
    for (int length = 0; length < packed + 400; length++) {
      if (length != raw && length != packed) {
        ByteBuffer bad = ByteBuffer.allocate(length);
        assertThatThrownBy(
                () ->
                    OutOfLineBitpacking.decode(
                        bad, new FastLanes(16), 3, 1100, ByteBuffer.allocate(2200)))
            .isInstanceOf(LanceFormatException.class);
      }
    }
    assertThatThrownBy(
            () ->
                OutOfLineBitpacking.decode(
                    ByteBuffer.allocate(128 * 17),
                    new FastLanes(16),
                    17,
                    1024,
                    ByteBuffer.allocate(2048)))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("width 17");
  }

  /** Counts near 2^31 must not overflow the length check. */
  @Test
  void outOfLineRejectsHugeCountsWithoutOverflow() {
    assertThatThrownBy(
            () ->
                OutOfLineBitpacking.decode(
                    ByteBuffer.allocate(100),
                    new FastLanes(64),
                    64,
                    Integer.MAX_VALUE,
                    ByteBuffer.allocate(100)))
        .isInstanceOf(LanceFormatException.class);
  }

  private static ByteBuffer inline(long[] values, int valueBits, int width) {
    ByteBuffer out = ByteBuffer.allocate(valueBits / 8 + 128 * width);
    out.put(BitPacker.words(new long[] {width}, 0, 1, valueBits));
    out.put(BitPacker.group(values, 0, values.length, valueBits, width));
    return out.flip();
  }

  private static ByteBuffer outOfLine(long[] values, int valueBits, int width, boolean packTail) {
    int groups = values.length / 1024;
    int tail = values.length % 1024;
    int tailBytes = packTail ? (tail == 0 ? 0 : 128 * width) : tail * valueBits / 8;
    ByteBuffer out = ByteBuffer.allocate(groups * 128 * width + tailBytes);
    for (int group = 0; group < groups; group++) {
      out.put(BitPacker.group(values, group * 1024, 1024, valueBits, width));
    }
    if (tail > 0) {
      out.put(
          packTail
              ? BitPacker.group(values, groups * 1024, tail, valueBits, width)
              : BitPacker.words(values, groups * 1024, tail, valueBits));
    }
    return out.flip();
  }
}
