package dev.narwhal.lance.datafile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.narwhal.lance.datafile.page.ByteRange;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FooterTest {
  /** Of the annotated file in the format sheet, section 13: 336 bytes. */
  private static final String GOOD =
      "9b00000000000000 0801000000000000 1801000000000000 01000000 01000000 0200 0100 4c414e43"
          .replace(" ", "");

  private static final long FILE_BYTES = 336;

  @Test
  void decodesTheAnnotatedFile() {
    assertThat(Footer.decode(good(), FILE_BYTES))
        .isEqualTo(
            new Footer(
                FileVersion.V2_1, 0x9B, new ByteRange(0x108, 16), new ByteRange(0x118, 16), 1, 1));
  }

  @ParameterizedTest
  @CsvSource({
    "36, 0x4c414e44, magic",
    "8, 0x7fffffff, CMO table",
    "12, 0x80000000, CMO table",
    "16, 0x129, GBO table",
    "8, 0x107, expected the start of the GBO table",
    "24, 0, no global buffer",
    "24, 2, GBO table of 2 entries",
    "24, 0xffffffff, GBO table of 4294967295 entries",
    "28, 2, CMO table ends at 296",
    "28, 0xffffffff, CMO table of 4294967295 entries",
    "0, 0x109, column metadata starts at 265",
    "4, 0x80000000, column metadata starts at",
    "32, 0x00030001, 1.3",
    "32, 0x00040000, 0.4",
  })
  void refusesEachWrongField(int at, String value, String message) {
    ByteBuffer bytes = good().putInt(at, (int) (long) Long.decode(value));
    assertThatThrownBy(() -> Footer.decode(bytes, FILE_BYTES))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource({"0, 3, 2.0", "2, 0, 2.0", "2, 1, 2.1", "2, 2, 2.2", "2, 3, 2.3"})
  void knowsTheVersions(int major, int minor, String name) {
    assertThat(FileVersion.of(major, minor)).hasToString(name);
  }

  @ParameterizedTest
  @CsvSource({"0, 0, legacy", "0, 2, legacy", "2, 4, newer"})
  void tellsWhichVersionsItDoesNotRead(int major, int minor, String message) {
    assertThatThrownBy(() -> FileVersion.of(major, minor))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining(major + "." + minor)
        .hasMessageContaining(message);
  }

  private static ByteBuffer good() {
    return ByteBuffer.wrap(HexFormat.of().parseHex(GOOD)).order(ByteOrder.LITTLE_ENDIAN);
  }
}
