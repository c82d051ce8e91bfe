package dev.narwhal.lance.datafile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.schema.BlobMode;
import dev.narwhal.lance.schema.LanceField;
import dev.narwhal.lance.storage.MemoryObjectStore;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Damaged files give typed errors that name file and column, or values that the format, which has
 * no checksums, cannot tell from good ones. Nothing else, no leak, and little memory.
 */
class HostileFilesTest {
  private static final String FILE = "damaged.lance";

  /** Off-heap memory for files of at most some 10 KB; damaged counts must not exceed it. */
  private static final long MAX_BYTES = 32 << 20;

  /** One for each layout and encoding; all are small. */
  static Stream<Arguments> files() {
    return Stream.of(
        Arguments.of("2.0", "i32_constnull"),
        Arguments.of("2.0", "fsl_fsl"),
        Arguments.of("2.0", "str_few"),
        Arguments.of("2.0", "str_dictnull"),
        Arguments.of("2.0", "zstd_str"),
        Arguments.of("2.0", "null_t"),
        Arguments.of("2.1", "i32_small"),
        Arguments.of("2.1", "i32_constnull"),
        Arguments.of("2.1", "i32_run"),
        Arguments.of("2.1", "u8_small"),
        Arguments.of("2.1", "bool"),
        Arguments.of("2.1", "str_few"),
        Arguments.of("2.1", "str_dictnull"),
        Arguments.of("2.1", "fz_i32"),
        Arguments.of("2.1", "fz_str"),
        Arguments.of("2.1", "fsl_bool"),
        Arguments.of("2.1", "zstd_f64_bss"),
        Arguments.of("2.1", "dec128_dict"),
        Arguments.of("2.1", "null_t"),
        Arguments.of("2.1", "list_struct_list"),
        Arguments.of("2.1", "struct_list"),
        Arguments.of("2.1", "list_allempty"),
        Arguments.of("2.1", "fz_list"),
        Arguments.of("2.2", "list_mixempty"),
        Arguments.of("2.2", "list_allnull"),
        Arguments.of("2.2", "list_const"),
        Arguments.of("2.2", "fsl_struct"),
        Arguments.of("2.2", "i32_const"),
        Arguments.of("2.2", "str_const"),
        Arguments.of("2.2", "str_null"),
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
  @MethodSource("files")
  void survivesEveryFlippedByte(String version, String name) throws IOException {
    byte[] bytes = bytes(version, name);
    int tail = Math.max(0, bytes.length - 700);
    // among values one damaged byte is like another: there some are enough
    for (int i = 0; i < bytes.length; i += i < tail ? 1 + tail / 800 : 1) {
      byte good = bytes[i];
      for (int mask : i < tail ? new int[] {0xFF} : new int[] {0x01, 0x80, 0xFF}) {
        bytes[i] = (byte) (good ^ mask);
        readAll(bytes, "byte " + i + " xor " + mask);
      }
      bytes[i] = good;
    }
  }

  @ParameterizedTest
  @MethodSource("files")
  void refusesEveryTruncation(String version, String name) throws IOException {
    byte[] bytes = bytes(version, name);
    for (int length = 0; length < bytes.length; length += 1 + bytes.length / 500) {
      assertThat(readAll(Arrays.copyOf(bytes, length), "length " + length))
          .as("length %d", length)
          .isInstanceOfAny(LanceFormatException.class, UnsupportedFeatureException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 40, 4096})
  void refusesZeros(int length) throws IOException {
    assertThat(readAll(new byte[length], length + " zeros"))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageStartingWith("memory:/" + FILE);
  }

  @Test
  void readsTheGoodFile() throws IOException {
    assertThat(readAll(FileFixture.bundled("2.1", "i32_small").bytes(), "good file")).isNull();
  }

  /** Opens, reads and takes. Gives the typed error, or null when there was none. */
  private static @Nullable Exception readAll(byte[] bytes, String damage) throws IOException {
    MemoryObjectStore store = new MemoryObjectStore("");
    store.put(FILE, ByteBuffer.wrap(bytes));
    try (BufferAllocator allocator = new RootAllocator(MAX_BYTES)) {
      try (LanceFile file = LanceFile.open(store.open(FILE))) {
        for (LanceField field : file.schema().topLevel()) {
          read(file, field, allocator);
        }
        return null;
      } catch (LanceFormatException | UnsupportedFeatureException e) {
        assertThat(e).hasMessageStartingWith("memory:/" + FILE);
        // the safety net is for faults that no test knows yet
        assertThat(e.getMessage()).as(damage).doesNotContain("inconsistent page");
        return e;
      } catch (EOFException e) {
        return e;
      } catch (RuntimeException e) {
        return fail("with damage at " + damage, e);
      }
    }
  }

  private static byte[] bytes(String version, String name) throws IOException {
    return version.equals("golden")
        ? SpecialFilesTest.golden(name)
        : FileFixture.bundled(version, name).bytes();
  }

  private static void read(LanceFile file, LanceField field, BufferAllocator allocator)
      throws IOException {
    read(file, file.column(field), allocator);
    if (field.isBlob()) {
      read(file, file.column(field, BlobMode.BYTES), allocator);
    }
  }

  private static void read(LanceFile file, ColumnReader reader, BufferAllocator allocator)
      throws IOException {
    int rows = (int) Math.min(file.rows(), 4096);
    try (FieldVector vector = reader.read(0, rows, allocator)) {
      assertThat(vector.getValueCount()).isEqualTo(rows);
      vector.validate();
    }
    if (rows > 2) {
      try (FieldVector vector = reader.take(0, new int[] {0, rows / 2, rows - 1}, allocator)) {
        assertThat(vector.getValueCount()).isEqualTo(3);
      }
    }
  }
}
