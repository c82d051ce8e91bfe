package dev.narwhal.lance.refs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.error.DatasetNotFoundException;
import dev.narwhal.lance.error.ReferenceConflictException;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.manifest.Branch;
import dev.narwhal.lance.manifest.BranchPoint;
import dev.narwhal.lance.manifest.FeatureFlags;
import dev.narwhal.lance.manifest.LanceFixture;
import dev.narwhal.lance.manifest.Manifest;
import dev.narwhal.lance.manifest.References;
import dev.narwhal.lance.manifest.VersionSelector;
import dev.narwhal.lance.scan.BatchReader;
import dev.narwhal.lance.storage.FaultyObjectStore;
import dev.narwhal.lance.storage.FaultyObjectStore.Fault;
import dev.narwhal.lance.storage.MemoryObjectStore;
import dev.narwhal.lance.storage.ObjectStore;
import dev.narwhal.lance.transaction.ForwardingObjectStore;
import dev.narwhal.lance.transaction.Operation;
import dev.narwhal.lance.transaction.Transaction;
import java.io.IOException;
import java.nio.ByteBuffer;
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

/** {@code branches} has main with versions 1 to 4 and exp, which left at 2 and is at 3. */
class BranchesTest {
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2030-01-02T03:04:05.6Z"), ZoneOffset.UTC);

  @Test
  void writesTheFileThatRealLanceWrites() throws IOException {
    MemoryObjectStore store = LanceFixture.named("branches").copy();
    String path = "_refs/branches/exp.json";
    String theirs = UTF_8.decode(store.read(path)).toString();
    Branch branch = new References(store).branch("exp");
    new Branches(store).delete("exp");
    assertThat(store.list("tree")).isEmpty();

    Clock clock = Clock.fixed(branch.createdAt().orElseThrow(), ZoneOffset.UTC);
    Branch again = new Branches(store, clock).create("exp", VersionSelector.version(2));

    String ours = UTF_8.decode(store.read(path)).toString();
    assertThat(ours.replace(uuid(again), uuid(branch))).isEqualTo(theirs);
    assertThat(uuid(again)).matches("[0-9a-f]{32}").isNotEqualTo(uuid(branch));
  }

  private static String uuid(Branch branch) {
    return branch.lineage().get(branch.lineage().size() - 1).uuid();
  }

  @Test
  void beginsAtTheVersionWithTheParentsFiles() throws IOException {
    MemoryTables tables = MemoryTables.of(LanceFixture.named("branches"), CLOCK);
    ObjectStore store = tables.at("memory:branches");
    try (BufferAllocator allocator = new RootAllocator()) {
      Dataset main = tables.open(store, VersionSelector.version(3), allocator);
      new Branches(store, CLOCK).create("team/x", VersionSelector.version(3));

      VersionSelector onBranch = VersionSelector.latest().onBranch("team/x");
      Dataset branch = tables.open(store, onBranch, allocator);
      assertThat(branch.version()).isEqualTo(3);
      assertThat(branch.countRows()).isEqualTo(main.countRows());
      Manifest manifest = branch.manifest();
      assertThat(manifest.branch()).contains("team/x");
      assertThat(manifest.flags().reader() & FeatureFlags.BASE_PATHS).isNotZero();
      assertThat(manifest.basePaths()).hasSize(1);
      assertThat(manifest.basePaths().get(0).path()).isEqualTo("memory:branches");
      assertThat(manifest.basePaths().get(0).id()).isZero();
      assertThat(manifest.basePaths().get(0).name()).isEmpty();
      for (Fragment fragment : manifest.fragments()) {
        assertThat(fragment.files()).allMatch(file -> file.baseId().equals(OptionalInt.of(0)));
      }
      Transaction transaction = branch.transaction(3).orElseThrow();
      assertThat(transaction.readVersion()).isEqualTo(3);
      Operation.Clone clone = (Operation.Clone) transaction.operation();
      assertThat(clone.shallow()).isTrue();
      assertThat(clone.refName()).isEmpty();
      assertThat(clone.refVersion()).isEqualTo(3);
      assertThat(clone.branchName()).contains("team/x");
      assertThat(store.list("_refs/branches")).contains("team%2Fx.json");

      long deleted = branch.delete("id < 10").deletedRows();
      assertThat(branch.latest().version()).isEqualTo(4);
      assertThat(branch.latest().countRows()).isEqualTo(main.countRows() - deleted);
      assertThat(main.latest().manifest().branch()).isEmpty();
    }
  }

