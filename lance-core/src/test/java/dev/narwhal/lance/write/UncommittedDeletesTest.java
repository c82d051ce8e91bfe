package dev.narwhal.lance.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.narwhal.lance.error.RetryableConflictException;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.fragment.RowAddress;
import dev.narwhal.lance.manifest.LanceFixture;
import dev.narwhal.lance.manifest.ManifestCodec;
import dev.narwhal.lance.manifest.ManifestFile;
import dev.narwhal.lance.manifest.ManifestLocation;
import dev.narwhal.lance.manifest.ManifestNaming;
import dev.narwhal.lance.manifest.ManifestStore;
import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.storage.FaultyObjectStore;
import dev.narwhal.lance.storage.FaultyObjectStore.Fault;
import dev.narwhal.lance.storage.MemoryObjectStore;
import dev.narwhal.lance.storage.ObjectStore;
import dev.narwhal.lance.storage.Stores;
import dev.narwhal.lance.transaction.AffectedRows;
import dev.narwhal.lance.transaction.Committed;
import dev.narwhal.lance.transaction.Operation;
import dev.narwhal.lance.transaction.Pacing;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * {@code del-sparse} has the ids 0 to 299 in three fragments of 100 rows, of which 8 are deleted.
 */
class UncommittedDeletesTest {
  private static final DeleteOptions FAST =
      DeleteOptions.standard().withCommitAttempts(20, Pacing.none());

  private final BufferAllocator allocator = new RootAllocator();
  private final MemoryObjectStore store;
  private final WriteContext context;

  UncommittedDeletesTest() throws IOException {
    store = LanceFixture.named("del-sparse").copy();
    context = on(store);
  }

  @AfterEach
  void closeAllocator() {
    allocator.close();
  }

