package dev.narwhal.lance.datafile.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.narwhal.lance.error.LanceFormatException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RleTest {
  /** File format notes, section 5.6: 1000 times level 1. */
  @Test
  void decodesTheExampleBlock() {
    ByteBuffer block = hex("0800000000000000" + "0100010001000100" + "ffffffeb");
    ByteBuffer out = ByteBuffer.allocate(2000);
    Rle.decodeBlock(block, 16, 1000, out);
    assertThat(out.hasRemaining()).isFalse();
    for (int i = 0; i < 1000; i++) {
      assertThat(out.get(2 * i)).isEqualTo((byte) 1);
      assertThat(out.get(2 * i + 1)).isZero();
    }
  }

  @ParameterizedTest(name = "{0}-bit values")
  @ValueSource(ints = {8, 16, 32, 64})
  void expandsRandomRuns(int valueBits) {
    Random random = new Random(valueBits);
    int runs = 500;
    long[] values = FastLanesTest.random(random, runs, valueBits);
    byte[] lengths = new byte[runs];
    random.nextBytes(lengths);
    lengths[7] = 0;
    long[] expected = new long[runs * 255];
    int count = 0;
    for (int run = 0; run < runs; run++) {
      int end = count + (lengths[run] & 0xFF);
      Arrays.fill(expected, count, end, values[run]);
      count = end;
    }
    ByteBuffer out = ByteBuffer.allocateDirect(count * valueBits / 8 + 1).position(1);
    Rle.decode(
        ByteBuffer.wrap(BitPacker.words(values, 0, runs, valueBits)),
        ByteBuffer.wrap(lengths),
        valueBits,
        count,
        out);
    assertThat(out.hasRemaining()).isFalse();
    byte[] decoded = new byte[count * valueBits / 8];
    out.position(1).get(decoded);
    assertThat(decoded).isEqualTo(BitPacker.words(expected, 0, count, valueBits));
  }

  @Test
  void stopsAtTheDeclaredCountInTheMiddleOfARun() {
    ByteBuffer out = ByteBuffer.allocate(10);
    Rle.decode(hex("0708"), hex("03ff"), 8, 5, out);
    assertThat(out.position()).isEqualTo(5);
    assertThat(out.array()).startsWith(7, 7, 7, 8, 8).endsWith(0, 0, 0, 0, 0);
  }

  @Test
  void nothingIsNoRunAtAll() {
    ByteBuffer out = ByteBuffer.allocate(4);
    Rle.decode(hex(""), hex(""), 32, 0, out);
    assertThat(out.position()).isZero();
  }

  @Test
  void rejectsRunsThatDoNotAddUp() {
    ByteBuffer out = ByteBuffer.allocate(100);
    assertThatThrownBy(() -> Rle.decode(hex("0708"), hex("0102"), 8, 4, out))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("3 values in all, expected 4");
    assertThatThrownBy(() -> Rle.decode(hex("0708"), hex("01"), 8, 1, out))
        .isInstanceOf(LanceFormatException.class);
    assertThatThrownBy(() -> Rle.decode(hex("070809"), hex("ff"), 16, 1, out))
        .isInstanceOf(LanceFormatException.class);
    // the claim is checked before anything of its size is made
    assertThatThrownBy(() -> Rle.decode(hex("07"), hex("ff"), 8, Integer.MAX_VALUE, out))
        .isInstanceOf(LanceFormatException.class);
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "08",
        "08000000000000",
        "0900000000000000ffffffffffffffff",
        "ffffffffffffffff0100ff",
        "0000000000000080010001",
        "01000000000000000100ff",
        "02000000000000000100"
      })
  void rejectsBlocksWhoseListsDoNotFit(String block) {
    assertThatThrownBy(() -> Rle.decodeBlock(hex(block), 16, 1, ByteBuffer.allocate(2)))
        .isInstanceOf(LanceFormatException.class);
  }

  private static ByteBuffer hex(String hex) {
    return ByteBuffer.wrap(HexFormat.of().parseHex(hex));
  }
}
