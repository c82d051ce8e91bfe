package dev.narwhal.lance.refs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.error.DatasetNotFoundException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.fragment.BasePath;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.manifest.IndexMetadata;
import dev.narwhal.lance.manifest.LanceFixture;
import dev.narwhal.lance.manifest.ManifestFile;
import dev.narwhal.lance.manifest.ManifestStore;
import dev.narwhal.lance.manifest.VersionSelector;
import dev.narwhal.lance.rowid.StoredSequence;
import dev.narwhal.lance.storage.FaultyObjectStore;
import dev.narwhal.lance.storage.FaultyObjectStore.Fault;
import dev.narwhal.lance.storage.MemoryObjectStore;
import dev.narwhal.lance.storage.ObjectStore;
import dev.narwhal.lance.transaction.CloneCommit;
import dev.narwhal.lance.transaction.CloneSource;
import dev.narwhal.lance.transaction.Committed;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShallowCloneTest {
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2030-01-02T03:04:05Z"), ZoneOffset.UTC);

  @ParameterizedTest
  @ValueSource(strings = {"del-sparse", "stable-delete", "manifest-v1", "index-btree-delete"})
  void readsWhatTheSourceReadsAndGoesOnAlone(String name) throws IOException {
    MemoryTables tables = MemoryTables.of(LanceFixture.named(name), CLOCK);
    ObjectStore source = tables.at("memory:" + name);
    MemoryObjectStore target = new MemoryObjectStore("clone");
    tables.put(target);
    try (BufferAllocator allocator = new RootAllocator()) {
      Dataset original = tables.open(source, allocator);
      long rows = original.countRows();

      Committed committed = new ShallowClone(source, CLOCK).into(target, VersionSelector.latest());

      Dataset clone = tables.open(target, allocator);
      assertThat(clone.version()).isEqualTo(original.version());
      assertThat(committed.file()).isEqualTo(new ManifestStore(target).readLatest());
      assertThat(clone.countRows()).isEqualTo(rows);
      assertThat(clone.manifest().maxFragmentId()).isEqualTo(original.manifest().maxFragmentId());
      assertThat(clone.manifest().nextRowId()).isEqualTo(original.manifest().nextRowId());
      assertThat(clone.manifest().branch()).isEmpty();
      assertThat(clone.indices())
          .hasSameSizeAs(original.indices())
          .allMatch(index -> index.baseId().equals(OptionalInt.of(0)));
      assertThat(target.list("data")).isEmpty();

      assertThat(clone.delete("id < 20").deletedRows()).isPositive();
      assertThat(clone.latest().countRows()).isLessThan(rows);
      assertThat(original.latest().countRows()).isEqualTo(rows);
    }
  }

  @Test
  void cloneOfACloneKeepsTheFirstBaseWhereFilesAndIndicesLie() throws IOException {
    MemoryTables tables = MemoryTables.of(LanceFixture.named("index-btree-delete"), CLOCK);
    ObjectStore source = tables.at("memory:index-btree-delete");
    MemoryObjectStore first = new MemoryObjectStore("first");
    MemoryObjectStore second = new MemoryObjectStore("second");
    tables.put(first);
    tables.put(second);
    new ShallowClone(source).into(first, VersionSelector.latest());
    try (BufferAllocator allocator = new RootAllocator()) {
      Dataset middle = tables.open(first, allocator);
      middle.delete("id < 10");
      new ShallowClone(first).into(second, VersionSelector.latest());

      Dataset last = tables.open(second, allocator);
      assertThat(last.manifest().basePaths())
          .extracting(BasePath::path)
          .containsExactly("memory:index-btree-delete", "memory:first");
      assertThat(last.manifest().basePaths()).extracting(BasePath::id).containsExactly(0, 1);
      assertThat(last.indices())
          .extracting(IndexMetadata::baseId)
          .allMatch(OptionalInt.of(0)::equals);
      assertThat(last.countRows()).isEqualTo(middle.latest().countRows());
      Fragment changed = last.fragments().get(0);
      assertThat(changed.deletionFile().orElseThrow().baseId()).hasValue(1);
      assertThat(changed.files().get(0).baseId()).hasValue(0);
    }
  }

  @Test
  void aBranchIsClonedFromItsOwnTree() throws IOException {
    MemoryTables tables = MemoryTables.of(LanceFixture.named("branches"), CLOCK);
    ObjectStore source = tables.at("memory:branches");
    MemoryObjectStore target = new MemoryObjectStore("clone");
    tables.put(target);
    try (BufferAllocator allocator = new RootAllocator()) {
      VersionSelector exp = VersionSelector.latest().onBranch("exp");
      new ShallowClone(source).into(target, exp);
      Dataset clone = tables.open(target, allocator);
      assertThat(clone.countRows()).isEqualTo(tables.open(source, exp, allocator).countRows());
      BasePath base = clone.manifest().basePaths().get(1);
      assertThat(base.name()).contains("exp");
      assertThat(base.path()).isEqualTo("memory:branches/tree/exp");
      assertThat(clone.manifest().branch()).isEmpty();
    }
  }

  @Test
  void aPlaceThatHoldsADatasetIsRefusedAndStays() throws IOException {
    ObjectStore source = LanceFixture.named("del-sparse").copy();
    MemoryObjectStore target = LanceFixture.named("branches").copy();
    List<String> before = target.list("_versions");
    assertThatExceptionOfType(FileAlreadyExistsException.class)
        .isThrownBy(() -> new ShallowClone(source).into(target, VersionSelector.version(1)))
        .withMessageContaining("memory:branches")
        .withMessageContaining("it holds versions 1 to 4");
    assertThatExceptionOfType(FileAlreadyExistsException.class)
        .isThrownBy(() -> new ShallowClone(source).into(source, VersionSelector.version(1)));
    assertThat(target.list("_versions")).isEqualTo(before);
    assertThatExceptionOfType(DatasetNotFoundException.class)
        .isThrownBy(
            () ->
                new ShallowClone(source)
                    .into(new MemoryObjectStore("x"), VersionSelector.version(66)));
  }

  @Test
  void rowIdsOutsideTheManifestCannotBeCloned() throws IOException {
    MemoryObjectStore source = LanceFixture.named("stable-delete").copy();
    ManifestFile file = new ManifestStore(source).readLatest();
    List<Fragment> fragments =
        file.manifest().fragments().stream()
            .map(fragment -> fragment.withRowIds(new StoredSequence.External("data/ids", 0, 9)))
            .toList();
    ManifestFile external =
        ManifestFile.of(file.manifest().toDraft().fragments(fragments).build(), file.indices());
    MemoryObjectStore target = new MemoryObjectStore("x");
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(
            () ->
                new CloneCommit(
                    target,
                    new CloneSource(source, external, Optional.empty()),
                    Optional.empty(),
                    CLOCK))
        .withMessageContaining("data/ids");
    assertThat(target.list("")).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void whereverItBreaksTheCloneIsThereWholeOrNotAtAll(Fault fault) throws IOException {
    ObjectStore source = LanceFixture.named("del-sparse").copy();
    FaultyObjectStore counting = FaultyObjectStore.faultless(new MemoryObjectStore("clone"));
    new ShallowClone(source, CLOCK).into(counting, VersionSelector.latest());
    assertThat(counting.calls()).hasSizeGreaterThanOrEqualTo(5);
    for (int call = 1; call <= counting.calls().size(); call++) {
      String label = fault + " at " + counting.calls().get(call - 1);
      MemoryObjectStore target = new MemoryObjectStore("clone");
      FaultyObjectStore faulty = new FaultyObjectStore(target, fault, call);
      boolean made = false;
      boolean stopped = false;
      try {
        made = new ShallowClone(source, CLOCK).into(faulty, VersionSelector.latest()).created();
      } catch (IOException e) {
        assertThat(e).as(label).hasMessageContaining("injected");
      } catch (FaultyObjectStore.Stopped e) {
        stopped = true;
      }
      assertThat(faulty.struck()).as(label).isTrue();
      boolean there =
          target.list("_versions").stream().anyMatch(name -> name.endsWith(".manifest"));
      if (!stopped) {
        assertThat(there).as(label).isEqualTo(made);
      }
      if (there) {
        assertThat(new ManifestStore(target).readLatest().manifest().liveRows())
            .as(label)
            .isEqualTo(new ManifestStore(source).readLatest().manifest().liveRows());
      } else {
        new ShallowClone(source, CLOCK).into(target, VersionSelector.latest());
      }
    }
  }
}