  @Test
  void aFragmentDeletesRowsByOffset() throws IOException {
    FragmentHandle handle = handle(1);
    Fragment changed = handle.deleteRows(3, 5).orElseThrow();
    assertThat(changed.deletedRows().getAsLong())
        .isEqualTo(handle.fragment().deletedRows().getAsLong() + 2);
    assertThat(handle.deleteRows()).contains(handle.fragment());
    long[] all = new long[100];
    for (int i = 0; i < 100; i++) {
      all[i] = i;
    }
    assertThat(handle.deleteRows(all)).isEmpty();
    assertThat(handle.delete("id = 103 OR true")).isEmpty();
    for (long bad : new long[] {-1, 100, 1L << 32}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> handle.deleteRows(bad))
          .withMessageContaining("row offset");
    }
    assertThat(context.latest().version()).isEqualTo(2);
  }

  @Test
  void fragmentsAreDeletedFromByManyAndCommittedByOne() throws IOException {
    List<UncommittedDelete> parts =
        List.of(
            handle(0).executeUncommitted(RowSelection.where("id = 20")),
            handle(1).executeUncommitted(RowSelection.addresses(RowAddress.of(1, 7))),
            handle(2).executeUncommitted(RowSelection.where("id < 10")));
    assertThat(parts).extracting(UncommittedDelete::deletedRows).containsExactly(1L, 1L, 0L);
    new RowDelete(context, FAST).delete("id = 21");

    Committed committed = new CommitBuilder(context).commit(parts);

    assertThat(committed.location().version()).isEqualTo(4);
    assertThat(live()).isEqualTo(292 - 3);
  }

  @Test
  void partsThatDeleteNothingMakeNoVersionUnlessAsked() throws IOException {
    List<UncommittedDelete> parts =
        List.of(
            handle(0).executeUncommitted(RowSelection.where("id < 0")),
            handle(1).executeUncommitted(RowSelection.where("id < 0")));
    List<String> before = files();
    Committed nothing = new CommitBuilder(context).commit(parts);
    assertThat(nothing.created()).isFalse();
    assertThat(nothing.location()).isEqualTo(new ManifestStore(store).latest());
    assertThat(nothing.attempts()).isZero();
    assertThat(files()).isEqualTo(before);
    Committed asked = new CommitBuilder(context).withEmptyCommits().commit(parts);
    assertThat(asked.created()).isTrue();
    assertThat(context.latest().version()).isEqualTo(3);
  }

  @Test
  void aBuilderRemembersNothingOfACommit() throws IOException {
    CommitBuilder builder = new CommitBuilder(context);
    builder.commit(List.of(handle(0).executeUncommitted(RowSelection.where("id IN (20, 21)"))));
    Committed second =
        builder.commit(List.of(handle(0).executeUncommitted(RowSelection.where("id IN (22)"))));
    assertThat(second.rowsAlreadyGone()).isEqualTo(AffectedRows.none());
    assertThat(live()).isEqualTo(289);
  }

  @Test
  void filesOfPartsThatARebaseReplacedAreRemoved() throws IOException {
    List<UncommittedDelete> parts =
        List.of(
            handle(0).executeUncommitted(RowSelection.where("id = 20")),
            handle(1).executeUncommitted(RowSelection.where("id = 120")));
    new RowDelete(context, FAST).delete("id = 21");
    int before = store.list("_deletions").size();
    new CommitBuilder(context).commit(parts);
    assertThat(store.list("_deletions")).as("one of two was replaced").hasSize(before);
    assertThat(on(store).files().deletions(fragment(0), 100).contains(20)).isTrue();
    assertThat(live()).isEqualTo(289);
  }

  @Test
  void partsThatCannotBeCommittedAreTakenBackAndCommittedOnesStay() throws IOException {
    UncommittedDelete done = handle(2).executeUncommitted(RowSelection.where("id = 220"));
    List<String> before = files();
    List<UncommittedDelete> parts =
        List.of(
            handle(0).executeUncommitted(RowSelection.where("id = 20")),
            handle(1).executeUncommitted(RowSelection.where("id = 120")));
    assertThat(files()).hasSize(before.size() + 2);
    CommitBuilder builder = new CommitBuilder(context);
    builder.commit(List.of(done));
    before = files();
    builder.takeBack(List.of(done));
    assertThat(files()).as("a version names it").isEqualTo(before);
    builder.takeBack(parts);
    assertThat(files()).hasSize(before.size() - 2).isSubsetOf(before);
    assertThat(new RowDelete(on(store), FAST).delete("true").deletedRows()).isEqualTo(291);
  }

  private Fragment fragment(long id) throws IOException {
    return on(store).manifest().fragment(id).orElseThrow();
  }

  @Test
  void tasksForNamedRowsFindThoseOfTheirFragments() throws IOException {
    RowSelection rows =
        RowSelection.offsets(Map.of(0L, new long[] {20}, 1L, new long[] {8}, 2L, new long[] {9}));
    List<DeleteTask> tasks = DeleteTask.split("memory:x", context.manifest(), rows, 2);
    List<UncommittedDelete> parts = new ArrayList<>();
    for (DeleteTask task : tasks) {
      parts.add(task.execute(place -> store, allocator));
    }
    assertThat(parts.stream().mapToLong(UncommittedDelete::deletedRows).sum()).isEqualTo(3);
    new CommitBuilder(context).commit(parts);
    assertThat(live()).isEqualTo(289);
  }

  /** On a newer version an address may be that of another row. */
  @Test
  void addressesAreNotLookedForOnANewerVersion() throws IOException {
    long first = context.manifest().fragments().get(0).id();
    new CommitBuilder(context)
        .commit(new Operation.Delete(List.of(), List.of(first), "true", UnknownFields.none()));
    assertThat(new RowDelete(context, FAST).delete(RowSelection.addresses(20)).deletedRows())
        .as("a delete removed it")
        .isZero();
    DeleteOptions strict = FAST.withStrictRowConflicts();
    for (RowSelection byAddress : List.of(RowSelection.addresses(20), RowSelection.rowIds(20))) {
      assertThatExceptionOfType(RetryableConflictException.class)
          .isThrownBy(() -> new RowDelete(context, strict).delete(byAddress));
    }
    assertThat(new RowDelete(context, strict).delete("id = 20").deletedRows()).isZero();
  }

  /** One fragment of 1,000 rows, 20 threads with 50 rows each, no help by the callers. */
  @Test
  void o42ManySingleRowDeletesOfOneFragmentAllSucceed() throws Exception {
    Fragment first = context.manifest().fragments().get(0).withoutDeletionFile();
    ManifestFile wide =
        ManifestFile.of(
            context
                .manifest()
                .toDraft()
                .version(3)
                .fragments(List.of(first.withPhysicalRows(1_000)))
                .build(),
            List.of());
    store.put(new ManifestLocation(3, ManifestNaming.V2).path(), ManifestCodec.encode(wide));
    WriteContext base = on(store);
    List<Callable<Long>> deletes = new ArrayList<>();
    for (int thread = 0; thread < 20; thread++) {
      int number = thread;
      deletes.add(
          () -> {
            long deleted = 0;
            for (int i = 0; i < 50; i++) {
              RowSelection row = RowSelection.addresses(i * 20L + number);
              deleted +=
                  new RowDelete(base.latest(), DeleteOptions.standard()).delete(row).deletedRows();
            }
            return deleted;
          });
    }
    ExecutorService pool = Executors.newFixedThreadPool(deletes.size());
    long deleted = 0;
    try {
      for (Future<Long> future : pool.invokeAll(deletes)) {
        deleted += future.get();
      }
    } finally {
      pool.shutdownNow();
    }
    assertThat(deleted).isEqualTo(1_000);
    assertThat(base.latest().manifest().fragments()).isEmpty();
    assertThat(base.latest().version()).isEqualTo(3 + 1_000);
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"FULL", "READ_ONLY"})
  void nothingIsCommittedWhereNothingCanBeWritten(Fault fault) throws IOException {
    FaultyObjectStore refusing = FaultyObjectStore.refusing(store, fault);
    List<String> before = files();
    for (RowSelection rows :
        List.of(RowSelection.where("id < 30"), RowSelection.where("true"), everyId())) {
      assertThatExceptionOfType(FileSystemException.class)
          .isThrownBy(() -> new RowDelete(on(refusing), FAST).delete(rows))
          .withMessageContaining("memory:del-sparse/_");
    }
    assertThat(files()).isEqualTo(before);
    assertThat(new RowDelete(on(refusing), FAST.asDryRun()).delete("id < 30").deletedRows())
        .as("a dry run writes nothing")
        .isPositive();
    assertThat(new RowDelete(context, FAST).delete("true").deletedRows()).isEqualTo(292);
  }

  /** A delete of two fragments and a whole third: whatever call fails, all of it or nothing. */
  @ParameterizedTest
  @EnumSource(Fault.class)
  void whereverADeleteBreaksTheTableIsWhole(Fault fault) throws IOException {
    String where = "id IN (20, 150) OR id >= 200";
    FaultyObjectStore counting =
        FaultyObjectStore.faultless(LanceFixture.named("del-sparse").copy());
    WriteContext counted = on(counting);
    int opening = counting.calls().size();
    long deleted = new RowDelete(counted, FAST).delete(where).deletedRows();
    for (int call = opening + 1; call <= counting.calls().size(); call++) {
      String label = fault + " at " + counting.calls().get(call - 1);
      MemoryObjectStore copy = LanceFixture.named("del-sparse").copy();
      List<String> deletionFiles = copy.list("_deletions");
      FaultyObjectStore faulty = new FaultyObjectStore(copy, fault, call);
      boolean done = false;
      boolean stopped = false;
      try {
        done = new RowDelete(on(faulty), FAST).delete(where).deletedRows() == deleted;
      } catch (IOException e) {
        assertThat(e).as(label).hasMessageContaining("injected");
      } catch (FaultyObjectStore.Stopped e) {
        stopped = true;
      }
      assertThat(faulty.struck()).as(label).isTrue();
      WriteContext after = on(copy);
      boolean isNew = after.version() == 3;
      assertThat(after.manifest().liveRows()).as(label).hasValue(isNew ? 292 - deleted : 292);
      if (!stopped) {
        assertThat(isNew).as(label).isEqualTo(done);
      }
      if (!stopped && !isNew && fault != Fault.READ_ONLY) {
        assertThat(copy.list("_deletions")).as(label).isEqualTo(deletionFiles);
      }
      assertThat(new RowDelete(after, FAST).delete("true").deletedRows())
          .as(label)
          .isEqualTo(isNew ? 292 - deleted : 292);
    }
  }

  private WriteContext on(ObjectStore where) throws IOException {
    return WriteContext.of(where, Stores.local(), new ManifestStore(where).readLatest(), allocator);
  }

  private FragmentHandle handle(long id) {
    Optional<Fragment> fragment = context.manifest().fragment(id);
    return new FragmentHandle(context, fragment.orElseThrow());
  }

  private static RowSelection everyId() {
    long[] addresses = new long[300];
    for (int i = 0; i < addresses.length; i++) {
      addresses[i] = RowAddress.of(i / 100, i % 100);
    }
    return RowSelection.addresses(addresses);
  }

  private List<String> files() {
    List<String> files = new ArrayList<>();
    for (String folder : List.of("_versions", "_transactions", "_deletions", "data")) {
      store.list(folder).forEach(name -> files.add(folder + '/' + name));
    }
    return files;
  }

  private long live() throws IOException {
    return context.latest().manifest().liveRows().getAsLong();
  }
}
