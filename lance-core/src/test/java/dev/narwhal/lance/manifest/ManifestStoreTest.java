package dev.narwhal.lance.manifest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.narwhal.lance.error.DatasetNotFoundException;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.storage.FaultyObjectStore;
import dev.narwhal.lance.storage.LocalObjectStore;
import dev.narwhal.lance.storage.MemoryObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ManifestStoreTest {
  @Test
  void missingDirectoryIsNoDataset(@TempDir Path temp) {
    assertNotFound(temp.resolve("none"), "missing or empty; check the path");
  }

  @Test
  void emptyDirectoryIsNoDataset(@TempDir Path temp) {
    assertNotFound(temp, "missing or empty");
  }

  @Test
  void directoryOfOtherThingsIsNoDataset(@TempDir Path temp) throws IOException {
    Files.createDirectories(temp.resolve("data"));
    assertNotFound(temp, "has no manifest in _versions; give the directory that holds");
    Files.createDirectories(temp.resolve("_versions"));
    Files.writeString(temp.resolve("_versions/.tmp123"), "left behind");
    Files.writeString(temp.resolve("_versions/latest_version_hint.json"), "{\"version\":9}");
    assertNotFound(temp, "has no manifest in _versions");
  }

  @Test
  void fileIsNoDataset(@TempDir Path temp) throws IOException {
    Path file = Files.writeString(temp.resolve("x.lance"), "LANC");
    assertNotFound(file, "is a file; a Lance dataset is a directory");
  }

  @Test
  void fileInPlaceOfTheVersionsIsNoDataset(@TempDir Path temp) throws IOException {
    Files.writeString(temp.resolve("_versions"), "x");
    assertNotFound(temp, "_versions is a file");
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 5, 99, Long.MAX_VALUE, Long.MIN_VALUE, -1})
  void unknownVersionNamesThoseThatExist(long version) throws IOException {
    ManifestStore store = new ManifestStore(LanceFixture.named("tags").store());
    assertThatExceptionOfType(DatasetNotFoundException.class)
        .isThrownBy(() -> store.read(version))
        .withMessageContaining("version " + Long.toUnsignedString(version))
        .withMessageContaining(version == 0 ? "begin at 1" : "4 versions from 1 to 4");
  }

  @Test
  void foreignFilesAndHintsDisturbNobody() throws IOException {
    MemoryObjectStore objects = LanceFixture.named("tags").copy();
    for (String name :
        new String[] {".tmpX", "99.manifest#1", "latest_version_hint.json", "d12.manifest"}) {
      objects.put("_versions/" + name, ByteBuffer.wrap("garbage".getBytes(UTF_8)));
    }
    assertThat(new ManifestStore(objects).readLatest().manifest().version()).isEqualTo(4);
  }

  @Test
  void detachedVersionsAreFoundByNumberOnly() throws IOException {
    MemoryObjectStore objects = LanceFixture.named("tags").copy();
    ManifestStore store = new ManifestStore(objects);
    ManifestFile latest = store.readLatest();
    long detached = Long.MIN_VALUE | 77;
    ManifestFile file =
        ManifestFile.of(latest.manifest().toDraft().version(detached).build(), latest.indices());
    objects.put("_versions/d9223372036854775885.manifest", ManifestCodec.encode(file));

    assertThat(store.latest().version()).isEqualTo(4);
    assertThat(store.list()).hasSize(4);
    assertThat(store.read(detached).manifest().isDetached()).isTrue();
  }

  @Test
  void mixedNamesAreAnError() throws IOException {
    MemoryObjectStore objects = LanceFixture.named("manifest-v1").copy();
    objects.put("_versions/18446744073709551612.manifest", objects.read("_versions/3.manifest"));
    assertThatExceptionOfType(LanceFormatException.class)
        .isThrownBy(() -> new ManifestStore(objects).latest())
        .withMessageContaining("mix the two naming schemes")
        .withMessageContaining("1.manifest")
        .withMessageContaining("18446744073709551612.manifest");
  }

  @Test
  void damagedManifestIsNamed() throws IOException {
    MemoryObjectStore objects = LanceFixture.named("manifest-v1").copy();
    objects.put("_versions/3.manifest", ByteBuffer.allocate(0));
    ManifestStore store = new ManifestStore(objects);
    assertThatExceptionOfType(LanceFormatException.class)
        .isThrownBy(store::readLatest)
        .withMessageContaining("manifest-v1/_versions/3.manifest: manifest file has 0 bytes");
    assertThat(store.read(2).manifest().version()).isEqualTo(2);
  }

  @Test
  void manifestUnderAnotherVersionsNameIsAnError() throws IOException {
    MemoryObjectStore objects = LanceFixture.named("manifest-v1").copy();
    objects.put("_versions/4.manifest", objects.read("_versions/3.manifest"));
    assertThatExceptionOfType(LanceFormatException.class)
        .isThrownBy(() -> new ManifestStore(objects).readLatest())
        .withMessageContaining("4.manifest: holds version 3, its name says 4");
  }

  @Test
  void unknownFeatureIsNamedWithItsFile() throws IOException {
    MemoryObjectStore objects = LanceFixture.named("manifest-v1").copy();
    ManifestFile file = new ManifestStore(objects).readLatest();
    ManifestFile newer =
        ManifestFile.of(
            file.manifest().toDraft().version(4).flags(new FeatureFlags(64, 64)).build(),
            file.indices());
    objects.put("_versions/4.manifest", ManifestCodec.encode(newer));
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(() -> new ManifestStore(objects).readLatest())
        .withMessageContaining("_versions/4.manifest")
        .withMessageContaining("0x40");
  }

  @Test
  void hintIsWrittenAsLanceDoesAndItsFailureIsNone() throws IOException {
    MemoryObjectStore objects = new MemoryObjectStore();
    new ManifestStore(objects).writeHint(12);
    assertThat(UTF_8.decode(objects.read("_versions/latest_version_hint.json")).toString())
        .isEqualTo("{\"version\":12}");

    FaultyObjectStore failing = new FaultyObjectStore(objects, FaultyObjectStore.Fault.FAIL, 1);
    new ManifestStore(failing).writeHint(13);
    assertThat(failing.struck()).isTrue();
  }

  private static void assertNotFound(Path path, String message) {
    ManifestStore store = new ManifestStore(LocalObjectStore.at(path));
    assertThatExceptionOfType(DatasetNotFoundException.class)
        .isThrownBy(store::readLatest)
        .withMessageContaining(path.getFileName().toString())
        .withMessageContaining(message);
    assertThatExceptionOfType(DatasetNotFoundException.class)
        .isThrownBy(() -> store.read(1))
        .withMessageContaining(message);
  }
}
