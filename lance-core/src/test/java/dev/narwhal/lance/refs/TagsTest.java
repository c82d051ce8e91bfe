package dev.narwhal.lance.refs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.narwhal.lance.error.DatasetNotFoundException;
import dev.narwhal.lance.error.ReferenceConflictException;
import dev.narwhal.lance.manifest.LanceFixture;
import dev.narwhal.lance.manifest.ManifestStore;
import dev.narwhal.lance.manifest.References;
import dev.narwhal.lance.manifest.Tag;
import dev.narwhal.lance.manifest.VersionSelector;
import dev.narwhal.lance.storage.FaultyObjectStore;
import dev.narwhal.lance.storage.FaultyObjectStore.Fault;
import dev.narwhal.lance.storage.MemoryObjectStore;
import dev.narwhal.lance.storage.ObjectStore;
import dev.narwhal.lance.transaction.ForwardingObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TagsTest {
  private static final Instant NOW = Instant.parse("2030-01-02T03:04:05.000000006Z");
  private static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);

  @Test
  void writesTheFileThatRealLanceWrites() throws IOException {
    for (String name : new String[] {"before", "release-1.0"}) {
      MemoryObjectStore store = LanceFixture.named("tags").copy();
      String path = "_refs/tags/" + name + ".json";
      ByteBuffer theirs = store.read(path);
      Tag tag = new References(store).tag(name);
      store.delete(path);

      Clock clock = Clock.fixed(tag.createdAt().orElseThrow(), ZoneOffset.UTC);
      new Tags(store, clock).create(name, VersionSelector.version(tag.version()));

      assertThat(UTF_8.decode(store.read(path)).toString())
          .isEqualTo(UTF_8.decode(theirs).toString());
    }
  }

  @Test
  void namesAVersionOfABranch() throws IOException {
    MemoryObjectStore store = LanceFixture.named("branches").copy();
    Tags tags = new Tags(store, CLOCK);
    Tag tag = tags.create("t", VersionSelector.latest().onBranch("exp"));
    assertThat(tag.branch()).contains("exp");
    assertThat(tag.version()).isEqualTo(3);
    assertThat(tag.manifestSizeBytes()).hasValue(691);
    assertThat(tags.get("t")).isEqualTo(tag);
    assertThat(tags.create("u", VersionSelector.tag("t")))
        .isEqualTo(
            new Tag(
                "u",
                tag.branch(),
                3,
                tag.createdAt(),
                tag.updatedAt(),
                tag.manifestSizeBytes(),
                Map.of()));
    assertThat(tags.create("m", VersionSelector.latest().onBranch("main")).branch()).isEmpty();
  }

  @Test
  void fileNamesOfOtherLettersAreEscapedAsRealLanceDoes() throws IOException {
    MemoryObjectStore store = LanceFixture.named("tags").copy();
    Tags tags = new Tags(store);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> tags.create("ä日", VersionSelector.version(1)))
        .withMessageContaining("letters outside ASCII keep Lance from listing the tags");
    store.put("_refs/tags/%C3%A4%E6%97%A5.json", store.read("_refs/tags/before.json"));
    tags.update("ä日", VersionSelector.version(1));
    assertThat(tags.list()).extracting(Tag::name).contains("ä日");
    assertThat(tags.delete("ä日").version()).isEqualTo(1);
    assertThat(store.list("_refs/tags")).doesNotContain("%C3%A4%E6%97%A5.json");
  }

  @Test
  void updateKeepsTheTimeOfCreationAndWhatWeDoNotKnow() throws IOException {
    MemoryObjectStore store = LanceFixture.named("tags").copy();
    String path = "_refs/tags/before.json";
    String json = UTF_8.decode(store.read(path)).toString();
    String grown = json.replace("\"metadata\": {}", "\"metadata\": {\"k\": \"v\"}, \"new\": [1]");
    store.put(path, ByteBuffer.wrap(grown.getBytes(UTF_8)));
    Tags tags = new Tags(store, CLOCK);
    Tag before = tags.get("before");

    Tag after = tags.update("before", VersionSelector.version(2));

    assertThat(after.version()).isEqualTo(2);
    assertThat(after.createdAt()).isEqualTo(before.createdAt());
    assertThat(after.updatedAt()).contains(NOW);
    assertThat(after.metadata()).isEqualTo(Map.of("k", "v"));
    assertThat(tags.get("before")).isEqualTo(after);
    assertThat(UTF_8.decode(store.read(path)).toString()).contains("\"new\": [");
    Tag described = tags.replaceMetadata("before", Map.of("a", "b"));
    assertThat(described.updatedAt()).isEqualTo(after.updatedAt());
    assertThat(tags.get("before").metadata()).isEqualTo(Map.of("a", "b"));
  }

  @Test
  void refusesWhatIsThereAlreadyAndWhatIsNot() throws IOException {
    MemoryObjectStore store = LanceFixture.named("tags").copy();
    Tags tags = new Tags(store);
    assertThatExceptionOfType(ReferenceConflictException.class)
        .isThrownBy(() -> tags.create("before", VersionSelector.version(2)))
        .withMessageContaining("there is a tag \"before\" already, of version 1");
    assertThatExceptionOfType(DatasetNotFoundException.class)
        .isThrownBy(() -> tags.create("x", VersionSelector.version(99)))
        .withMessageContaining("version 99 does not exist");
    assertThatExceptionOfType(DatasetNotFoundException.class)
        .isThrownBy(() -> tags.create("x", VersionSelector.latest().onBranch("none")))
        .withMessageContaining("no branch \"none\"");
    assertThatExceptionOfType(DatasetNotFoundException.class)
        .isThrownBy(() -> tags.update("none", VersionSelector.version(1)))
        .withMessageContaining("no tag \"none\"; tags are before, release-1.0");
    assertThatExceptionOfType(DatasetNotFoundException.class)
        .isThrownBy(() -> tags.update("before", VersionSelector.version(99)));
    assertThatExceptionOfType(DatasetNotFoundException.class).isThrownBy(() -> tags.delete("none"));
    assertThat(tags.get("before").version()).isEqualTo(1);
    assertThat(store.list("_refs/tags")).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "a.lock", "/a", "a/b", "../a", "..", ".a", "a.", "a..b", "a b", "a%b", "a\\b"})
  void refusesNamesThatRealLanceRefuses(String name) throws IOException {
    MemoryObjectStore store = LanceFixture.named("tags").copy();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Tags(store).create(name, VersionSelector.version(1)))
        .withMessageContaining("no tag can be called");
    assertThat(store.list("_refs/tags")).hasSize(2);
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void whereverItBreaksTheTagIsThereOrNot(Fault fault) throws IOException {
    FaultyObjectStore counting = FaultyObjectStore.faultless(LanceFixture.named("tags").copy());
    Tag expected = new Tags(counting, CLOCK).create("x", VersionSelector.version(2));
    assertThat(counting.calls()).hasSizeGreaterThanOrEqualTo(4);
    for (int call = 1; call <= counting.calls().size(); call++) {
      String label = fault + " at " + counting.calls().get(call - 1);
      MemoryObjectStore store = LanceFixture.named("tags").copy();
      FaultyObjectStore faulty = new FaultyObjectStore(store, fault, call);
      boolean reported = false;
      boolean failed = false;
      try {
        reported = new Tags(faulty, CLOCK).create("x", VersionSelector.version(2)).equals(expected);
      } catch (IOException e) {
        failed = true;
      } catch (FaultyObjectStore.Stopped e) {
        reported = false;
      }
      assertThat(faulty.struck()).as(label).isTrue();
      Optional<Tag> there =
          new Tags(store).list().stream().filter(tag -> tag.name().equals("x")).findFirst();
      assertThat(there.map(expected::equals).orElse(true)).as(label).isTrue();
      if (reported || failed) {
        assertThat(there.isPresent()).as(label).isEqualTo(reported);
      }
      new Tags(store).update("before", VersionSelector.version(3));
    }
  }

  @Test
  void anUpdateToAVersionThatIsCleanedUpMeanwhileLeavesTheTagAsItWas() throws IOException {
    MemoryObjectStore store = LanceFixture.named("tags").copy();
    Tag before = new Tags(store).get("before");
    ObjectStore racing =
        new ForwardingObjectStore(store) {
          @Override
          public void put(String path, ByteBuffer bytes) throws IOException {
            super.put(path, bytes);
            if (new Tags(store).get("before").version() == 2) {
              store.delete(new ManifestStore(store).locate(2).path());
            }
          }
        };
    assertThatExceptionOfType(DatasetNotFoundException.class)
        .isThrownBy(() -> new Tags(racing).update("before", VersionSelector.version(2)));
    assertThat(new Tags(store).get("before")).isEqualTo(before);
  }

  @Test
  void ofTwoThatCreateATagOneFails() throws IOException {
    MemoryObjectStore store = LanceFixture.named("tags").copy();
    ObjectStore racing =
        new ForwardingObjectStore(store) {
          @Override
          public boolean putIfAbsent(String path, ByteBuffer bytes) throws IOException {
            new Tags(store).create("x", VersionSelector.version(2));
            return super.putIfAbsent(path, bytes);
          }
        };
    assertThatExceptionOfType(ReferenceConflictException.class)
        .isThrownBy(() -> new Tags(racing).create("x", VersionSelector.version(1)))
        .withMessageContaining("of version 2");
    assertThat(new Tags(store).get("x").version()).isEqualTo(2);
  }

  @Test
  void aVersionThatIsCleanedUpMeanwhileGetsNoTag() throws IOException {
    MemoryObjectStore store = LanceFixture.named("tags").copy();
    ObjectStore racing =
        new ForwardingObjectStore(store) {
          @Override
          public boolean putIfAbsent(String path, ByteBuffer bytes) throws IOException {
            store.delete("_versions/18446744073709551613.manifest");
            return super.putIfAbsent(path, bytes);
          }
        };
    assertThatExceptionOfType(DatasetNotFoundException.class)
        .isThrownBy(() -> new Tags(racing).create("x", VersionSelector.version(2)));
    assertThat(new Tags(store).list()).extracting(Tag::name).doesNotContain("x");
  }

  @Test
  void dryRunChecksAndWritesNothing() throws IOException {
    FaultyObjectStore store = FaultyObjectStore.faultless(LanceFixture.named("tags").copy());
    Tag tag = new Tags(store, CLOCK).prepare("x", VersionSelector.version(2));
    assertThat(tag.version()).isEqualTo(2);
    assertThat(store.calls()).noneMatch(call -> call.startsWith("put"));
  }
}
