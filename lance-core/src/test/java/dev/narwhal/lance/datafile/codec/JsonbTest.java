package dev.narwhal.lance.datafile.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bytes as real Lance 7.0.0 wrote them, with the text that it reads from them. */
class JsonbTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "20000000 00000000 | null",
        "20000000 30000000 | false",
        "20000000 40000000 | true",
        "20000000 20000001 00 | 0",
        "20000000 20000002 40ff | -1",
        "20000000 20000003 400080 | 128",
        "20000000 20000002 50ff | 255",
        "20000000 20000009 50ffffffffffffffff | 18446744073709551615",
        "20000000 20000009 408000000000000000 | -9223372036854775808",
        "20000000 20000009 603ff0000000000000 | 1.0",
        "20000000 10000000 | \"\"",
        "20000000 10000006 0022 5c0a 7f2f | \"\\u0000\\\"\\\\\\n\u007f/\"",
        "80000000 | []",
        "40000000 | {}",
        "80000002 00000000 50000004 80000000 | [null,[]]",
        "40000002 10000001 10000002 20000002 30000000 61 6162 5007 | {\"a\":7,\"ab\":false}",
      })
  void givesTheTextOfTheJudge(String hex, String text) {
    assertThat(text(hex)).isEqualTo(text);
  }

  @Test
  void refusesEveryTruncationAndWhatIsLeftOver() {
    byte[] bytes = bytes("40000002 10000001 10000002 20000002 30000000 61 6162 5007");
    for (int length = 0; length < bytes.length; length++) {
      ByteBuffer cut = ByteBuffer.wrap(bytes, 0, length);
      assertThatThrownBy(() -> Jsonb.toText(cut)).isInstanceOf(LanceFormatException.class);
    }
    assertThatThrownBy(() -> text("20000000 00000000 00"))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("1 bytes after");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a0000000 | container 0xa0000000",
        "9fffffff 00000000 | 536870911 entries in 4 bytes",
        "5fffffff 00000000 | 1073741822 entries",
        "20000000 00000001 00 | null of 1 bytes",
        "20000000 20000000 | number of tag -1",
        "20000000 20000001 11 | number of tag 17",
        "20000000 20000004 40000000 | number of 3 bytes",
        "20000000 20000009 607ff0000000000000 | Infinity",
        "40000001 20000001 00000000 00 | key of type 2",
      })
  void namesWhatIsWrong(String hex, String message) {
    assertThatThrownBy(() -> text(hex))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining(message);
  }

  @Test
  void refusesWhatItDoesNotKnow() {
    assertThatThrownBy(() -> text("20000000 60000000"))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("type 6");
    assertThatThrownBy(() -> text("20000000 20000001 70"))
        .isInstanceOf(UnsupportedFeatureException.class);
  }

  @Test
  void refusesEndlessNesting() {
    int depth = 5000;
    ByteBuffer bytes = ByteBuffer.allocate(8 * depth + 4);
    for (int i = 0; i < depth; i++) {
      bytes.putInt(0x8000_0001).putInt(0x5000_0000 | bytes.capacity() - bytes.position() - 4);
    }
    bytes.putInt(0x8000_0000).flip();
    assertThatThrownBy(() -> Jsonb.toText(bytes))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("deeper");
  }

  @ParameterizedTest
  @CsvSource({
    "1e15, 1000000000000000.0",
    "1e16, 1e+16",
    "1.5e21, 1.5e+21",
    "0.0001, 0.0001",
    "0.00001, 0.00001",
    "0.000001, 1e-6",
    "1.234e-5, 0.00001234",
    "1.234e-6, 1.234e-6",
    "100, 100.0",
    "123456.789, 123456.789",
    "-0.0, -0.0",
    "0, 0.0",
    "4.9e-324, 5e-324",
    "1.7976931348623157e308, 1.7976931348623157e+308",
    "2.2250738585072014e-308, 2.2250738585072014e-308",
    "2e23, 2e+23",
    "9007199254740993, 9007199254740992.0",
    "123456789012345680000, 1.2345678901234568e+20",
    "0.30000000000000004, 0.30000000000000004",
  })
  void writesTheFewestDigitsOfADouble(double value, String text) {
    assertThat(ShortestDouble.text(value)).isEqualTo(text);
    assertThat(Double.parseDouble(ShortestDouble.text(value))).isEqualTo(value);
  }

  private static String text(String hex) {
    return new String(Jsonb.toText(ByteBuffer.wrap(bytes(hex))), UTF_8);
  }

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex.replace(" ", ""));
  }
}
