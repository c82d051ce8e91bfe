package dev.narwhal.lance.manifest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import dev.narwhal.lance.error.DatasetNotFoundException;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.storage.MemoryObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReferencesTest {
  @Test
  void tagsOfLanceAreThere() throws IOException {
    LanceFixture fixture = LanceFixture.named("tags");
    References references = new References(fixture.store());
    for (JsonNode expected : fixture.expected().get("tags")) {
      Tag tag = references.tag(expected.get("name").textValue());
      assertThat(tag.version()).isEqualTo(expected.get("version").longValue());
      assertThat(tag.branch()).isEmpty();
      assertThat(tag.manifestSizeBytes().orElseThrow())
          .isEqualTo(
              fixture
                  .store()
                  .read(new ManifestStore(fixture.store()).locate(tag.version()).path())
                  .remaining());
      assertThat(tag.createdAt()).isPresent().isEqualTo(tag.updatedAt());
    }
    assertThat(references.tags().stream().map(Tag::name)).containsExactly("before", "release-1.0");
    assertThat(references.branches()).isEmpty();
  }

  @Test
  void branchOfLanceHasVersionsOfItsOwn() throws IOException {
    LanceFixture fixture = LanceFixture.named("branches");
    References references = new References(fixture.store());
    Branch branch = references.branch("exp");
    assertThat(branch.parent()).isEmpty();
    assertThat(branch.parentVersion()).isEqualTo(2);
    assertThat(branch.createdAt()).isPresent();
    assertThat(references.branches()).containsExactly(branch);

    ManifestStore versions = new ManifestStore(references.storeOf(branch));
    assertThat(versions.list().stream().map(ManifestLocation::version)).containsExactly(2L, 3L);
    assertThat(versions.readLatest().manifest().branch()).contains("exp");
  }

  @Test
  void missingReferencesNameThoseThereAre() throws IOException {
    References references = new References(LanceFixture.named("tags").store());
    assertThatExceptionOfType(DatasetNotFoundException.class)
        .isThrownBy(() -> references.tag("release"))
        .withMessageContaining("no tag \"release\"; tags are before, release-1.0");
    assertThatExceptionOfType(DatasetNotFoundException.class)
        .isThrownBy(() -> references.branch("exp"))
        .withMessageContaining("no branch \"exp\"; it has no branches beside main");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "..",
        "../tags/before",
        ".x",
        "x.",
        "a..b",
        "x.lock",
        "a/b",
        "a b",
        "\\",
        "%2F"
      })
  void namesThatNoTagCanHaveAreNotLookedUp(String name) throws IOException {
    References references = new References(LanceFixture.named("tags").store());
    assertThatExceptionOfType(DatasetNotFoundException.class)
        .isThrownBy(() -> references.tag(name));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "main",
        "/a",
        "a/",
        "a//b",
        "..",
        "a/../b",
        "a/./b",
        "a.lock/b",
        "a\\b",
        "a b"
      })
  void namesThatNoBranchCanHaveAreNotLookedUp(String name) throws IOException {
    References references = new References(LanceFixture.named("branches").store());
    assertThatExceptionOfType(DatasetNotFoundException.class)
        .isThrownBy(() -> references.branch(name));
  }

  @Test
  void branchNamesWithSlashesAreEscapedInTheirFiles() throws IOException {
    MemoryObjectStore store = new MemoryObjectStore();
    put(
        store,
        "_refs/branches/team%2Fnew.x.json",
        "{\"parentBranch\":\"team/old\",\"parentVersion\":7,\"createAt\":1796001823}");
    Branch branch = new References(store).branch("team/new.x");
    assertThat(branch)
        .isEqualTo(
            new Branch(
                "team/new.x",
                Optional.of("team/old"),
                7,
                Optional.of(Instant.ofEpochSecond(1_796_001_823)),
                List.of(),
                OptionalLong.empty(),
                Map.of()));
    assertThat(branch.directory()).isEqualTo("tree/team/new.x");
    assertThat(new References(store).branches()).containsExactly(branch);
  }

  @Test
  void filesThatAreNoReferencesAreIgnored() throws IOException {
    MemoryObjectStore store = new MemoryObjectStore();
    for (String name : List.of(".tmp1", "notes.txt", "a..b.json", ".json")) {
      put(store, "_refs/tags/" + name, "garbage");
    }
    assertThat(new References(store).tags()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | is no JSON object",
        "[1] | is no JSON object",
        "{\"version\": | is no JSON",
        "{} | \"version\" is missing, expected a version",
        "{\"version\":null} | expected a version",
        "{\"version\":0} | \"version\" is 0, expected a version, at least 1",
        "{\"version\":\"1\"} | expected a 64-bit number",
        "{\"version\":1.5} | expected a 64-bit number",
        "{\"version\":99999999999999999999} | expected a 64-bit number",
        "{\"version\":1,\"branch\":7} | \"branch\" is 7, expected text",
        "{\"version\":1,\"createdAt\":\"today\"} | expected an RFC 3339 timestamp",
        "{\"version\":1,\"manifestSize\":-1} | expected a size in bytes",
      })
  void damagedTagIsAFormatErrorThatNamesTheFile(String json, String message) {
    MemoryObjectStore store = new MemoryObjectStore();
    put(store, "_refs/tags/x.json", json);
    assertThatExceptionOfType(LanceFormatException.class)
        .isThrownBy(() -> new References(store).tag("x"))
        .withMessageContaining("_refs/tags/x.json")
        .withMessageContaining(message);
  }

  private static void put(MemoryObjectStore store, String path, String text) {
    store.put(path, ByteBuffer.wrap(text.getBytes(UTF_8)));
  }
}
