package dev.narwhal.lance.transaction;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.narwhal.lance.error.CommitStateUnknownException;
import dev.narwhal.lance.error.DatasetNotFoundException;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.RetryableConflictException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.manifest.Branch;
import dev.narwhal.lance.manifest.FeatureFlags;
import dev.narwhal.lance.manifest.LanceFixture;
import dev.narwhal.lance.manifest.ManifestCodec;
import dev.narwhal.lance.manifest.ManifestFile;
import dev.narwhal.lance.manifest.ManifestLocation;
import dev.narwhal.lance.manifest.ManifestNaming;
import dev.narwhal.lance.manifest.ManifestStore;
import dev.narwhal.lance.manifest.References;
import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.storage.FaultyObjectStore;
import dev.narwhal.lance.storage.FaultyObjectStore.Fault;
import dev.narwhal.lance.storage.LocalObjectStore;
import dev.narwhal.lance.storage.MemoryObjectStore;
import dev.narwhal.lance.storage.ObjectStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommitterTest {
  private static final Instant NOW = Instant.parse("2030-01-02T03:04:05.000000006Z");
  private static final CommitOptions AT_NOW =
      CommitOptions.standard()
          .withClock(Clock.fixed(NOW, ZoneOffset.UTC))
          .withPacing(Pacing.none());

  @ParameterizedTest
  @ValueSource(strings = {"del-sparse", "manifest-v1", "index-btree-delete", "stable-delete"})
  void committedVersionIsTheNewestAndHasItsTransaction(String fixture) throws IOException {
    MemoryObjectStore store = LanceFixture.named(fixture).copy();
    ManifestStore manifests = new ManifestStore(store);
    ManifestLocation before = manifests.latest();
    ManifestFile base = manifests.read(before);
    Transaction transaction = dropFirstFragment(base);

    Committed committed = new Committer(store).commit(transaction, base, AT_NOW);

    assertThat(committed.location())
        .isEqualTo(new ManifestLocation(before.version() + 1, before.naming()));
    assertThat(manifests.latest()).isEqualTo(committed.location());
    assertThat(manifests.readLatest()).isEqualTo(committed.file());
    assertThat(committed.file().manifest().timestamp()).isEqualTo(NOW);
    assertThat(new TransactionStore(store).read(committed.file())).contains(transaction);
    ByteBuffer file =
        store.read("_transactions/" + before.version() + '-' + transaction.uuid() + ".txn");
    assertThat(file).isEqualTo(committed.file().transaction().orElseThrow());
    assertThat(committed.bytesWritten())
        .isEqualTo(file.remaining() + store.read(committed.location().path()).remaining());
    assertThat(UTF_8.decode(store.read("_versions/latest_version_hint.json")).toString())
        .isEqualTo("{\"version\":" + (before.version() + 1) + "}");
    assertThat(manifests.read(before)).isEqualTo(base);
  }

  @Test
  void branchIsCommittedToInItsOwnDirectory() throws IOException {
    MemoryObjectStore store = LanceFixture.named("branches").copy();
    References references = new References(store);
    Branch branch = references.branch("exp");
    ObjectStore root = references.storeOf(branch);
    ManifestFile base = new ManifestStore(root).readLatest();

    new Committer(root).commit(dropFirstFragment(base), base);

    ManifestFile next = new ManifestStore(root).readLatest();
    assertThat(next.manifest().version()).isEqualTo(4);
    assertThat(next.manifest().branch()).contains("exp");
    assertThat(next.manifest().basePaths()).isEqualTo(base.manifest().basePaths());
    assertThat(new ManifestStore(store).latest().version()).isEqualTo(4);
    assertThat(new ManifestStore(store).readLatest().manifest().branch()).isEmpty();
  }

  @Test
  void switchedOffTransactionFileIsNotWritten() throws IOException {
    MemoryObjectStore store = new MemoryObjectStore();
    ManifestFile base = tableWith(new FeatureFlags(0, 32));
    put(store, base);
    Committed committed = new Committer(store).commit(dropFirstFragment(base), base);
    assertThat(store.list("_transactions")).isEmpty();
    assertThat(committed.file().manifest().transactionFile()).isEmpty();
    assertThat(committed.file().manifest().flags()).isEqualTo(new FeatureFlags(0, 32));
    assertThat(committed.bytesWritten())
        .isEqualTo(store.read(committed.location().path()).remaining());
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void whereverItBreaksTheOldVersionIsThereOrTheNewOne(Fault fault) throws IOException {
    MemoryObjectStore untouched = LanceFixture.named("del-sparse").copy();
    ManifestFile base = new ManifestStore(untouched).readLatest();
    Transaction transaction = dropFirstFragment(base);
    FaultyObjectStore counting =
        FaultyObjectStore.faultless(LanceFixture.named("del-sparse").copy());
    ManifestFile expected = new Committer(counting).commit(transaction, base, AT_NOW).file();
    assertThat(counting.calls()).hasSizeGreaterThanOrEqualTo(4);

    for (int call = 1; call <= counting.calls().size(); call++) {
      String label = fault + " at " + counting.calls().get(call - 1);
      MemoryObjectStore store = LanceFixture.named("del-sparse").copy();
      FaultyObjectStore faulty = new FaultyObjectStore(store, fault, call);
      boolean reportedSuccess = false;
      boolean stopped = false;
      try {
        reportedSuccess =
            new Committer(faulty).commit(transaction, base, AT_NOW).file().equals(expected);
      } catch (IOException e) {
        assertThat(e).as(label).hasMessageContaining("injected");
      } catch (FaultyObjectStore.Stopped e) {
        stopped = true;
      }
      assertThat(faulty.struck()).as(label).isTrue();
      if (fault == Fault.FULL || fault == Fault.READ_ONLY) {
        assertThat(reportedSuccess)
            .as(label)
            .isEqualTo(
                counting.calls().subList(call - 1, counting.calls().size()).stream()
                    .noneMatch(later -> later.startsWith("put") && !later.contains("hint")));
      }

      ManifestStore manifests = new ManifestStore(store);
      boolean isNew = manifests.latest().version() == base.manifest().version() + 1;
      assertThat(manifests.readLatest()).as(label).isEqualTo(isNew ? expected : base);
      if (!stopped) {
        assertThat(isNew).as(label).isEqualTo(reportedSuccess);
      }
      if (!stopped && fault != Fault.READ_ONLY) {
        assertThat(store.list("_transactions"))
            .as(label)
            .hasSize(untouched.list("_transactions").size() + (isNew ? 1 : 0));
      }
      assertThat(store.list("_versions").stream().filter(name -> !name.startsWith(".tmp")))
          .as(label)
          .hasSize(untouched.list("_versions").size() + (isNew ? 1 : 0));

      ManifestFile now = manifests.readLatest();
      Committed later = new Committer(store).commit(dropFirstFragment(now), now);
      assertThat(manifests.readLatest()).as(label).isEqualTo(later.file());
    }
  }

  @Test
  void lostReplyToTheManifestIsASuccessWhenItIsOurs() throws IOException {
    FaultyObjectStore store = faultyAtManifest(LanceFixture.named("del-sparse"), Fault.LOSE_REPLY);
    ManifestFile base = new ManifestStore(LanceFixture.named("del-sparse").store()).readLatest();
    Committed committed = new Committer(store).commit(dropFirstFragment(base), base);
    assertThat(store.struck()).isTrue();
    assertThat(committed.location().version()).isEqualTo(3);
  }

  @Test
  void lostReplyThatCannotBeCheckedIsAnUnknownStateAndNothingIsCleanedUp() throws IOException {
    LanceFixture fixture = LanceFixture.named("del-sparse");
    ManifestFile base = new ManifestStore(fixture.store()).readLatest();
    Transaction transaction = dropFirstFragment(base);
    MemoryObjectStore store = fixture.copy();
    int put = callOf("putIfAbsent", fixture);
    FaultyObjectStore twice =
        new FaultyObjectStore(
            new FaultyObjectStore(store, Fault.LOSE_REPLY, put), Fault.FAIL, put + 1);

    assertThatExceptionOfType(CommitStateUnknownException.class)
        .isThrownBy(() -> new Committer(twice).commit(transaction, base))
        .withMessageContaining("commit of version 3")
        .withMessageContaining("18446744073709551612.manifest")
        .withMessageContaining(transaction.uuid())
        .withCauseInstanceOf(IOException.class);
    assertThat(store.exists("_transactions/" + transaction.fileName())).isTrue();
    assertThat(new ManifestStore(store).latest().version()).isEqualTo(3);
  }

  /** A client of an object store may throw what it likes, also after the put took effect. */
  @Test
  void anUncheckedFailureOfThePutIsLookedIntoToo() throws IOException {
    LanceFixture fixture = LanceFixture.named("del-sparse");
    ManifestFile base = new ManifestStore(fixture.store()).readLatest();
    MemoryObjectStore store = fixture.copy();
    UncheckedIOException reset = new UncheckedIOException(new IOException("connection reset"));
    ObjectStore before =
        beforePutIfAbsent(
            store,
            () -> {
              throw reset;
            });
    Transaction lost = dropFirstFragment(base);
    assertThatThrownBy(() -> new Committer(before).commit(lost, base)).isSameAs(reset);
    assertThat(store.exists("_transactions/" + lost.fileName())).isFalse();
    assertThat(new ManifestStore(store).latest().version()).isEqualTo(2);

    ObjectStore after =
        new ForwardingObjectStore(store) {
          @Override
          public boolean putIfAbsent(String path, ByteBuffer bytes) throws IOException {
            assertThat(super.putIfAbsent(path, bytes)).isTrue();
            throw reset;
          }
        };
    Transaction landed = dropFirstFragment(base);
    Committed committed = new Committer(after).commit(landed, base);
    assertThat(committed.location().version()).isEqualTo(3);
    assertThat(store.exists("_transactions/" + landed.fileName())).isTrue();

    ObjectStore blind =
        new ForwardingObjectStore(after) {
          @Override
          public ByteBuffer read(String path) throws IOException {
            if (path.equals(new ManifestLocation(4, committed.location().naming()).path())) {
              throw reset;
            }
            return super.read(path);
          }
        };
    ManifestFile three = committed.file();
    assertThatExceptionOfType(CommitStateUnknownException.class)
        .isThrownBy(() -> new Committer(blind).commit(dropFirstFragment(three), three))
        .withCause(reset);
    assertThat(new ManifestStore(store).latest().version()).isEqualTo(4);
  }

  @Test
  void failedPutOverSomebodyElsesVersionIsAConflict() throws IOException {
    LanceFixture fixture = LanceFixture.named("del-sparse");
    ManifestFile base = new ManifestStore(fixture.store()).readLatest();
    MemoryObjectStore store = fixture.copy();
    Transaction ours = dropFirstFragment(base);
    ObjectStore racing =
        beforePutIfAbsent(
            store,
            () -> {
              new Committer(store).commit(dropFirstFragment(base), base);
              throw new IOException("connection reset");
            });
    assertThatExceptionOfType(RetryableConflictException.class)
        .isThrownBy(() -> new Committer(racing).commit(ours, base));
    assertThat(store.exists("_transactions/" + ours.fileName())).isFalse();
  }

  @Test
  void failedPutOverUnreadableBytesIsAnUnknownState() throws IOException {
    LanceFixture fixture = LanceFixture.named("del-sparse");
    ManifestFile base = new ManifestStore(fixture.store()).readLatest();
    MemoryObjectStore store = fixture.copy();
    ObjectStore tearing =
        beforePutIfAbsent(
            store,
            () -> {
              store.put("_versions/18446744073709551612.manifest", ByteBuffer.allocate(0));
              throw new IOException("connection reset");
            });
    assertThatExceptionOfType(CommitStateUnknownException.class)
        .isThrownBy(() -> new Committer(tearing).commit(dropFirstFragment(base), base))
        .withMessageContaining("version 3");
  }

  /** The store may have repeated our own put: then the file that came first is ours. */
  @Test
  void aWinnerThatCannotBeReadAtAllIsAnUnknownState() throws IOException {
    LanceFixture fixture = LanceFixture.named("del-sparse");
    ManifestFile base = new ManifestStore(fixture.store()).readLatest();
    MemoryObjectStore store = fixture.copy();
    Transaction ours = dropFirstFragment(base);
    ObjectStore racing =
        beforePutIfAbsent(store, () -> new Committer(store).commit(dropFirstFragment(base), base));
    ObjectStore unreadable =
        new FaultyObjectStore(racing, Fault.FAIL, callOf("putIfAbsent", fixture) + 1);
    assertThatExceptionOfType(CommitStateUnknownException.class)
        .isThrownBy(() -> new Committer(unreadable).commit(ours, base))
        .withMessageContaining("commit of version 3");
    assertThat(store.exists("_transactions/" + ours.fileName())).isTrue();
  }

  @Test
  void newerVersionThatIsAlreadyThereIsAConflictBeforeAnythingIsWritten() throws IOException {
    LanceFixture fixture = LanceFixture.named("del-twice");
    MemoryObjectStore store = fixture.copy();
    ManifestFile base = new ManifestStore(store).read(1);
    FaultyObjectStore counting = FaultyObjectStore.faultless(store);
    assertThatExceptionOfType(RetryableConflictException.class)
        .isThrownBy(() -> new Committer(counting).commit(dropFirstFragment(base), base))
        .withMessageContaining("Delete on version 1 lost to Delete, which made version 2")
        .withMessageContaining("run it again on the newest version");
    assertThat(counting.calls()).noneMatch(call -> call.startsWith("put"));
  }

  @Test
  void winnerThatCannotBeReadStopsEveryCommitAndIsNamed() throws IOException {
    LanceFixture fixture = LanceFixture.named("del-sparse");
    ManifestFile base = new ManifestStore(fixture.store()).readLatest();
    MemoryObjectStore store = fixture.copy();
    ObjectStore racing =
        beforePutIfAbsent(
            store,
            () ->
                store.put(
                    "_versions/18446744073709551612.manifest",
                    ByteBuffer.wrap("garbage".getBytes(UTF_8))));
    assertThatExceptionOfType(LanceFormatException.class)
        .isThrownBy(() -> new Committer(racing).commit(dropFirstFragment(base), base, AT_NOW))
        .withMessageContaining("18446744073709551612.manifest");
    assertThat(store.list("_transactions")).hasSameSizeAs(fixture.store().list("_transactions"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void concurrentCommittersEachMakeAVersionOfTheirOwn(boolean local, @TempDir Path temp)
      throws Exception {
    LanceFixture fixture = LanceFixture.named("del-sparse");
    ManifestFile base = new ManifestStore(fixture.store()).readLatest();
    ObjectStore store = local ? LocalObjectStore.at(temp) : new MemoryObjectStore();
    put(store, base);
    int rounds = 10;
    int threads = 4;
    for (int round = 0; round < rounds; round++) {
      ManifestFile read = new ManifestStore(store).readLatest();
      List<Committed> results = new ArrayList<>();
      ExecutorService pool = Executors.newFixedThreadPool(threads);
      try {
        CyclicBarrier start = new CyclicBarrier(threads);
        List<Future<Committed>> futures = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
          Transaction transaction = deleteNothing(read);
          futures.add(
              pool.submit(
                  () -> {
                    start.await();
                    return new Committer(store).commit(transaction, read, AT_NOW);
                  }));
        }
        for (Future<Committed> future : futures) {
          results.add(future.get());
        }
      } finally {
        pool.shutdownNow();
      }
      assertThat(results)
          .extracting(committed -> committed.location().version())
          .doesNotHaveDuplicates()
          .allSatisfy(version -> assertThat(version).isGreaterThan(read.manifest().version()));
    }
    assertThat(new ManifestStore(store).list()).hasSize(rounds * threads + 1);
    assertThat(store.list("_transactions")).hasSize(rounds * threads);
    assertThat(store.list("_versions")).noneMatch(name -> name.startsWith(".tmp"));
  }

  @Test
  void interruptedCommitLeavesTheOldVersionAndTheInterrupt(@TempDir Path temp) throws Exception {
    ObjectStore store = LocalObjectStore.at(temp);
    ManifestFile base = tableWith(FeatureFlags.NONE);
    put(store, base);
    CompletableFuture<List<Object>> result = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              ObjectStore interrupting =
                  beforePutIfAbsent(store, () -> Thread.currentThread().interrupt());
              try {
                new Committer(interrupting).commit(deleteNothing(base), base);
                result.complete(List.of("committed"));
              } catch (IOException e) {
                result.complete(List.of(e, Thread.currentThread().isInterrupted()));
              }
            });
    thread.start();
    assertThat(result.get().get(0)).isInstanceOf(ClosedByInterruptException.class);
    assertThat(result.get().get(1)).isEqualTo(true);
    thread.join();
    assertThat(new ManifestStore(store).latest().version()).isEqualTo(1);
    assertThat(store.list("_transactions")).isEmpty();
  }

  @Test
  void refusesBeforeAnythingIsWritten() throws IOException {
    MemoryObjectStore store = new MemoryObjectStore();
    ManifestFile base = tableWith(new FeatureFlags(0, 64));
    put(store, base);
    FaultyObjectStore counting = FaultyObjectStore.faultless(store);
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(() -> new Committer(counting).commit(deleteNothing(base), base))
        .withMessageContaining("memory:memory")
        .withMessageContaining("0x40");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new Committer(counting)
                    .commit(
                        Transaction.of(7, new Operation.Restore(1, UnknownFields.none())), base))
        .withMessageContaining("read version 7, not 1");
    assertThat(counting.calls()).isEmpty();
  }

  @Test
  void baseThatIsGoneIsNamed() throws IOException {
    MemoryObjectStore store = LanceFixture.named("del-twice").copy();
    ManifestFile base = new ManifestStore(store).readLatest();
    store.delete(new ManifestStore(store).latest().path());
    assertThatExceptionOfType(DatasetNotFoundException.class)
        .isThrownBy(() -> new Committer(store).commit(deleteNothing(base), base))
        .withMessageContaining("version 4, which the commit builds on, is gone");
  }

  private interface Step {
    void run() throws IOException;
  }

  /** A store that lets somebody act just before the manifest is put. */
  private static ObjectStore beforePutIfAbsent(ObjectStore store, Step step) {
    return new ForwardingObjectStore(store) {
      @Override
      public boolean putIfAbsent(String path, ByteBuffer bytes) throws IOException {
        step.run();
        return super.putIfAbsent(path, bytes);
      }
    };
  }

  private static FaultyObjectStore faultyAtManifest(LanceFixture fixture, Fault fault)
      throws IOException {
    return new FaultyObjectStore(fixture.copy(), fault, callOf("putIfAbsent", fixture));
  }

  private static int callOf(String method, LanceFixture fixture) throws IOException {
    FaultyObjectStore counting = FaultyObjectStore.faultless(fixture.copy());
    ManifestFile base = new ManifestStore(fixture.store()).readLatest();
    new Committer(counting).commit(dropFirstFragment(base), base);
    for (int i = 0; i < counting.calls().size(); i++) {
      if (counting.calls().get(i).startsWith(method)) {
        return i + 1;
      }
    }
    throw new AssertionError("no call of " + method + " among " + counting.calls());
  }

  private static ManifestFile tableWith(FeatureFlags flags) throws IOException {
    ManifestFile file = new ManifestStore(LanceFixture.named("stable-create").store()).readLatest();
    return ManifestFile.of(
        file.manifest().toDraft().fragments(List.of()).flags(flags).build(), List.of());
  }

  private static void put(ObjectStore store, ManifestFile file) throws IOException {
    store.put(
        new ManifestLocation(file.manifest().version(), ManifestNaming.V2).path(),
        ManifestCodec.encode(file));
  }

  private static Transaction dropFirstFragment(ManifestFile base) {
    List<Long> first = new ArrayList<>();
    if (!base.manifest().fragments().isEmpty()) {
      first.add(base.manifest().fragments().get(0).id());
    }
    return Transaction.of(
        base.manifest().version(),
        new Operation.Delete(List.of(), first, "id < 10", UnknownFields.none()));
  }

  private static Transaction deleteNothing(ManifestFile base) {
    return Transaction.of(
        base.manifest().version(),
        new Operation.Delete(List.of(), List.of(), "false", UnknownFields.none()));
  }
}
