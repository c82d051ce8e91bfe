package dev.narwhal.lance.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.error.IncompatibleConflictException;
import dev.narwhal.lance.error.InvalidPredicateException;
import dev.narwhal.lance.error.RetryableConflictException;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.fragment.RowAddress;
import dev.narwhal.lance.manifest.LanceFixture;
import dev.narwhal.lance.manifest.Manifest;
import dev.narwhal.lance.manifest.ManifestStore;
import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.storage.MemoryObjectStore;
import dev.narwhal.lance.storage.ObjectStore;
import dev.narwhal.lance.storage.Stores;
import dev.narwhal.lance.transaction.AffectedRows;
import dev.narwhal.lance.transaction.ForwardingObjectStore;
import dev.narwhal.lance.transaction.Operation;
import dev.narwhal.lance.transaction.Pacing;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * {@code del-sparse} has the ids 0 to 299 in three fragments of 100 rows, of which 8 are deleted;
 * 20 to 59 are not among these.
 */
@Timeout(60)
class DeleteGroupTest {
  private static final DeleteOptions FAST =
      DeleteOptions.standard().withCommitAttempts(20, Pacing.none());

  private final BufferAllocator allocator = new RootAllocator();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final MemoryObjectStore store;
  private final WatchedStore watched;
  private final WriteContext context;

  DeleteGroupTest() throws IOException {
    store = LanceFixture.named("del-sparse").copy();
    watched = new WatchedStore(store);
    context = on(watched);
  }

  @AfterEach
  void close() {
    threads.shutdownNow();
    allocator.close();
  }

  @Test
  void o53DeletesThatWaitShareOneVersionAndEachIsToldItsOwnCount() throws Exception {
    DeleteGroup group = new DeleteGroup(context, FAST);
    Gate gate = watched.stopNextPut();
    Future<DeleteResult> first = queue(group, RowSelection.where("id = 20"));
    gate.awaitArrival();
    List<Future<DeleteResult>> waiting = new ArrayList<>();
    for (RowSelection rows :
        List.of(
            RowSelection.where("id IN (20, 21)"),
            RowSelection.where("id IN (21, 22, 150)"),
            RowSelection.where("nope = 1"),
            RowSelection.addresses(22, 23, RowAddress.of(2, 50)),
            RowSelection.addresses(RowAddress.of(9, 0)),
            RowSelection.where("id < 0"),
            RowSelection.where("id >= 200"))) {
      waiting.add(queue(group, rows));
      awaitWaiting(group, waiting.size());
    }

    gate.open();

    assertThat(first.get().version()).isEqualTo(3);
    assertThat(first.get().deletedRows()).isEqualTo(1);
    assertThat(count(waiting.get(0))).isEqualTo(new Count(4, 1, 1, 0));
    assertThat(count(waiting.get(1))).isEqualTo(new Count(4, 2, 2, 0));
    assertThatThrownBy(() -> waiting.get(2).get())
        .hasCauseInstanceOf(InvalidPredicateException.class);
    assertThat(count(waiting.get(3))).isEqualTo(new Count(4, 2, 1, 1));
    assertThatThrownBy(() -> waiting.get(4).get())
        .hasCauseInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("fragment 9");
    assertThat(count(waiting.get(5))).isEqualTo(new Count(4, 0, 0, 0));
    long last = context.manifest().fragments().get(2).liveRows().getAsLong();
    assertThat(count(waiting.get(6))).isEqualTo(new Count(4, last - 1, 0, 1));
    assertThat(newest().version()).as("one version for all that waited").isEqualTo(4);
    assertThat(live()).isEqualTo(292 - 1 - 1 - 2 - 2 - (last - 1));
  }

  @Test
  void manyThreadsDeleteEveryRowOnce() throws Exception {
    DeleteGroup group = new DeleteGroup(context, FAST);
    List<Callable<Long>> deletes = new ArrayList<>();
    for (int thread = 0; thread < 20; thread++) {
      int first = thread;
      deletes.add(
          () -> {
            long deleted = 0;
            for (int id = first; id < 300; id += 20) {
              // every second row is asked for by two
              String where = id % 2 == 0 ? "id = " + id : "id IN (" + (id - 1) + "," + id + ")";
              deleted += group.delete(where).deletedRows();
            }
            return deleted;
          });
    }
    long deleted = 0;
    for (Future<Long> future : threads.invokeAll(deletes)) {
      deleted += future.get();
    }
    assertThat(deleted).isEqualTo(292);
    assertThat(live()).isZero();
  }