  @Test
  void branchOfABranchFindsTheFilesOfBoth() throws IOException {
    MemoryTables tables = MemoryTables.of(LanceFixture.named("branches"), CLOCK);
    ObjectStore store = tables.at("memory:branches");
    Branches branches = new Branches(store, CLOCK);
    try (BufferAllocator allocator = new RootAllocator()) {
      branches.create("a", VersionSelector.version(2));
      Dataset parent = tables.open(store, VersionSelector.latest().onBranch("a"), allocator);
      assertThat(parent.delete("id < 30").deletedRows()).isPositive();
      Branch child = branches.create("b", VersionSelector.latest().onBranch("a"));
      assertThat(child.parent()).contains("a");
      assertThat(child.parentVersion()).isEqualTo(3);
      List<BranchPoint> lineage = branches.get("a").lineage();
      assertThat(child.lineage()).hasSize(2).startsWith(lineage.get(0));

      Dataset opened = tables.open(store, VersionSelector.latest().onBranch("b"), allocator);
      assertThat(opened.countRows()).isEqualTo(parent.latest().countRows());
      try (BatchReader rows = opened.read()) {
        assertThat(rows.next()).isTrue();
      }
      assertThat(opened.manifest().basePaths())
          .extracting(base -> base.id() + " " + base.name().orElse("") + " " + base.path())
          .containsExactly("0  memory:branches", "1 a memory:branches/tree/a");
    }
  }

  @Test
  void refusesToDeleteWhatOthersNeed() throws IOException {
    MemoryObjectStore store = LanceFixture.named("branches").copy();
    Branches branches = new Branches(store, CLOCK);
    Tags tags = new Tags(store);
    branches.create("child", VersionSelector.latest().onBranch("exp"));
    branches.create("grandchild", VersionSelector.latest().onBranch("child"));
    tags.create("t", VersionSelector.latest().onBranch("exp"));
    assertThatExceptionOfType(ReferenceConflictException.class)
        .isThrownBy(() -> branches.delete("exp"))
        .withMessageContaining("branch child, branch grandchild, tag t need its versions");
    branches.delete("grandchild");
    branches.delete("child");
    assertThatExceptionOfType(ReferenceConflictException.class)
        .isThrownBy(() -> branches.delete("exp"))
        .withMessageContaining("tag t needs its versions; delete that first");
    tags.delete("t");
    branches.delete("exp");
    assertThat(branches.list()).isEmpty();
    assertThat(store.list("tree")).isEmpty();
    assertThatExceptionOfType(DatasetNotFoundException.class)
        .isThrownBy(() -> branches.delete("exp"))
        .withMessageContaining("no branch \"exp\"");
  }

  @Test
  void deletesABranchAroundAnother() throws IOException {
    MemoryObjectStore store = LanceFixture.named("branches").copy();
    Branches branches = new Branches(store, CLOCK);
    branches.create("p", VersionSelector.version(4));
    branches.create("p/q", VersionSelector.version(3));
    branches.create("p/data", VersionSelector.version(3));
    branches.delete("p");
    assertThat(store.list("tree/p")).containsExactlyInAnyOrder("q", "data");
    assertThat(branches.list()).extracting(Branch::name).containsExactly("exp", "p/data", "p/q");
    assertThat(new References(store).storeOfBranch("p/data").list("_versions")).isNotEmpty();
  }

