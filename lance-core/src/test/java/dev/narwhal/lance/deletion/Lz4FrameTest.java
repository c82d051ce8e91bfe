package dev.narwhal.lance.deletion;

import static java.nio.charset.StandardCharsets.US_ASCII;
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

class Lz4FrameTest {
  private static final String HEADER = "04224d18" + "60" + "40" + "00";

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1000, 65_536, 200_000})
  void decodesBlocksOfTheLibrary(int size) {
    byte[] content = new byte[size];
    Random random = new Random(size);
    for (int i = 0; i < size; i++) {
      content[i] = (byte) (i % 40 == 0 ? random.nextInt() : i % 7);
    }
    assertThat(Lz4Frame.decode(ByteBuffer.wrap(AircompressorCodecs.lz4Frame(content)), size))
        .isEqualTo(content);
  }

  /** Blocks that refer back into earlier ones, which the frame must allow. */
  @Test
  void decodesBlocksThatAreLinked() {
    String first = "05000000" + "40" + "61626364";
    // no literals, 4 bytes from 4 back, then a literal
    String second = "05000000" + "00" + "0400" + "10" + "7a";
    assertThat(decode("04224d18" + "40" + "40" + "00" + first + second + "00000000", 9))
        .isEqualTo("abcdabcdz".getBytes(US_ASCII));
    assertThatThrownBy(() -> decode(HEADER + first + second + "00000000", 9))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("a match before the start");
  }

  @Test
  void decodesOverlappingMatchesLongLengthsAndEveryOption() {
    // block checksums, content size, content checksum: one literal, then a match of 4 + 15 + 255 +
    // 6
    String flags = "04224d18" + "7c" + "40" + "1901000000000000" + "00";
    String block = "07000000" + "1f" + "61" + "0100" + "ff06" + "00" + "aaaaaaaa";
    byte[] expected = new byte[281];
    Arrays.fill(expected, (byte) 'a');
    assertThat(decode(flags + block + "00000000" + "bbbbbbbb", 281)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "04224d18",
        "05224d18604000" + "0400008061626364" + "00000000",
        "04224d18204000" + "0400008061626364" + "00000000",
        "04224d186140000400008061626364" + "00000000",
        "04224d18684005000000000000000004000080616263640000" + "0000",
        HEADER + "0400008061626364",
        HEADER + "0400008061626364" + "00000000" + "00",
        HEADER + "03000080616263" + "00000000",
        HEADER + "050000806162636465" + "00000000",
        HEADER + "ffffffff61626364" + "00000000",
        HEADER + "05000000" + "5061626364" + "00000000",
        HEADER + "04000000" + "10610000" + "00000000",
        HEADER + "04000000" + "10610200" + "00000000",
        HEADER + "03000000" + "106101" + "00000000",
        HEADER + "04000000" + "1f610100" + "00000000",
        HEADER + "02000000" + "f0ff" + "00000000",
        HEADER + "05000000" + "10610100ff" + "00000000",
      })
  void rejectsDamage(String hex) {
    assertThatThrownBy(() -> decode(hex, 4)).isInstanceOf(LanceFormatException.class);
  }

  @Test
  void believesNoLengthThatTheBytesCannotHold() {
    assertThatThrownBy(() -> decode(HEADER + "00000000", Integer.MAX_VALUE))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("impossible");
  }

  private static byte[] decode(String hex, int length) {
    return Lz4Frame.decode(ByteBuffer.wrap(HexFormat.of().parseHex(hex)), length);
  }
}
