package dev.narwhal.lance.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.error.DatasetNotFoundException;
import dev.narwhal.lance.error.IncompatibleConflictException;
import dev.narwhal.lance.error.RetryableConflictException;
import dev.narwhal.lance.fragment.BasePath;
import dev.narwhal.lance.manifest.LanceFixture;
import dev.narwhal.lance.manifest.Manifest;
import dev.narwhal.lance.manifest.ManifestStore;
import dev.narwhal.lance.manifest.VersionSelector;
import dev.narwhal.lance.refs.MemoryTables;
import dev.narwhal.lance.schema.LanceField;
import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.storage.FaultyObjectStore;
import dev.narwhal.lance.storage.FaultyObjectStore.Fault;
import dev.narwhal.lance.storage.MemoryObjectStore;
import dev.narwhal.lance.storage.ObjectStore;
import dev.narwhal.lance.transaction.CommitOptions;
import dev.narwhal.lance.transaction.ForwardingObjectStore;
import dev.narwhal.lance.transaction.Operation;
import dev.narwhal.lance.transaction.Pacing;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TableChangeTest {
  private static final CommitOptions FAST = CommitOptions.standard().withPacing(Pacing.none());

  private BufferAllocator allocator = new RootAllocator();

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
  void configurationIsSetUnsetAndReplaced() throws IOException {
    ObjectStore store = LanceFixture.named("del-sparse").copy();
    change(store).updateConfig(ConfigChange.ofConfig(MapChange.set(Map.of("a", "1", "b", "2"))));
    assertThat(newest(store).config()).isEqualTo(Map.of("a", "1", "b", "2"));
    assertThat(newest(store).flags().writer() & 8).isNotZero();
    change(store)
        .updateConfig(
            ConfigChange.ofConfig(new MapChange(Map.of("c", "3"), Set.of("a", "none"), false)));
    assertThat(newest(store).config()).isEqualTo(Map.of("b", "2", "c", "3"));
    ChangeResult result =
        change(store).updateConfig(ConfigChange.ofConfig(MapChange.replace(Map.of())));
    assertThat(newest(store).config()).isEmpty();
    assertThat(newest(store).flags().writer() & 8).isZero();
    assertThat(result.version()).isEqualTo(5).isEqualTo(newest(store).version());
    assertThat(result.attempts()).isEqualTo(1);
    assertThat(result.bytesWritten()).isPositive();
  }

  @Test
  void metadataOfTableSchemaAndColumnsChangesInOneVersion() throws IOException {
    ObjectStore store = LanceFixture.named("column-metadata").copy();
    Manifest before = newest(store);
    String column = before.schema().topLevel().get(0).name();
    change(store)
        .updateConfig(
            new ConfigChange(
                Optional.empty(),
                Optional.of(MapChange.set(Map.of("t", "1"))),
                Optional.of(MapChange.replace(Map.of("s", "2"))),
                Map.of(column, MapChange.set(Map.of("f", "3")))));
    Manifest after = newest(store);
    assertThat(after.version()).isEqualTo(before.version() + 1);
    assertThat(after.tableMetadata()).containsEntry("t", "1");
    assertThat(after.schema().metadata()).isEqualTo(Map.of("s", "2"));
    assertThat(after.schema().topLevel().get(0).metadata()).containsEntry("f", "3");
    assertThat(after.config()).isEqualTo(before.config());
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                change(store)
                    .updateConfig(ConfigChange.ofColumn("none", MapChange.set(Map.of("f", "3")))))
        .withMessageContaining("no column \"none\"")
        .withMessageContaining("memory:column-metadata");
  }

  @Test
  void changesThatSayNothingOrBothAreRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> MapChange.set(Map.of()));
    assertThatIllegalArgumentException().isThrownBy(() -> MapChange.set(Map.of("", "x")));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new MapChange(Map.of("k", "v"), Set.of("k"), false))
        .withMessageContaining("both set and unset");
  }

  @Test
  void sameKeyOfAnotherCommitIsIncompatibleAnotherKeyIsNot() throws IOException {
    MemoryObjectStore store = LanceFixture.named("del-sparse").copy();
    TableChange raced = racing(store, () -> set(store, "a", "theirs"));
    assertThatExceptionOfType(IncompatibleConflictException.class)
        .isThrownBy(
            () -> raced.updateConfig(ConfigChange.ofConfig(MapChange.set(Map.of("a", "ours")))));
    racing(store, () -> set(store, "b", "theirs"))
        .updateConfig(ConfigChange.ofConfig(MapChange.set(Map.of("c", "ours"))));
    assertThat(newest(store).config()).isEqualTo(Map.of("a", "theirs", "b", "theirs", "c", "ours"));
  }

  @Test
  void aRenameThatMeetsAnotherIsWorkedOutAgain() throws IOException {
    MemoryObjectStore store = LanceFixture.named("del-sparse").copy();
    List<String> names = names(newest(store));
    ChangeResult result =
        racing(store, () -> change(store).renameColumn(names.get(1), "theirs"))
            .renameColumn(names.get(0), "ours");
    assertThat(names(newest(store))).startsWith("ours", "theirs");
    assertThat(result.attempts()).isEqualTo(2);
    assertThat(result.version()).isEqualTo(4);
    // what it was to rename may be gone by then
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                racing(store, () -> change(store).renameColumn("ours", "other"))
                    .renameColumn("ours", "mine"))
        .withMessageContaining("no column \"ours\"");
    assertThat(names(newest(store))).startsWith("other", "theirs");
  }

  @Test
  void aChangeThatAlwaysComesTooLateGivesUp() throws IOException {
    MemoryObjectStore store = LanceFixture.named("del-sparse").copy();
    String column = names(newest(store)).get(0);
    int[] count = {0};
    ObjectStore busy =
        new ForwardingObjectStore(store) {
          @Override
          public boolean putIfAbsent(String path, ByteBuffer bytes) throws IOException {
            change(store).renameColumn(names(newest(store)).get(1), "name" + count[0]++);
            return super.putIfAbsent(path, bytes);
          }
        };
    TableChange change = new TableChange(context(busy)).withOptions(FAST.withAttempts(3));
    assertThatExceptionOfType(RetryableConflictException.class)
        .isThrownBy(() -> change.renameColumn(column, "ours"));
    assertThat(count[0]).isEqualTo(3);
    assertThat(names(newest(store))).startsWith(column, "name2");
  }

  /** A clean-up may have begun to remove it. */
  @Test
  void aVersionThatGoesWhileItIsRestoredIsNotRestored() throws IOException {
    MemoryObjectStore store = LanceFixture.named("del-sparse").copy();
    String first = new ManifestStore(store).locate(1).path();
    ObjectStore cleaned =
        new ForwardingObjectStore(store) {
          @Override
          public void put(String path, ByteBuffer bytes) throws IOException {
            super.put(path, bytes);
            store.delete(first);
          }
        };
    assertThatExceptionOfType(DatasetNotFoundException.class)
        .isThrownBy(() -> new TableChange(context(cleaned)).withOptions(FAST).restore(1))
        .withMessageContaining("version 1");
    assertThat(newest(store).version()).isEqualTo(2);
    assertThat(store.list("_transactions")).as("ours is taken back").hasSize(2);
  }

  @Test
  void restoreKeepsTheHigherMarksSoThatNoIdIsUsedTwice() throws IOException {
    MemoryTables tables = MemoryTables.of(LanceFixture.named("stable-create"), Clock.systemUTC());
    ObjectStore store = tables.at("memory:stable-create");
    Dataset dataset = tables.open(store, allocator);
    Manifest before = dataset.manifest();
    Manifest first = tables.open(store, VersionSelector.version(1), allocator).manifest();

    ChangeResult result = tables.open(store, VersionSelector.version(1), allocator).restore();

    Manifest after = newest(store);
    assertThat(result.version()).isEqualTo(before.version() + 1);
    assertThat(after.fragments()).isEqualTo(first.fragments());
    assertThat(after.nextRowId()).isEqualTo(Math.max(before.nextRowId(), first.nextRowId()));
    assertThat(after.maxFragmentId().orElse(-1))
        .isEqualTo(Math.max(before.maxFragmentId().orElse(-1), first.maxFragmentId().orElse(-1)));
    assertThat(new ManifestStore(store).list()).hasSize((int) result.version());
    assertThatExceptionOfType(DatasetNotFoundException.class)
        .isThrownBy(() -> change(store).restore(99))
        .withMessageContaining("version 99 does not exist");
  }

  @Test
  void restoreGoesOnTopOfWhatCameMeanwhile() throws IOException {
    MemoryObjectStore store = LanceFixture.named("del-sparse").copy();
    ChangeResult result = racing(store, () -> set(store, "k", "v")).restore(1);
    assertThat(result.version()).isEqualTo(4);
    Manifest after = newest(store);
    assertThat(after.fragments())
        .isEqualTo(new ManifestStore(store).read(1).manifest().fragments());
  }

  @Test
  void basePathsGetIdsAndAreRegisteredOnce() throws IOException {
    MemoryObjectStore store = LanceFixture.named("del-sparse").copy();
    BasePath base = new BasePath(0, Optional.of("cold"), false, "/mnt/cold", UnknownFields.none());
    change(store).addBases(List.of(base));
    assertThat(newest(store).basePaths()).extracting(BasePath::id).containsExactly(1);
    assertThat(newest(store).flags().reader() & 16).isNotZero();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> change(store).addBases(List.of(base)))
        .withMessageContaining("is registered already");
    assertThatIllegalArgumentException().isThrownBy(() -> change(store).addBases(List.of()));
  }

  @Test
  void removingKeysThatAreNotThereMakesNoVersion() throws IOException {
    FaultyObjectStore store = FaultyObjectStore.faultless(LanceFixture.named("del-sparse").copy());
    MapChange unset = MapChange.unset(Set.of("k", "l"));
    String column = names(newest(store)).get(0);
    for (ConfigChange change :
        List.of(
            ConfigChange.ofConfig(unset),
            ConfigChange.ofTableMetadata(unset),
            ConfigChange.ofSchemaMetadata(unset),
            ConfigChange.ofColumn(column, unset))) {
      assertThat(change(store).updateConfig(change)).isEqualTo(new ChangeResult(2, 0, 0));
    }
    assertThat(store.calls()).noneMatch(call -> call.startsWith("put"));
    change(store).updateConfig(ConfigChange.ofColumn(column, MapChange.set(Map.of("k", "1"))));
    assertThat(change(store).updateConfig(ConfigChange.ofColumn(column, unset)).version())
        .isEqualTo(4);
  }

  @Test
  void dryRunFindsFaultsAndWritesNothing() throws IOException {
    FaultyObjectStore store = FaultyObjectStore.faultless(LanceFixture.named("del-sparse").copy());
    TableChange dry = change(store).asDryRun();
    String column = names(newest(store)).get(0);
    assertThat(dry.renameColumn(column, "other")).isEqualTo(new ChangeResult(2, 0, 0));
    assertThat(dry.restore(1).version()).isEqualTo(2);
    assertThat(dry.updateConfig(ConfigChange.ofConfig(MapChange.unset(Set.of("k")))).version())
        .isEqualTo(2);
    assertThatIllegalArgumentException().isThrownBy(() -> dry.dropColumns(names(newest(store))));
    assertThat(store.calls()).noneMatch(call -> call.startsWith("put"));
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void whereverARestoreBreaksTheOldVersionIsTheNewestOrTheRestoredOne(Fault fault)
      throws IOException {
    FaultyObjectStore counting =
        FaultyObjectStore.faultless(LanceFixture.named("del-sparse").copy());
    new TableChange(context(counting)).withOptions(FAST).restore(1);
    for (int call = 1; call <= counting.calls().size(); call++) {
      String label = fault + " at " + counting.calls().get(call - 1);
      MemoryObjectStore store = LanceFixture.named("del-sparse").copy();
      Manifest old = newest(store);
      Manifest first = new ManifestStore(store).read(1).manifest();
      FaultyObjectStore faulty = new FaultyObjectStore(store, fault, call);
      boolean reported = false;
      boolean stopped = false;
      try {
        reported = new TableChange(context(faulty)).withOptions(FAST).restore(1).version() == 3;
      } catch (IOException e) {
        assertThat(e).as(label).hasMessageContaining("injected");
      } catch (FaultyObjectStore.Stopped e) {
        stopped = true;
      }
      assertThat(faulty.struck()).as(label).isTrue();
      Manifest now = newest(store);
      boolean done = now.version() == 3;
      if (!stopped) {
        assertThat(done).as(label).isEqualTo(reported);
      }
      assertThat(now.fragments()).as(label).isEqualTo(done ? first.fragments() : old.fragments());
      assertThat(change(store).restore(2).version()).as(label).isEqualTo(now.version() + 1);
      assertThat(newest(store).fragments()).as(label).isEqualTo(old.fragments());
    }
  }

  private interface Race {
    void run() throws IOException;
  }

  /** A change whose first put of a manifest comes after another commit. */
  private TableChange racing(MemoryObjectStore store, Race race) throws IOException {
    ObjectStore racing =
        new ForwardingObjectStore(store) {
          private boolean raced;

          @Override
          public boolean putIfAbsent(String path, ByteBuffer bytes) throws IOException {
            if (!raced) {
              raced = true;
              race.run();
            }
            return super.putIfAbsent(path, bytes);
          }
        };
    return new TableChange(context(racing)).withOptions(FAST);
  }

  private void set(ObjectStore store, String key, String value) throws IOException {
    new TableChange(context(store))
        .updateConfig(ConfigChange.ofConfig(MapChange.set(Map.of(key, value))));
  }

  private TableChange change(ObjectStore store) throws IOException {
    return new TableChange(context(store)).withOptions(FAST);
  }

  private WriteContext context(ObjectStore store) throws IOException {
    return WriteContext.of(store, place -> store, new ManifestStore(store).readLatest(), allocator);
  }

  private static Manifest newest(ObjectStore store) throws IOException {
    return new ManifestStore(store).readLatest().manifest();
  }

  private static List<String> names(Manifest manifest) {
    return manifest.schema().topLevel().stream().map(LanceField::name).toList();
  }

  /** The operation is what the format calls it. */
  @Test
  void operationsAreTheFormatsOwn() throws IOException {
    MemoryObjectStore store = LanceFixture.named("del-sparse").copy();
    change(store).renameColumn(names(newest(store)).get(0), "renamed");
    assertThat(
            dev.narwhal.lance.transaction.History.transaction(store, 3).orElseThrow().operation())
        .isInstanceOf(Operation.Project.class);
  }
}
