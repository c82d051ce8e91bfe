package dev.narwhal.lance.datafile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Damaged files give typed errors that name file and column, or values that the format, which has
 * no checksums, cannot tell from good ones. Nothing else, no leak, and little memory; see {@link
 * DamagedFile}.
 */
@Tag("bulk")
class HostileFilesTest {
  /** Bytes at the end that are surely schema, metadata, tables or footer. */
  private static final int TAIL_BYTES = 1200;

  /** Bytes of a larger file that are damaged. */
  private static final int SAMPLES = 150;

  /** One for each layout and encoding. */
  static Stream<Arguments> files() {
    return Stream.of(
        Arguments.of("2.0", "i32_constnull"),
        Arguments.of("2.0", "fsl_fsl"),
        Arguments.of("2.0", "str_few"),
        Arguments.of("2.0", "str_dictnull"),
        Arguments.of("2.0", "zstd_str"),
        Arguments.of("2.0", "null_t"),
        Arguments.of("2.0", "list_mixempty"),
        Arguments.of("2.0", "packed"),
        Arguments.of("2.0", "blob_nn"),
        Arguments.of("2.1", "i32_small"),
        Arguments.of("2.1", "i32_constnull"),
        Arguments.of("2.1", "i32_run"),
        Arguments.of("2.1", "u8_small"),
        Arguments.of("2.1", "bool"),
        Arguments.of("2.1", "str_few"),
        Arguments.of("2.1", "str_dictnull"),
        Arguments.of("2.1", "fz_i32"),
        Arguments.of("2.1", "fz_str"),
        Arguments.of("2.1", "fz_list"),
        Arguments.of("2.1", "fsl_bool"),
        Arguments.of("2.1", "zstd_f64_bss"),
        Arguments.of("2.1", "dec128_dict"),
        Arguments.of("2.1", "null_t"),
        Arguments.of("2.1", "list_struct_list"),
        Arguments.of("2.1", "struct_list"),
        Arguments.of("2.1", "list_allempty"),
        Arguments.of("2.1", "packed"),
        Arguments.of("2.1", "blob"),
        Arguments.of("2.2", "i32_const"),
        Arguments.of("2.2", "str_const"),
        Arguments.of("2.2", "str_null"),
        Arguments.of("2.2", "list_mixempty"),
        Arguments.of("2.2", "list_allnull"),
        Arguments.of("2.2", "list_const"),
        Arguments.of("2.2", "fsl_struct"),
        Arguments.of("2.2", "packed_var"),
        Arguments.of("2.2", "dec128_dict"),
        Arguments.of("golden", "dictionary-2.0"),
        Arguments.of("golden", "dictionary-2.1"),
        Arguments.of("golden", "json"),
        Arguments.of("golden", "packed-2.0"),
        Arguments.of("golden", "packed-2.1"),
        Arguments.of("golden", "packed-strings-2.2"),
        Arguments.of("golden", "blob-in-struct-2.0"),
        Arguments.of("golden", "blob-in-struct-2.1"),
        Arguments.of("golden", "blob-v2"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.0", "2.1", "2.2"})
  void survivesEveryFlippedByteOfNestedFiles(String version) throws IOException {
    byte[] bytes = FileFixture.golden("nested-" + version).bytes();
    for (int i = 0; i < bytes.length; i++) {
      flip(bytes, i, 0xFF);
      if (i >= bytes.length - TAIL_BYTES) {
        flip(bytes, i, 0x01);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.0", "2.1", "2.2"})
  void refusesEveryTruncationOfNestedFiles(String version) throws IOException {
    byte[] bytes = FileFixture.golden("nested-" + version).bytes();
    for (int length = 0; length < bytes.length; length++) {
      truncate(bytes, length);
    }
  }

  @ParameterizedTest
  @MethodSource("files")
  void survivesFlippedBytes(String version, String name) throws IOException {
    byte[] bytes = file(version, name).bytes();
    int tail = Math.max(0, bytes.length - TAIL_BYTES);
    for (int i = 0; i < tail; i += 1 + tail / SAMPLES) {
      flip(bytes, i, 0xFF);
    }
    // no step that all numbers of some width share
    for (int i = tail; i < bytes.length; i += 5) {
      flip(bytes, i, 0x80);
    }
  }

  @ParameterizedTest
  @MethodSource("files")
  void refusesTruncations(String version, String name) throws IOException {
    byte[] bytes = file(version, name).bytes();
    for (int length = 0; length < bytes.length; length += 1 + bytes.length / SAMPLES) {
      truncate(bytes, length);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 40, 4096})
  void refusesZeros(int length) {
    assertThat(DamagedFile.read(new byte[length], length + " zeros")).isPresent();
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.0", "2.1", "2.2"})
  void readsTheGoodFile(String version) throws IOException {
    assertThat(DamagedFile.read(FileFixture.golden("nested-" + version).bytes(), "good file"))
        .isEmpty();
  }

  private static void flip(byte[] bytes, int at, int mask) {
    bytes[at] ^= (byte) mask;
    DamagedFile.read(bytes, "byte " + at + " xor " + mask);
    bytes[at] ^= (byte) mask;
  }

  private static void truncate(byte[] bytes, int length) {
    assertThat(DamagedFile.read(Arrays.copyOf(bytes, length), "length " + length))
        .as("length %d", length)
        .isPresent();
  }

  private static FileFixture file(String version, String name) {
    return version.equals("golden") ? FileFixture.golden(name) : FileFixture.bundled(version, name);
  }
}