  @Test
  void refusesWhatIsThereAlreadyAndWhatIsNot() throws IOException {
    MemoryObjectStore store = LanceFixture.named("branches").copy();
    Branches branches = new Branches(store);
    assertThatExceptionOfType(ReferenceConflictException.class)
        .isThrownBy(() -> branches.create("exp", VersionSelector.version(1)))
        .withMessageContaining("there is a branch \"exp\" already, from version 2 of main");
    assertThatExceptionOfType(DatasetNotFoundException.class)
        .isThrownBy(() -> branches.create("x", VersionSelector.version(77)))
        .withMessageContaining("version 77 does not exist");
    assertThatExceptionOfType(DatasetNotFoundException.class)
        .isThrownBy(() -> branches.create("x", VersionSelector.tag("none")));
    assertThatExceptionOfType(DatasetNotFoundException.class)
        .isThrownBy(() -> branches.create("x", VersionSelector.latest().onBranch("none")));
    assertThat(store.list("tree")).containsExactly("exp");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "main",
        "a.lock",
        "a/b.lock",
        "/a",
        "a/",
        "a//b",
        "a..b",
        "a b",
        "a\\b",
        "..",
        "a/../b",
        ".",
        "a/.",
        "a@b",
        "a%2Fb",
        "../../etc"
      })
  void refusesNamesThatNoBranchCanHave(String name) throws IOException {
    MemoryObjectStore store = LanceFixture.named("branches").copy();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Branches(store).create(name, VersionSelector.version(1)))
        .withMessageContaining("no branch can be called");
    assertThatIllegalArgumentException().isThrownBy(() -> new Branches(store).delete(name));
    assertThat(store.list("tree")).containsExactly("exp");
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void whereverItBreaksTheBranchIsThereWholeOrNotAtAll(Fault fault) throws IOException {
    FaultyObjectStore counting = FaultyObjectStore.faultless(LanceFixture.named("branches").copy());
    new Branches(counting, CLOCK).create("x", VersionSelector.version(2));
    for (int call = 1; call <= counting.calls().size(); call++) {
      String label = fault + " at " + counting.calls().get(call - 1);
      MemoryTables tables = MemoryTables.of(LanceFixture.named("branches"), CLOCK);
      ObjectStore store = tables.at("memory:branches");
      FaultyObjectStore faulty = new FaultyObjectStore(store, fault, call);
      Optional<Branch> made = Optional.empty();
      boolean stopped = false;
      try {
        made = Optional.of(new Branches(faulty, CLOCK).create("x", VersionSelector.version(2)));
      } catch (IOException e) {
        assertThat(e).as(label).hasMessageContaining("injected");
      } catch (FaultyObjectStore.Stopped e) {
        stopped = true;
      }
      assertThat(faulty.struck()).as(label).isTrue();
      Branches branches = new Branches(store, CLOCK);
      boolean listed = branches.list().stream().anyMatch(branch -> branch.name().equals("x"));
      if (!stopped) {
        assertThat(listed).as(label).isEqualTo(made.isPresent());
      }
      if (listed) {
        try (BufferAllocator allocator = new RootAllocator()) {
          VersionSelector x = VersionSelector.latest().onBranch("x");
          assertThat(tables.open(store, x, allocator).countRows())
              .as(label)
              .isEqualTo(tables.open(store, VersionSelector.version(2), allocator).countRows());
        }
      } else {
        // nobody can tidy up a store that takes no more writes
        if (!stopped && fault != Fault.READ_ONLY) {
          assertThat(store.list("tree")).as(label).containsExactly("exp");
        } else if (store.list("tree").contains("x")) {
          branches.delete("x");
        }
        branches.create("x", VersionSelector.version(3));
      }
      assertThat(branches.get("x").parent()).as(label).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"STOP_BEFORE", "STOP_AFTER", "FAIL"})
  void aRemovalThatBreaksIsBroughtToItsEndByTheNext(Fault fault) throws IOException {
    FaultyObjectStore counting = FaultyObjectStore.faultless(LanceFixture.named("branches").copy());
    new Branches(counting).delete("exp");
    for (int call = 1; call <= counting.calls().size(); call++) {
      String label = fault + " at " + counting.calls().get(call - 1);
      MemoryObjectStore store = LanceFixture.named("branches").copy();
      FaultyObjectStore faulty = new FaultyObjectStore(store, fault, call);
      try {
        new Branches(faulty).delete("exp");
      } catch (IOException | FaultyObjectStore.Stopped e) {
        assertThat(faulty.struck()).as(label).isTrue();
      }
      if (!store.list("tree").isEmpty() || !new Branches(store).list().isEmpty()) {
        new Branches(store).delete("exp");
      }
      assertThat(store.list("tree")).as(label).isEmpty();
      assertThat(new Branches(store).list()).as(label).isEmpty();
    }
  }

  @Test
  void ofTwoThatCreateABranchOneFailsWhicheverVersionTheyWant() throws IOException {
    for (long other : new long[] {2, 4}) {
      MemoryObjectStore store = LanceFixture.named("branches").copy();
      ObjectStore racing =
          new ForwardingObjectStore(store) {
            private boolean raced;

            @Override
            public boolean putIfAbsent(String path, ByteBuffer bytes) throws IOException {
              if (!raced) {
                raced = true;
                new Branches(store).create("x", VersionSelector.version(other));
              }
              return super.putIfAbsent(path, bytes);
            }
          };
      assertThatExceptionOfType(ReferenceConflictException.class)
          .isThrownBy(() -> new Branches(racing).create("x", VersionSelector.version(2)))
          .withMessageContaining("there is a branch \"x\" already, from version " + other);
      assertThat(new Branches(store).get("x").parentVersion()).isEqualTo(other);
      ObjectStore tree = new References(store).storeOfBranch("x");
      assertThat(tree.list("_versions")).hasSize(2);
      assertThat(tree.list("_transactions")).hasSize(1);
    }
  }

  @Test
  void aParentVersionThatIsCleanedUpMeanwhileGivesNoBranch() throws IOException {
    MemoryObjectStore store = LanceFixture.named("branches").copy();
    ObjectStore racing =
        new ForwardingObjectStore(store) {
          @Override
          public boolean putIfAbsent(String path, ByteBuffer bytes) throws IOException {
            store.delete("_versions/18446744073709551612.manifest");
            return super.putIfAbsent(path, bytes);
          }
        };
    assertThatExceptionOfType(DatasetNotFoundException.class)
        .isThrownBy(() -> new Branches(racing).create("x", VersionSelector.version(3)));
    assertThat(new Branches(store).list()).extracting(Branch::name).containsExactly("exp");
    assertThat(store.list("tree")).containsExactly("exp");
  }

  @Test
  void aBranchWhoseOuterOneIsRemovedMeanwhileIsNoBranch() throws IOException {
    MemoryObjectStore store = LanceFixture.named("branches").copy();
    new Branches(store).create("a", VersionSelector.version(2));
    ObjectStore racing =
        new ForwardingObjectStore(store) {
          @Override
          public boolean putIfAbsent(String path, ByteBuffer bytes) throws IOException {
            if (path.startsWith("_refs/branches/")) {
              new Branches(store).delete("a");
            }
            return super.putIfAbsent(path, bytes);
          }
        };
    assertThatExceptionOfType(DatasetNotFoundException.class)
        .isThrownBy(() -> new Branches(racing).create("a/b", VersionSelector.version(3)));
    assertThat(new Branches(store).list()).extracting(Branch::name).containsExactly("exp");
    assertThat(store.list("tree")).containsExactly("exp");
    assertThat(new Branches(store).create("a/b", VersionSelector.version(3)).parentVersion())
        .isEqualTo(3);
  }

  @Test
  void whatADeadCreationLeftIsNamedAndCanBeCleared() throws IOException {
    MemoryObjectStore store = LanceFixture.named("branches").copy();
    Branches branches = new Branches(store);
    branches.create("x", VersionSelector.version(2));
    store.delete("_refs/branches/x.json");
    assertThatExceptionOfType(ReferenceConflictException.class)
        .isThrownBy(() -> branches.create("x", VersionSelector.version(2)))
        .withMessageContaining("it holds versions 2 to 2, but no branch \"x\" is registered")
        .withMessageContaining("delete the branch, then create it");
    branches.delete("x");
    assertThat(branches.create("x", VersionSelector.version(3)).parentVersion()).isEqualTo(3);
  }
}
