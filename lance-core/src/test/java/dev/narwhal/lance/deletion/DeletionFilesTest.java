package dev.narwhal.lance.deletion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.narwhal.lance.deletion.DeletionFile.Encoding;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.storage.LocalObjectStore;
import dev.narwhal.lance.storage.MemoryObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class DeletionFilesTest {
  private static final DeletionVector VECTOR = DeletionVector.ofOffsets(2, 3, 9);

  private final MemoryObjectStore store = new MemoryObjectStore();

  @ParameterizedTest
  @EnumSource(Encoding.class)
  void readsWhatItWrote(Encoding encoding) throws IOException {
    DeletionFile file = DeletionFiles.write(store, 7, 12, -2, encoded(VECTOR, encoding));
    assertThat(file.deletedRows()).hasValue(3);
    assertThat(file.baseId()).isEmpty();
    assertThat(store.list("_deletions"))
        .containsExactly("7-12-18446744073709551614." + encoding.extension());
    assertThat(DeletionFiles.read(store, 7, 10, file)).isEqualTo(VECTOR);
  }

  @Test
  void neverReplacesAFile() throws IOException {
    DeletionFile file = DeletionFiles.write(store, 7, 12, 5, EncodedDeletions.bitmap(VECTOR));
    assertThatThrownBy(
            () ->
                DeletionFiles.write(
                    store, 7, 12, 5, EncodedDeletions.bitmap(DeletionVector.ofOffsets(1))))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining("_deletions/7-12-5.bin");
    assertThat(DeletionFiles.read(store, 7, 10, file)).isEqualTo(VECTOR);
  }

  @Test
  void writesNoFileForNoRows() throws IOException {
    assertThatThrownBy(
            () ->
                DeletionFiles.write(
                    store, 7, 12, 5, EncodedDeletions.array(DeletionVector.empty())))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(store.list("_deletions")).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Encoding.class)
  void anythingUnreadableIsAnErrorThatNamesThePath(Encoding encoding) throws IOException {
    DeletionFile file = DeletionFiles.write(store, 7, 12, 5, encoded(VECTOR, encoding));
    String path = file.relativePath(7);
    assertThatThrownBy(() -> DeletionFiles.read(store, 8, 10, file))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("_deletions/8-12-5");
    assertThatThrownBy(() -> DeletionFiles.read(store, 7, 9, file))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining(path)
        .hasMessageContaining("deleted offset 9 in a fragment of 9 rows");
    assertThatThrownBy(() -> DeletionFiles.read(store, 7, 10, claiming(file, 4)))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining(path)
        .hasMessageContaining("3 deleted rows, the manifest says 4");
    store.put(path, ByteBuffer.allocate(0));
    assertThatThrownBy(() -> DeletionFiles.read(store, 7, 10, file))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining(path);
  }

  @Test
  void anUnknownCountIsTakenFromTheFile() throws IOException {
    DeletionFile file = DeletionFiles.write(store, 7, 12, 5, EncodedDeletions.array(VECTOR));
    DeletionFile silent =
        new DeletionFile(
            Encoding.ARRAY,
            file.readVersion(),
            file.id(),
            OptionalLong.empty(),
            OptionalInt.empty(),
            UnknownFields.none());
    assertThat(DeletionFiles.read(store, 7, 10, silent)).isEqualTo(VECTOR);
  }

  /** Every deletion file that any version of a recorded dataset names. */
  @ParameterizedTest
  @MethodSource("datasets")
  void readsWhatRealLanceReads(Path dataset) throws IOException {
    JsonNode expected = new ObjectMapper().readTree(dataset.resolve("expected.json").toFile());
    LocalObjectStore files = LocalObjectStore.at(dataset.resolve("ds"));
    for (JsonNode version : expected.get("versions")) {
      for (JsonNode fragment : version.get("fragments")) {
        JsonNode deletions = fragment.get("deletion_file");
        if (deletions.get("type").textValue().equals("none")
            || !deletions.get("base_id").isNull()) {
          continue;
        }
        DeletionFile file =
            new DeletionFile(
                Encoding.valueOf(deletions.get("type").textValue().toUpperCase(Locale.ROOT)),
                deletions.get("read_version").longValue(),
                Long.parseUnsignedLong(deletions.get("id").textValue()),
                OptionalLong.of(deletions.get("num_deleted_rows").longValue()),
                OptionalInt.empty(),
                UnknownFields.none());
        DeletionVector vector =
            DeletionFiles.read(
                files,
                fragment.get("id").longValue(),
                fragment.get("physical_rows").longValue(),
                file);
        JsonNode offsets = fragment.get("deleted_offsets");
        assertThat(
                GoldenDeletions.matchesExpected(
                    vector, offsets, offsets.path("count"), offsets.path("sha256")))
            .as("version %s, fragment %s", version.get("version"), fragment.get("id"))
            .isTrue();
      }
    }
  }

  static List<Path> datasets() throws IOException {
    String named = System.getProperty("narwhal.fixtures", "");
    Path root =
        named.isEmpty()
            ? Path.of(System.getProperty("narwhal.root"), "lance-core/src/test/resources/fixtures")
            : Path.of(named);
    try (Stream<Path> all = Files.list(root.resolve("lance"))) {
      List<Path> datasets =
          all.filter(folder -> Files.isDirectory(folder.resolve("ds/_deletions")))
              .sorted()
              .toList();
      assertThat(datasets).isNotEmpty();
      return datasets;
    }
  }

  private static DeletionFile claiming(DeletionFile file, long deletedRows) {
    return new DeletionFile(
        file.encoding(),
        file.readVersion(),
        file.id(),
        OptionalLong.of(deletedRows),
        OptionalInt.empty(),
        file.unknown());
  }

  private static EncodedDeletions encoded(DeletionVector vector, Encoding encoding) {
    return encoding == Encoding.ARRAY
        ? EncodedDeletions.array(vector)
        : EncodedDeletions.bitmap(vector);
  }
}
