package dev.narwhal.lance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.narwhal.lance.error.DatasetNotFoundException;
import dev.narwhal.lance.manifest.LanceFixture;
import dev.narwhal.lance.manifest.Manifest;
import dev.narwhal.lance.manifest.ManifestCodec;
import dev.narwhal.lance.manifest.ManifestFile;
import dev.narwhal.lance.manifest.VersionSelector;
import dev.narwhal.lance.storage.MemoryObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Versions by number, tag, branch and time, on datasets that real Lance wrote. */
class TimeTravelTest {
  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void closeAllocator() {
    allocator.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"many-versions", "restore", "overwrite", "manifest-v1"})
  void aTimeMeansTheNewestVersionThatWasThere(String name) throws IOException {
    MemoryObjectStore store = LanceFixture.named(name).copy();
    Dataset newest = open(store, VersionSelector.latest());
    Instant before = Instant.MIN;
    for (long version = 1; version <= newest.version(); version++) {
      Instant time = open(store, VersionSelector.version(version)).manifest().timestamp();
      assertThat(time).isAfter(before);
      assertThat(open(store, VersionSelector.asOf(time)).version()).isEqualTo(version);
      if (version > 1) {
        assertThat(open(store, VersionSelector.asOf(time.minusNanos(1))).version())
            .isEqualTo(version - 1);
      }
      before = time;
    }
    assertThat(open(store, VersionSelector.asOf(Instant.MAX)).version())
        .isEqualTo(newest.version());
    Instant first = open(store, VersionSelector.version(1)).manifest().timestamp();
    assertThatThrownBy(() -> open(store, VersionSelector.asOf(first.minusNanos(1))))
        .isInstanceOf(DatasetNotFoundException.class)
        .hasMessageContaining("the oldest is version 1");
  }

  @Test
  void aBranchHasItsOwnTimeline() throws IOException {
    MemoryObjectStore store = LanceFixture.named("branches").copy();
    Dataset branch = open(store, VersionSelector.latest().onBranch("exp"));
    assertThat(branch.version()).isEqualTo(3);
    assertThat(branch.latest().version()).isEqualTo(3);
    assertThat(branch.latest().manifest().branch()).contains("exp");
    assertThat(open(store, VersionSelector.latest()).version()).isEqualTo(4);
    assertThat(open(store, VersionSelector.latest().onBranch("main")).version()).isEqualTo(4);
    Instant time = branch.manifest().timestamp();
    assertThat(open(store, VersionSelector.asOf(time.minusNanos(1)).onBranch("exp")).version())
        .isEqualTo(2);
    assertThatThrownBy(() -> open(store, VersionSelector.version(4).onBranch("exp")))
        .isInstanceOf(DatasetNotFoundException.class)
        .hasMessageContaining("2 versions from 2 to 3");
  }

  @Test
  void aTagLeadsToItsBranch() throws IOException {
    MemoryObjectStore store = LanceFixture.named("branches").copy();
    String json = "{\"branch\": \"exp\", \"version\": 2, \"manifestSize\": 1}";
    store.put("_refs/tags/there.json", ByteBuffer.wrap(json.getBytes(UTF_8)));
    Dataset tagged = open(store, VersionSelector.tag("there"));
    assertThat(tagged.version()).isEqualTo(2);
    assertThat(tagged.manifest().branch()).contains("exp");
  }

  @Test
  void detachedVersionsAreNoPartOfTheTimeline() throws IOException {
    MemoryObjectStore store = LanceFixture.named("tags").copy();
    Dataset newest = open(store, VersionSelector.latest());
    long number = Long.MIN_VALUE | 5;
    Manifest detached =
        newest
            .manifest()
            .toDraft()
            .version(number)
            .fragments(List.of())
            .timestamp(newest.manifest().timestamp().plusSeconds(9))
            .build();
    store.put(
        "_versions/d" + Long.toUnsignedString(number) + ".manifest",
        ManifestCodec.encode(ManifestFile.of(detached, List.of())));
    assertThat(open(store, VersionSelector.latest()).version()).isEqualTo(newest.version());
    assertThat(open(store, VersionSelector.asOf(Instant.MAX)).version())
        .isEqualTo(newest.version());
    assertThat(newest.history()).hasSize((int) newest.version());
    Dataset opened = open(store, VersionSelector.version(number));
    assertThat(opened.countRows()).isZero();
    assertThat(opened.latest().version()).isEqualTo(newest.version());
  }

  private Dataset open(MemoryObjectStore store, VersionSelector selector) throws IOException {
    return Dataset.open("memory", selector, place -> store, allocator);
  }
}
