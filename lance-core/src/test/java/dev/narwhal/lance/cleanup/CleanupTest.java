package dev.narwhal.lance.cleanup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.ReferenceConflictException;
import dev.narwhal.lance.error.RetryableConflictException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.manifest.LanceFixture;
import dev.narwhal.lance.manifest.Manifest;
import dev.narwhal.lance.manifest.ManifestCodec;
import dev.narwhal.lance.manifest.ManifestFile;
import dev.narwhal.lance.manifest.ManifestLocation;
import dev.narwhal.lance.manifest.ManifestNaming;
import dev.narwhal.lance.manifest.ManifestStore;
import dev.narwhal.lance.manifest.References;
import dev.narwhal.lance.manifest.VersionSelector;
import dev.narwhal.lance.refs.Branches;
import dev.narwhal.lance.refs.MemoryTables;
import dev.narwhal.lance.refs.ShallowClone;
import dev.narwhal.lance.refs.Tags;
import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.storage.FaultyObjectStore;
import dev.narwhal.lance.storage.FaultyObjectStore.Fault;
import dev.narwhal.lance.storage.MemoryObjectStore;
import dev.narwhal.lance.storage.ObjectStore;
import dev.narwhal.lance.transaction.ForwardingObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class CleanupTest {
  private BufferAllocator allocator = new RootAllocator();
  private final SetClock clock = new SetClock();

  /** A clock that the test sets; the fixtures' versions are of 2026. */
  private static final class SetClock extends Clock {
    private Instant now = Instant.parse("2030-01-01T00:00:00Z");

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return now;
    }

    void pass(Duration time) {
      now = now.plus(time);
    }
  }

  @BeforeEach
  void openAllocator() {
    allocator.close();
    allocator = new RootAllocator();
  }

  @AfterEach
  void closeAllocator() {
    allocator.close();
  }

  @Test
  void onlyTheNewestVersionAndItsFilesStay() throws IOException {
    MemoryTables tables = tables("del-sparse");
    ObjectStore store = store(tables, "del-sparse");
    Dataset dataset = grow(tables, store);
    CleanupResult dry = dataset.cleanup(all().asDryRun());
    Set<String> before = paths(store, "");

    CleanupResult result = dataset.cleanup(all());

    assertThat(result).isEqualTo(dry);
    assertThat(result.versions()).containsExactly(1L, 2L, 3L, 4L);
    assertThat(WholeVersions.of(store, tables, "after")).containsExactly(5L);
    Set<String> gone = new TreeSet<>(before);
    gone.removeAll(paths(store, ""));
    assertThat(result.files()).isEqualTo(gone.size());
    assertThat(result.filesRemoved()).containsEntry(FileKind.MANIFEST, 4);
    assertThat(result.filesRemoved()).containsEntry(FileKind.TRANSACTION, 4);
    assertThat(result.filesRemoved().get(FileKind.DELETION)).isEqualTo(3);
    assertThat(result.filesRemoved()).doesNotContainKey(FileKind.TEMPORARY);
    assertThat(result.bytesRemoved()).isPositive();
    assertThat(paths(store, ""))
        .hasSize(
            3 // data
                + 3 // deletions
                + 3); // transaction, manifest and hint
    assertThat(tables.open(store, allocator).countRows()).isEqualTo(dataset.countRows());
    assertThat(dataset.cleanup(all()).files()).isZero();
  }

  @Test
  void ageAndNumberBothChoose() throws IOException {
    MemoryTables tables = tables("del-sparse");
    ObjectStore store = store(tables, "del-sparse");
    Dataset dataset = grow(tables, store);
    Instant third = new ManifestStore(store).read(3).manifest().timestamp();
    assertThat(dataset.cleanup(before(Instant.EPOCH).asDryRun()).versions()).isEmpty();
    assertThat(dataset.cleanup(before(third).asDryRun()).versions()).containsExactly(1L, 2L);
    assertThat(dataset.cleanup(before(third).andBeforeVersion(2).asDryRun()).versions())
        .containsExactly(1L);
    assertThat(dataset.cleanup(all().andBeforeVersion(2).asDryRun()).versions())
        .containsExactly(1L);
    assertThat(dataset.cleanup(CleanupOptions.beforeVersion(4).asDryRun()).versions())
        .containsExactly(1L, 2L, 3L);
    assertThat(
            tables
                .open(store, VersionSelector.version(3), allocator)
                .cleanup(all().asDryRun())
                .versions())
        .as("versions from the one that is open on stay")
        .containsExactly(1L, 2L);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CleanupOptions.olderThan(Duration.ofDays(-1)));
    assertThatIllegalArgumentException().isThrownBy(() -> CleanupOptions.beforeVersion(0));
  }

  @Test
  void o64ATagKeepsItsVersionAndDoesNotKeepTheOthers() throws IOException {
    MemoryTables tables = tables("del-sparse");
    ObjectStore store = store(tables, "del-sparse");
    new Tags(store, clock).create("first", VersionSelector.version(1));
    Dataset dataset = grow(tables, store);
    assertThatExceptionOfType(ReferenceConflictException.class)
        .isThrownBy(() -> dataset.cleanup(all().withRefuseTagged()))
        .withMessageContaining("{1=[first]}");
    assertThat(dataset.cleanup(all()).versions()).containsExactly(2L, 3L, 4L);
    assertThat(WholeVersions.of(store, tables, "after")).containsExactly(1L, 5L);
    assertThat(store.list("_transactions")).hasSize(2);
    assertThat(store.list("_deletions")).hasSize(3);
    new Tags(store).delete("first");
    assertThat(dataset.cleanup(all()).versions()).containsExactly(1L);
  }

  @Test
  void aTagOfABranchKeepsNoVersionOfMain() throws IOException {
    MemoryTables tables = tables("branches");
    ObjectStore store = store(tables, "branches");
    new Tags(store).create("t", VersionSelector.version(3).onBranch("exp"));
    assertThat(tables.open(store, allocator).cleanup(all()).versions())
        .as("2 is where the branch left")
        .containsExactly(1L, 3L);
    ObjectStore tree = new References(store).storeOfBranch("exp");
    assertThat(WholeVersions.of(tree, tables, "exp")).containsExactly(2L, 3L);
    assertThat(WholeVersions.of(store, tables, "main")).containsExactly(2L, 4L);
  }

  @Test
  void aBranchIsCleanedUpAloneAndKeepsWhatLeftIt() throws IOException {
    MemoryTables tables = tables("branches");
    ObjectStore store = store(tables, "branches");
    VersionSelector exp = VersionSelector.latest().onBranch("exp");
    assertThat(tables.open(store, exp, allocator).delete("id = 21").deletedRows()).isOne();
    new Branches(store).create("child", exp);
    assertThat(tables.open(store, exp, allocator).delete("id = 23").deletedRows()).isOne();
    assertThat(tables.open(store, exp, allocator).delete("id = 25").deletedRows()).isOne();
    Set<String> main = paths(store, "_versions");

    CleanupResult result = tables.open(store, exp, allocator).cleanup(all());

    assertThat(result.versions()).containsExactly(2L, 3L, 5L);
    ObjectStore tree = new References(store).storeOfBranch("exp");
    assertThat(WholeVersions.of(tree, tables, "exp")).containsExactly(4L, 6L);
    assertThat(WholeVersions.of(new References(store).storeOfBranch("child"), tables, "child"))
        .containsExactly(4L);
    assertThat(paths(store, "_versions")).isEqualTo(main);
    assertThat(WholeVersions.of(store, tables, "main")).containsExactly(1L, 2L, 3L, 4L);
  }

  @Test
  void filesThatABranchNeedsStayWhereverItsPathOfItsParentPoints() throws IOException {
    MemoryTables tables = tables("branches");
    ObjectStore store = store(tables, "branches");
    Dataset main = tables.open(store, allocator);
    // the fixture's branch names its parent by a path of another machine
    assertThat(
            tables
                .open(store, VersionSelector.latest().onBranch("exp"), allocator)
                .manifest()
                .basePaths())
        .allMatch(base -> base.path().equals("branches/ds"));
    main.delete("true");
    main.latest().cleanup(all().withDeleteUnverified());
    WholeVersions.of(new References(store).storeOfBranch("exp"), tables, "exp");
    assertThat(store.list("data")).isNotEmpty();
    new Branches(store).delete("exp");
    main.latest().cleanup(all().withDeleteUnverified());
    assertThat(store.list("data")).isEmpty();
  }

  @Test
  void aCloneDoesNotRemoveFilesOfItsSource() throws IOException {
    MemoryTables tables = tables("del-sparse");
    ObjectStore store = store(tables, "del-sparse");
    MemoryObjectStore clone = new MemoryObjectStore("clone", clock);
    tables.put(clone);
    new ShallowClone(store, clock).into(clone, VersionSelector.latest());
    Set<String> before = paths(store, "");
    Dataset opened = tables.open(clone, allocator);
    opened.delete("id < 50");
    opened.latest().delete("true");
    assertThat(opened.latest().cleanup(all().withDeleteUnverified()).versions())
        .containsExactly(2L, 3L);
    assertThat(paths(store, "")).isEqualTo(before);
    assertThat(clone.list("_deletions")).isEmpty();
  }

  @Test
  void filesThatNoVersionNamesStayForAWeek() throws IOException {
    MemoryTables tables = tables("index-btree-delete");
    ObjectStore store = store(tables, "index-btree-delete");
    Dataset dataset = tables.open(store, allocator);
    String uuid = "01234567-89ab-cdef-0123-456789abcdef";
    List<String> orphans =
        List.of(
            "data/orphan.lance",
            "_deletions/0-1-7.arrow",
            "_deletions/0-1-8.bin",
            "_transactions/1-x.txn",
            "_indices/" + uuid + "/page.lance",
            "_versions/.tmp1",
            "data/.tmp2",
            "_refs/tags/.tmp3");
    List<String> others =
        List.of(
            "data/readme.txt",
            "_deletions/x",
            "_indices/notes/x",
            "_versions/7.manifest#1",
            "_mem_wal/x.lance",
            "other/y.lance");
    put(store, orphans);
    put(store, others);
    clock.pass(Duration.ofDays(7).minusSeconds(1));
    assertThat(dataset.cleanup(all()).filesRemoved()).doesNotContainKey(FileKind.TEMPORARY);
    assertThat(paths(store, "")).containsAll(orphans);
    clock.pass(Duration.ofSeconds(1));
    // an index of which a file was just written is under way as a whole
    put(store, List.of("_indices/" + uuid + "/lookup.lance"));
    clock.pass(Duration.ofSeconds(1));

    CleanupResult result = dataset.cleanup(all());

    assertThat(result.files()).isEqualTo(7);
    assertThat(result.filesRemoved()).containsEntry(FileKind.TEMPORARY, 3);
    assertThat(paths(store, ""))
        .containsAll(others)
        .contains(orphans.get(4))
        .doesNotContain(orphans.get(0), orphans.get(3), orphans.get(7));
    assertThat(dataset.cleanup(all().withDeleteUnverified()).filesRemoved())
        .containsEntry(FileKind.INDEX, 2);
    assertThat(store.list("_indices")).doesNotContain(uuid);
    WholeVersions.of(store, tables, "after");
  }

  @Test
  void detachedVersionsAndTheirFilesStay() throws IOException {
    MemoryTables tables = tables("del-sparse");
    ObjectStore store = store(tables, "del-sparse");
    ManifestStore manifests = new ManifestStore(store);
    ManifestFile second = manifests.read(2);
    long number = 1L << 63 | 5;
    Manifest detached = second.manifest().toDraft().version(number).build();
    store.put(
        new ManifestLocation(number, ManifestNaming.V2).path(),
        ManifestCodec.encode(ManifestFile.of(detached, second.indices())));
    Dataset dataset = grow(tables, store);
    dataset.cleanup(all().withDeleteUnverified());
    assertThat(manifests.read(number).manifest()).isEqualTo(detached);
    for (Fragment fragment : detached.fragments()) {
      if (fragment.deletionFile().isPresent()) {
        assertThat(store.exists(fragment.deletionFile().get().relativePath(fragment.id())))
            .isTrue();
      }
    }
  }

  @Test
  void o11AVersionWithReferencesOfAnUnknownKindIsLeftAloneWithAllOthers() throws IOException {
    MemoryTables tables = tables("del-sparse");
    ObjectStore store = store(tables, "del-sparse");
    grow(tables, store);
    ManifestStore manifests = new ManifestStore(store);
    ManifestFile file = manifests.read(2);
    // field 11 of a fragment: overlays, in later releases
    Fragment fragment = file.manifest().fragments().get(1);
    Fragment grown =
        new Fragment(
            fragment.id(),
            fragment.files(),
            fragment.deletionFile(),
            fragment.physicalRows(),
            fragment.rowIds(),
            fragment.lastUpdatedVersions(),
            fragment.createdVersions(),
            UnknownFields.of(new byte[] {11 << 3 | 2, 1, 8}));
    List<Fragment> fragments = new ArrayList<>(file.manifest().fragments());
    fragments.set(1, grown);
    store.put(
        manifests.locate(2).path(),
        ManifestCodec.encode(
            ManifestFile.of(file.manifest().toDraft().fragments(fragments).build(), List.of())));
    Set<String> before = paths(store, "");
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(() -> tables.open(store, allocator).cleanup(all()))
        .withMessageContaining("fragment 1 has fields [11], which are not known here")
        .withMessageContaining("18446744073709551613.manifest");
    assertThat(paths(store, "")).isEqualTo(before);
  }

  @Test
  void o11ReferencesOfUnknownKindsAreLeftAloneWithAllThatTheyMayKeep() throws IOException {
    Map<String, String> named =
        Map.of(
            "_refs/snapshots/keep.json", "_refs/snapshots",
            "_refs/keep.json", "_refs/keep.json",
            "_refs/tags/keep.pb", "_refs/tags/keep.pb",
            "_refs/branches/a/keep.json", "_refs/branches/a");
    for (String unknown : named.keySet()) {
      MemoryTables tables = tables("del-sparse");
      ObjectStore store = store(tables, "del-sparse");
      Dataset dataset = grow(tables, store);
      store.put(unknown, ByteBuffer.wrap("{}".getBytes(UTF_8)));
      Set<String> before = paths(store, "");
      assertThatExceptionOfType(UnsupportedFeatureException.class)
          .as(unknown)
          .isThrownBy(() -> dataset.cleanup(all()))
          .withMessageContaining(named.get(unknown) + ": is neither")
          .withMessageContaining("neither a tag nor a branch");
      assertThat(paths(store, "")).isEqualTo(before);
    }
  }

  @Test
  void whatACrashLeftBesideReferencesIsNoReference() throws IOException {
    MemoryTables tables = tables("del-sparse");
    ObjectStore store = store(tables, "del-sparse");
    Dataset dataset = grow(tables, store);
    for (String left : List.of("_refs/.tmp1", "_refs/tags/.tmp2", "_refs/branches/.tmp3")) {
      store.put(left, ByteBuffer.wrap(new byte[] {1}));
    }
    assertThat(dataset.cleanup(all()).versions()).isNotEmpty();
  }

  @Test
  void whatCannotBeReadIsRefusedAndNothingRemoved() throws IOException {
    for (String damaged :
        List.of(
            "_versions/18446744073709551613.manifest",
            "_refs/tags/x.json",
            "_refs/branches/x.json",
            "_refs/tags/a b.json",
            "_refs/branches/%zz.json")) {
      MemoryTables tables = tables("del-sparse");
      ObjectStore store = store(tables, "del-sparse");
      Dataset dataset = grow(tables, store);
      store.put(damaged, ByteBuffer.wrap("garbage, and some more of it".getBytes(UTF_8)));
      Set<String> before = paths(store, "");
      assertThatExceptionOfType(LanceFormatException.class)
          .as(damaged)
          .isThrownBy(() -> dataset.cleanup(all()))
          .withMessageContaining(damaged);
      assertThat(paths(store, "")).isEqualTo(before);
    }
  }

  @Test
  void aBranchWithoutVersionsIsRefused() throws IOException {
    MemoryTables tables = tables("branches");
    ObjectStore store = store(tables, "branches");
    for (String name : paths(store, "tree")) {
      store.delete(name);
    }
    assertThatExceptionOfType(LanceFormatException.class)
        .isThrownBy(() -> tables.open(store, allocator).cleanup(all()))
        .withMessageContaining("registered as branch \"exp\"; delete that");
    new Branches(store).delete("exp");
    assertThat(tables.open(store, allocator).cleanup(all()).versions()).containsExactly(1L, 2L, 3L);
  }

  @Test
  void o14ATagOrBranchThatIsMadeMeanwhileIsSeen() throws IOException {
    MemoryTables tables = tables("del-sparse");
    ObjectStore store = store(tables, "del-sparse");
    grow(tables, store);
    CleanupResult result =
        cleanup(
            store,
            "list _transactions",
            () -> {
              new Tags(store, clock).create("late", VersionSelector.version(2));
              new Branches(store, clock).create("late", VersionSelector.version(3));
            });
    assertThat(result.versions()).containsExactly(1L, 4L);
    assertThat(WholeVersions.of(store, tables, "main")).containsExactly(2L, 3L, 5L);
    WholeVersions.of(new References(store).storeOfBranch("late"), tables, "late");
  }

  @Test
  void o14ABranchThatIsMadeAfterTheDecisionHasItsFiles() throws IOException {
    MemoryTables tables = tables("del-sparse");
    ObjectStore store = store(tables, "del-sparse");
    grow(tables, store);
    boolean[] made = {false};
    cleanup(
        store,
        "delete _versions/18446744073709551614.manifest",
        () -> {
          new Branches(store, clock).create("late", VersionSelector.version(3));
          made[0] = true;
        });
    assertThat(made[0]).isTrue();
    WholeVersions.of(new References(store).storeOfBranch("late"), tables, "late");
  }

  @Test
  void aRestoreAndACommitMeanwhileKeepTheirFiles() throws IOException {
    MemoryTables tables = tables("del-sparse");
    ObjectStore store = store(tables, "del-sparse");
    Dataset dataset = grow(tables, store);
    cleanup(
        store,
        "delete _versions/18446744073709551614.manifest",
        () -> {
          tables.open(store, VersionSelector.version(2), allocator).restore();
          dataset.latest().delete("id = 150");
        });
    assertThat(WholeVersions.of(store, tables, "after")).containsExactly(5L, 6L, 7L);
  }

  @Test
  void referencesThatNeverComeToRestAreAnError() throws IOException {
    MemoryTables tables = tables("del-sparse");
    ObjectStore store = store(tables, "del-sparse");
    grow(tables, store);
    int[] count = {0};
    ObjectStore busy =
        new ForwardingObjectStore(store) {
          @Override
          public List<String> list(String directory) throws IOException {
            if (directory.equals("_transactions")) {
              new Tags(store).create("t" + count[0]++, VersionSelector.version(2));
            }
            return super.list(directory);
          }
        };
    Set<String> before = paths(store, "_versions");
    assertThatExceptionOfType(RetryableConflictException.class)
        .isThrownBy(() -> new Cleanup(busy, Optional.empty(), 5, all()).run())
        .withMessageContaining("nothing was removed");
    assertThat(count[0]).isEqualTo(5);
    assertThat(paths(store, "_versions")).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"FAIL", "STOP_BEFORE", "STOP_AFTER", "LOSE_REPLY"})
  void whereverItBreaksEveryVersionIsWholeAndTheNextOneEndsIt(Fault fault) throws IOException {
    MemoryTables reference = tables("branches");
    ObjectStore done = store(reference, "branches");
    long open = grow(reference, done).version();
    Set<String> uncleaned = paths(done, "");
    FaultyObjectStore counting = FaultyObjectStore.faultless(done);
    List<Long> doomed = new Cleanup(counting, Optional.empty(), open, all()).run().versions();
    assertThat(doomed).isNotEmpty();
    int removed = uncleaned.size() - paths(done, "").size();
    assertThat(counting.calls().stream().filter(call -> call.startsWith("delete")))
        .hasSize(removed + 1);

    for (int call = 1; call <= counting.calls().size(); call++) {
      String label = fault + " at " + counting.calls().get(call - 1);
      MemoryTables tables = tables("branches");
      ObjectStore store = store(tables, "branches");
      grow(tables, store);
      int size = paths(store, "").size();
      FaultyObjectStore faulty = new FaultyObjectStore(store, fault, call);
      try {
        new Cleanup(faulty, Optional.empty(), open, all()).run();
      } catch (IOException e) {
        assertThat(e).as(label).hasMessageContaining("injected");
      } catch (FaultyObjectStore.Stopped e) {
        assertThat(faulty.struck()).as(label).isTrue();
      }
      List<Long> there = WholeVersions.of(store, tables, label);
      assertThat(there).as(label).contains(2L, open);
      WholeVersions.of(new References(store).storeOfBranch("exp"), tables, label);

      new Cleanup(store, Optional.empty(), open, all()).run();
      there = WholeVersions.of(store, tables, label);
      assertThat(there).as(label).doesNotContainAnyElementsOf(doomed).contains(2L, open);
      assertThat(paths(store, "")).as(label).hasSize(size - removed);
      assertThat(store.list("_versions")).as(label).noneMatch(name -> name.startsWith(".tmp"));
    }
  }

  @ParameterizedTest
  @MethodSource("dev.narwhal.lance.manifest.LanceFixture#all")
  void everyDatasetOfRealLanceCanBeCleanedUp(LanceFixture fixture) throws IOException {
    MemoryTables tables = MemoryTables.of(fixture, clock);
    ObjectStore store = tables.at("memory:" + fixture.name());
    ManifestStore manifests = new ManifestStore(store);
    ManifestFile newest = manifests.readLatest();
    Dataset dataset = tables.open(store, allocator);
    int versions = manifests.list().size();

    CleanupResult result = dataset.cleanup(all().withDeleteUnverified());

    assertThat(manifests.readLatest()).isEqualTo(newest);
    List<Long> left = WholeVersions.of(store, tables, fixture.name());
    assertThat(left.size() + result.versions().size()).isEqualTo(versions);
    assertThat(dataset.cleanup(all().withDeleteUnverified()).files()).isZero();
  }

  private interface Meanwhile {
    void run() throws IOException;
  }

  /** A clean-up of main in which something happens just before a call, the first time. */
  private CleanupResult cleanup(ObjectStore store, String when, Meanwhile meanwhile)
      throws IOException {
    boolean[] happened = {false};
    ObjectStore watched =
        new ForwardingObjectStore(store) {
          private void call(String name) throws IOException {
            if (name.equals(when) && !happened[0]) {
              happened[0] = true;
              meanwhile.run();
            }
          }

          @Override
          public List<String> list(String directory) throws IOException {
            call("list " + directory);
            return super.list(directory);
          }

          @Override
          public void delete(String path) throws IOException {
            call("delete " + path);
            super.delete(path);
          }
        };
    CleanupResult result = new Cleanup(watched, Optional.empty(), 5, all()).run();
    assertThat(happened[0]).isTrue();
    return result;
  }

  /** Three more versions, each with deletes; files that no version names are young. */
  private Dataset grow(MemoryTables tables, ObjectStore store) throws IOException {
    tables.open(store, allocator).delete("id IN (21, 22)");
    tables.open(store, allocator).delete("id = 23");
    tables.open(store, allocator).delete("id IN (24, 40)");
    clock.pass(Duration.ofHours(1));
    return tables.open(store, allocator);
  }

  private CleanupOptions all() {
    // versions are stamped by the system's clock, files by the test's
    return before(Instant.parse("2200-01-01T00:00:00Z"));
  }

  private CleanupOptions before(Instant time) {
    return new CleanupOptions(Optional.of(time), OptionalLong.empty(), false, false, false, clock);
  }

  private MemoryTables tables(String fixture) throws IOException {
    return MemoryTables.of(LanceFixture.named(fixture), clock);
  }

  private static ObjectStore store(MemoryTables tables, String fixture) {
    return tables.at("memory:" + fixture);
  }

  private static void put(ObjectStore store, List<String> paths) throws IOException {
    for (String path : paths) {
      store.put(path, ByteBuffer.wrap("x".getBytes(UTF_8)));
    }
  }

  private static Set<String> paths(ObjectStore store, String directory) throws IOException {
    Set<String> paths = new TreeSet<>();
    for (String name : store.list(directory)) {
      String path = directory.isEmpty() ? name : directory + '/' + name;
      if (store.exists(path)) {
        paths.add(path);
      } else {
        paths.addAll(paths(store, path));
      }
    }
    return paths;
  }
}
