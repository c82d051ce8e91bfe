package dev.narwhal.lance.datafile;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.schema.BlobMode;
import dev.narwhal.lance.schema.LanceField;
import dev.narwhal.lance.storage.MemoryObjectStore;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of columns with a storage of their own, as real Lance 7.0.0 wrote them. */
class SpecialFilesTest {
  private static final String FILE = "data/f.lance";

  @Test
  void jsonIsText() throws IOException {
    assertThat(column(golden("json"), "j", BlobMode.DESCRIPTORS))
        .hasSize(10)
        .startsWith(
            "[1000000000000000.0,1e+16,1e+17,1e+18,1e+19,1e+20,1e+21,1e+22,"
                + "1.2345678901234568e+20,1.5e+20,1.5e+21]",
            "[0.0001,0.00001,1e-6,1e-7,1.5e-6,1.5e-7,0.00001234,1.234e-6,1.2345e-7]")
        .contains("{\"\":5,\"Z\":7,\"a\":2,\"aa\":3,\"b\":1,\"é\":4}", "[[[[{\"x\":[]}]]]]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"dictionary-2.0", "dictionary-2.1"})
  void dictionariesAreTheirValues(String name) throws IOException {
    List<@Nullable Object> few = column(golden(name), "d8", BlobMode.DESCRIPTORS);
    assertThat(few).contains((Object) null);
    assertThat(few.stream().filter(value -> value != null).distinct())
        .hasSizeBetween(2, 8)
        .allMatch(value -> value instanceof String text && text.startsWith("few-"));
  }

  @Test
  void anIndexPastADictionaryIsRefused() throws IOException {
    byte[] bytes = golden("dictionary-2.0");
    int refused = 0;
    for (int i = 0; i < 600; i++) {
      byte good = bytes[i];
      bytes[i] = 120;
      try {
        column(bytes, "d8", BlobMode.DESCRIPTORS);
      } catch (LanceFormatException e) {
        assertThat(e).hasMessageContaining("column 'd8'");
        refused += e.toString().contains("dictionary index 120") ? 1 : 0;
      }
      bytes[i] = good;
    }
    assertThat(refused).isPositive();
  }

  @Test
  void blobsOfTheSecondKindAreDescriptorsOrBytes() throws IOException {
    List<@Nullable Object> blobs = column(golden("blob-v2"), "b", BlobMode.BYTES);
    assertThat(blobs).hasSize(10);
    for (int i = 0; i < 10; i++) {
      if (i % 5 == 4) {
        assertThat(blobs.get(i)).isNull();
      } else {
        assertThat(blobs.get(i)).isEqualTo(String.valueOf((char) i).repeat(10 + i));
      }
    }
    List<@Nullable Object> descriptors = column(golden("blob-v2"), "b", BlobMode.DESCRIPTORS);
    assertThat(String.valueOf(descriptors.get(1))).isEqualTo("[0, 64, 11, 0, ]");
    assertThat(descriptors.get(4)).isNull();
  }

  @Test
  void nullsOfStructsOverBlobsAreTheStructs() throws IOException {
    List<@Nullable Object> structs = column(golden("blob-in-struct-2.1"), "s", BlobMode.BYTES);
    assertThat(structs.get(3)).isNull();
    assertThat(structs.get(4)).isEqualTo(Arrays.asList((Object) null));
    assertThat(structs.get(0)).isEqualTo(List.of(""));
    assertThat(structs.get(5)).isEqualTo(List.of("\u0005".repeat(15)));
    assertThat(column(golden("blob-in-struct-2.1"), "s", BlobMode.DESCRIPTORS).get(2).toString())
        .isEqualTo("[[64, 12]]");
  }

  @Test
  void blobsBesideAFileThatIsReadAloneAreRefused() throws IOException {
    byte[] bytes = golden("blob-v2");
    List<String> messages = new ArrayList<>();
    for (int at : IntStream.range(0, bytes.length - 1000).toArray()) {
      byte good = bytes[at];
      bytes[at] = 1;
      try {
        column(bytes, "b", BlobMode.BYTES);
      } catch (LanceFormatException | UnsupportedFeatureException e) {
        messages.add(e.getMessage());
      }
      bytes[at] = good;
    }
    assertThat(messages).anyMatch(message -> message.contains("in a file beside this one"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"packed-2.0", "packed-2.1"})
  void packedStructsAreStructs(String name) throws IOException {
    List<@Nullable Object> structs = column(golden(name), "p", BlobMode.DESCRIPTORS);
    assertThat(structs).hasSize(12);
    for (int i = 0; i < 12; i++) {
      assertThat(String.valueOf(structs.get(i)))
          .isEqualTo("[" + 7 * i + ", \u0001\u0002" + (char) i + "]");
    }
  }

  @Test
  void packedStructsMayHaveStrings() throws IOException {
    assertThat(column(golden("packed-strings-2.2"), "p", BlobMode.DESCRIPTORS))
        .startsWith(List.of(BigInteger.ZERO, "s0"), List.of(BigInteger.valueOf(7), "s1"))
        .hasSize(12);
  }

  @Test
  void packedWidthsThatLieAreRefused() throws IOException {
    byte[] bytes = golden("packed-2.1");
    // bits_per_value of the two fields in the page's message: packed varints
    int at = indexOf(bytes, new byte[] {0x0A, 0x02, 32, 24});
    for (int i = at + 2; i < at + 4; i++) {
      byte good = bytes[i];
      bytes[i] ^= 0x08;
      assertThatThrownBy(() -> column(bytes, "p", BlobMode.DESCRIPTORS))
          .isInstanceOf(LanceFormatException.class)
          .hasMessageContaining("packed");
      bytes[i] = good;
    }
  }

  static byte[] golden(String name) throws IOException {
    String resource = "/golden/lance-7.0.0/data-files/" + name + ".lance";
    try (InputStream in = requireNonNull(SpecialFilesTest.class.getResourceAsStream(resource))) {
      return in.readAllBytes();
    }
  }

  private static int indexOf(byte[] bytes, byte[] part) {
    for (int i = 0; i <= bytes.length - part.length; i++) {
      if (Arrays.equals(bytes, i, i + part.length, part, 0, part.length)) {
        return i;
      }
    }
    throw new IllegalStateException("no such bytes in the file");
  }

  private static List<@Nullable Object> column(byte[] bytes, String name, BlobMode blobs)
      throws IOException {
    MemoryObjectStore store = new MemoryObjectStore("");
    store.put(FILE, ByteBuffer.wrap(bytes));
    try (BufferAllocator allocator = new RootAllocator();
        LanceFile file = LanceFile.open(store, FILE)) {
      LanceField field =
          file.schema().topLevel().stream()
              .filter(top -> top.name().equals(name))
              .findFirst()
              .orElseThrow();
      try (FieldVector vector = file.column(field, blobs).read(0, (int) file.rows(), allocator)) {
        vector.validate();
        return ColumnValues.of(vector);
      }
    }
  }
}