  @Test
  void aBadDeleteFailsAndTheNextGoesOn() throws IOException {
    DeleteGroup group = new DeleteGroup(context, FAST);
    assertThat(group.delete("id = 21").deletedRows()).isEqualTo(1);
    assertThatExceptionOfType(InvalidPredicateException.class)
        .isThrownBy(() -> group.delete("nope = 1"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> group.delete(RowSelection.addresses(RowAddress.of(9, 0))));
    assertThat(group.delete("true").deletedRows()).isEqualTo(291);
  }

  @Test
  void whatCannotBeReadFailsOnlyTheDeleteThatReadsIt() throws Exception {
    DeleteGroup group = new DeleteGroup(context, FAST);
    Gate gate = watched.stopNextPut();
    Future<DeleteResult> first = queue(group, RowSelection.addresses(20));
    gate.awaitArrival();
    for (String name : store.list("data")) {
      store.delete("data/" + name);
    }
    Future<DeleteResult> reads = queue(group, RowSelection.where("id = 30"));
    awaitWaiting(group, 1);
    Future<DeleteResult> named = queue(group, RowSelection.addresses(31));
    awaitWaiting(group, 2);
    gate.open();
    assertThat(first.get().deletedRows()).isEqualTo(1);
    assertThatThrownBy(reads::get).hasCauseInstanceOf(NoSuchFileException.class);
    assertThat(named.get().deletedRows()).isEqualTo(1);
  }

  @Test
  void whoIsInterruptedAtWorkForAllFailsAloneAndAnotherGoesOn() throws Exception {
    DeleteGroup group = new DeleteGroup(context, FAST);
    Gate begin = watched.stopNextPut();
    Gate work = watched.stopNextPut();
    Future<DeleteResult> first = queue(group, RowSelection.where("id = 20"));
    begin.awaitArrival();
    List<Future<DeleteResult>> waiting = new ArrayList<>();
    for (RowSelection rows :
        List.of(
            RowSelection.where("id = 30"),
            RowSelection.where("id = 31"),
            RowSelection.addresses(32))) {
      waiting.add(queue(group, rows));
      awaitWaiting(group, waiting.size());
    }
    begin.open();
    work.awaitArrival();

    work.interruptWhoWaits();

    assertThat(first.get().deletedRows()).isEqualTo(1);
    int failed = 0;
    for (Future<DeleteResult> each : waiting) {
      try {
        assertThat(each.get().deletedRows()).isEqualTo(1);
      } catch (ExecutionException e) {
        assertThat(e).hasCauseInstanceOf(ClosedByInterruptException.class);
        failed++;
      }
    }
    assertThat(failed).isEqualTo(1);
    assertThat(live()).isEqualTo(289);
  }

  @Test
  void anAddressIsNoLongerThatOfARowThatAnUpdateMoved() throws IOException {
    DeleteGroup group = new DeleteGroup(context, FAST);
    move(20);
    long live = live();
    for (RowSelection moved : List.of(RowSelection.addresses(20), RowSelection.rowIds(20, 21))) {
      assertThatExceptionOfType(RetryableConflictException.class)
          .isThrownBy(() -> group.delete(moved))
          .withMessageContaining("Update");
    }
    assertThat(live()).isEqualTo(live);
    assertThat(group.delete(RowSelection.addresses(21, RowAddress.of(1, 30))).deletedRows())
        .as("rows that stayed")
        .isEqualTo(2);
    assertThat(group.delete("id = 22").deletedRows()).isEqualTo(1);
    assertThat(live()).isEqualTo(live - 3);
  }

  @Test
  void anAddressIsNotThatOfARowOfAnotherTableAtThePlace() throws IOException {
    DeleteGroup group = new DeleteGroup(context, FAST);
    Manifest before = context.manifest();
    new CommitBuilder(context)
        .commit(
            new Operation.Overwrite(
                before.fragments(), before.schema(), Map.of(), List.of(), UnknownFields.none()));
    assertThatExceptionOfType(IncompatibleConflictException.class)
        .isThrownBy(() -> group.delete(RowSelection.addresses(20)))
        .withMessageContaining("Overwrite");
    assertThat(live()).isEqualTo(292);
    new CommitBuilder(on(store)).commit(new Operation.Restore(1, UnknownFields.none()));
    assertThatExceptionOfType(IncompatibleConflictException.class)
        .isThrownBy(() -> group.delete(RowSelection.offsets(Map.of(0L, new long[] {20}))));
    assertThat(group.delete("id = 20").deletedRows()).isEqualTo(1);
  }

  @Test
  void addressesHoldOverDeletesAndChangesOfOtherThings() throws IOException {
    DeleteGroup group = new DeleteGroup(context, FAST);
    new CommitBuilder(context).commit(new Operation.ReserveFragments(2, UnknownFields.none()));
    new RowDelete(on(store), FAST).delete("id < 100 OR id = 120");
    new CommitBuilder(on(store))
        .commit(
            new Operation.Append(List.of(fresh(context.manifest().fragments().get(0))), none()));
    DeleteResult result =
        group.delete(RowSelection.addresses(20, RowAddress.of(1, 20), RowAddress.of(1, 21)));
    assertThat(result.deletedRows()).as("two are gone already").isEqualTo(1);
    assertThat(result.attempts()).isEqualTo(1);
    assertThat(group.delete(RowSelection.addresses(20)))
        .isEqualTo(new DeleteResult(result.version(), 0, 0, 0, 0, 0));
    for (long never : new long[] {100, RowAddress.of(1, 100), RowAddress.of(3, 0)}) {
      assertThatIllegalArgumentException()
          .as("no address of the version that the group was made on")
          .isThrownBy(() -> group.delete(RowSelection.addresses(never)));
    }
  }

  @Test
  void aConflictOnTheRowsOfOneFailsOnlyThatOne() throws Exception {
    DeleteGroup group = new DeleteGroup(context, FAST);
    Gate gate = watched.stopNextPut();
    Future<DeleteResult> first = queue(group, RowSelection.where("id = 40"));
    gate.awaitArrival();
    watched.beforeNextPut(() -> move(20));
    List<Future<DeleteResult>> waiting = new ArrayList<>();
    for (RowSelection rows :
        List.of(
            RowSelection.addresses(RowAddress.of(1, 30)),
            RowSelection.addresses(20),
            RowSelection.addresses(21),
            RowSelection.where("id = 22"))) {
      waiting.add(queue(group, rows));
      awaitWaiting(group, waiting.size());
    }
    gate.open();
    assertThat(first.get().deletedRows()).isEqualTo(1);
    assertThat(waiting.get(0).get().deletedRows()).isEqualTo(1);
    assertThatThrownBy(() -> waiting.get(1).get())
        .hasCauseInstanceOf(RetryableConflictException.class);
    assertThat(waiting.get(2).get().deletedRows()).isEqualTo(1);
    assertThat(waiting.get(3).get().deletedRows()).isEqualTo(1);
  }

  @Test
  void whatFailsForAllTogetherDoesNotFailThoseThatAreCommittedApart() throws Exception {
    DeleteGroup group = new DeleteGroup(context, FAST);
    move(20);
    Gate gate = watched.stopNextPut();
    Future<DeleteResult> first = queue(group, RowSelection.where("id = 40"));
    gate.awaitArrival();
    watched.beforeNextPut(
        () -> {
          throw new IOException("no space left");
        });
    Future<DeleteResult> together = queue(group, RowSelection.where("id = 41"));
    awaitWaiting(group, 1);
    Future<DeleteResult> apart = queue(group, RowSelection.addresses(RowAddress.of(1, 30)));
    awaitWaiting(group, 2);
    gate.open();
    assertThat(first.get().deletedRows()).isEqualTo(1);
    assertThatThrownBy(together::get).hasMessageContaining("no space left");
    assertThat(apart.get().deletedRows()).isEqualTo(1);
    assertThat(live()).isEqualTo(292 + 100 - 1 - 2);
  }

  @Test
  void emptyDeletesMakeAVersionWhenAsked() throws IOException {
    assertThat(new DeleteGroup(context, FAST).delete("id < 0").version()).isEqualTo(2);
    DeleteGroup group = new DeleteGroup(context, FAST.withEmptyCommits());
    assertThat(group.delete("id < 0").version()).isEqualTo(3);
    assertThat(newest().version()).isEqualTo(3);
  }

  @Test
  void dryRunsTellTheSameAsThoseOfADeleteAlone() throws IOException {
    DeleteOptions dry = FAST.asDryRun();
    DeleteResult alone = new RowDelete(context, dry).delete("id < 130");
    assertThat(alone.bytesWritten()).isPositive();
    assertThat(new DeleteGroup(context, dry).delete("id < 130")).isEqualTo(alone);
    assertThat(newest().version()).isEqualTo(2);
  }

  @Test
  void everythingIsDeletedWithoutReadingData() throws IOException {
    for (String name : store.list("data")) {
      store.delete("data/" + name);
    }
    DeleteResult result = new DeleteGroup(context, FAST).delete("true OR id = 3");
    assertThat(result.deletedRows()).isEqualTo(292);
    assertThat(result.fragmentsDropped()).isEqualTo(3);
    assertThat(newest().fragments()).isEmpty();
  }

  /** As an update does it: the row is deleted here, and is written again elsewhere. */
  private void move(int offset) throws IOException {
    WriteContext now = on(store);
    Fragment first = now.manifest().fragments().get(0);
    Fragment changed = new FragmentHandle(now, first).deleteRows(offset).orElseThrow();
    Fragment elsewhere = fresh(now.manifest().fragments().get(1));
    new CommitBuilder(now)
        .withAffectedRows(AffectedRows.of(Map.of(0L, DeletionVector.ofOffsets(offset))))
        .commit(
            new Operation.Update(
                List.of(),
                List.of(changed),
                List.of(elsewhere),
                List.of(),
                List.of(),
                Operation.UpdateMode.REWRITE_ROWS,
                List.of(),
                Optional.empty(),
                none()));
  }

  private static Fragment fresh(Fragment like) {
    return like.withoutDeletionFile().withId(0);
  }

  private static UnknownFields none() {
    return UnknownFields.none();
  }

  private Future<DeleteResult> queue(DeleteGroup group, RowSelection rows) {
    return threads.submit(() -> group.delete(rows));
  }

  private static void awaitWaiting(DeleteGroup group, int count) {
    while (group.waiting() < count) {
      Thread.onSpinWait();
    }
  }

  private WriteContext on(ObjectStore where) throws IOException {
    return WriteContext.of(where, Stores.local(), new ManifestStore(where).readLatest(), allocator);
  }

  private Manifest newest() throws IOException {
    return new ManifestStore(store).readLatest().manifest();
  }

  private long live() throws IOException {
    return newest().liveRows().getAsLong();
  }

  private static Count count(Future<DeleteResult> future) throws Exception {
    DeleteResult result = future.get();
    return new Count(
        result.version(),
        result.deletedRows(),
        result.fragmentsUpdated(),
        result.fragmentsDropped());
  }

  private record Count(long version, long rows, int updated, int dropped) {}

  /** Does something before a put of a manifest, such as to wait. */
  private static final class WatchedStore extends ForwardingObjectStore {
    /** For the puts of manifests to come. */
    private final Queue<Step> steps = new ConcurrentLinkedQueue<>();

    WatchedStore(ObjectStore store) {
      super(store);
    }

    interface Step {
      void run() throws IOException;
    }

    Gate stopNextPut() {
      Gate gate = new Gate();
      steps.add(gate);
      return gate;
    }

    void beforeNextPut(Step step) {
      steps.add(step);
    }

    @Override
    public boolean putIfAbsent(String path, ByteBuffer bytes) throws IOException {
      Step step = path.startsWith("_versions/") ? steps.poll() : null;
      if (step != null) {
        step.run();
      }
      return super.putIfAbsent(path, bytes);
    }
  }

  /** Whoever comes waits until it is opened; an interrupt is what it is for a file's channel. */
  private static final class Gate implements WatchedStore.Step {
    private final CountDownLatch arrived = new CountDownLatch(1);
    private final CountDownLatch open = new CountDownLatch(1);
    private volatile Thread who = Thread.currentThread();

    @Override
    public void run() throws IOException {
      who = Thread.currentThread();
      arrived.countDown();
      try {
        open.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        ClosedByInterruptException closed = new ClosedByInterruptException();
        closed.initCause(e);
        throw closed;
      }
    }

    void awaitArrival() throws InterruptedException {
      arrived.await();
    }

    void open() {
      open.countDown();
    }

    void interruptWhoWaits() {
      who.interrupt();
    }
  }
}
