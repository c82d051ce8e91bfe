package dev.narwhal.lance.write;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.narwhal.lance.error.CommitConflict;
import dev.narwhal.lance.error.RetryableConflictException;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.fragment.RowAddress;
import dev.narwhal.lance.manifest.LanceFixture;
import dev.narwhal.lance.manifest.ManifestFile;
import dev.narwhal.lance.manifest.ManifestStore;
import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.storage.MemoryObjectStore;
import dev.narwhal.lance.storage.ObjectStore;
import dev.narwhal.lance.storage.Stores;
import dev.narwhal.lance.transaction.CommitOptions;
import dev.narwhal.lance.transaction.Committed;
import dev.narwhal.lance.transaction.Operation;
import dev.narwhal.lance.transaction.Pacing;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code del-sparse} has the ids 0 to 299 in three fragments of 100 rows, of which 8 are deleted.
 */
class RowDeletesTest {
  private static final DeleteOptions FAST =
      DeleteOptions.standard().withCommitAttempts(20, Pacing.none());

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
  void o12TheOtherFragmentsStayWhenOneAddressIsDeleted() throws IOException {
    WriteContext context = context("del-sparse");
    DeleteResult result = new RowDelete(context, FAST).delete(RowSelection.addresses(6L));
    assertThat(result.deletedRows()).isEqualTo(1);
    assertThat(live(context.latest())).isEqualTo(291);
    assertThat(context.latest().manifest().fragments()).hasSize(3);
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 100, 1L << 32, Long.MAX_VALUE})
  void o21AnOffsetThatIsNoneOfTheFragmentIsRefused(long offset) throws IOException {
    WriteContext context = context("del-sparse");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new RowDelete(context, FAST)
                    .delete(RowSelection.offsets(Map.of(1L, new long[] {3, offset}))))
        .withMessageContaining("row offset");
    assertThat(context.latest().version()).isEqualTo(context.version());
  }

  @Test
  void missingFragmentsAndRepeatedRowsAreRefused() throws IOException {
    WriteContext context = context("del-sparse");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RowDelete(context, FAST).delete(RowSelection.addresses(1, 7L << 32)))
        .withMessageContaining("fragment 7, which version 2 does not have");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RowSelection.addresses(1, 2, 1))
        .withMessageContaining("row address 1 is named twice");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RowSelection.offsets(Map.of(-1L, new long[] {1})))
        .withMessageContaining("fragment id must be in [0, 2^32)");
    assertThat(context.latest().version()).isEqualTo(context.version());
  }

  @Test
  void rowsOfAFragmentThatWentWithItsLastRowAreDeletedAlready() throws IOException {
    WriteContext context = context("del-sparse");
    long live = live(context);
    assertThat(new RowDelete(context, FAST).delete("id < 100").fragmentsDropped()).isEqualTo(1);
    WriteContext after = context.latest();
    long left = live(after);
    assertThat(left).isLessThan(live);
    assertThat(new RowDelete(after, FAST).delete(RowSelection.rowIds(5)).deletedRows()).isZero();
    assertThat(
            new RowDelete(after, FAST)
                .delete(RowSelection.addresses(5, RowAddress.of(1, 20)))
                .deletedRows())
        .isEqualTo(1);
    assertThat(live(after.latest())).isEqualTo(left - 1);
    assertThatIllegalArgumentException()
        .as("no fragment ever had this id")
        .isThrownBy(
            () -> new RowDelete(after, FAST).delete(RowSelection.addresses(RowAddress.of(3, 0))));
  }

  @Test
  void aDeleteByPredicateGoesOnWhenVersionsInBetweenWereCleanedUp() throws IOException {
    WriteContext stale = context("del-sparse");
    new RowDelete(stale, FAST).delete("id = 20");
    new RowDelete(stale.latest(), FAST).delete("id = 21");
    stale.store().delete(new ManifestStore(stale.store()).locate(stale.version() + 1).path());
    DeleteResult result = new RowDelete(stale, FAST).delete("id IN (20, 22)");
    assertThat(result.deletedRows()).isEqualTo(1);
    assertThat(live(stale.latest())).isEqualTo(live(stale) - 3);
    assertThatExceptionOfType(RetryableConflictException.class)
        .isThrownBy(() -> new RowDelete(stale, FAST).delete(RowSelection.addresses(30)));
  }

  @Test
  void offsetsAddressesAndPredicatesDeleteTheSameRows() throws IOException {
    WriteContext byOffset = context("del-sparse");
    WriteContext byAddress = context("del-sparse");
    WriteContext byPredicate = context("del-sparse");
    new RowDelete(byOffset, FAST)
        .delete(RowSelection.offsets(Map.of(0L, new long[] {7, 5}, 2L, new long[] {99})));
    new RowDelete(byAddress, FAST).delete(RowSelection.addresses((2L << 32) + 99, 5, 7));
    new RowDelete(byPredicate, FAST).delete("id IN (5, 7, 299)");
    assertThat(deletions(byOffset.latest()))
        .isEqualTo(deletions(byAddress.latest()))
        .isEqualTo(deletions(byPredicate.latest()));
  }

  @Test
  void stableRowIdsAreFoundWhereTheyLiveNow() throws IOException {
    WriteContext context = context("stable-delete");
    long before = live(context);
    DeleteResult result = new RowDelete(context, FAST).delete(RowSelection.rowIds(7, 9, 11));
    assertThat(live(context.latest())).isEqualTo(before - result.deletedRows());
    assertThat(new RowDelete(context.latest(), FAST).delete(RowSelection.rowIds(7, 9, 11)))
        .as("ids that were handed out, of rows that are gone")
        .isEqualTo(new DeleteResult(result.version(), 0, 0, 0, 0, 0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RowDelete(context, FAST).delete(RowSelection.rowIds(1L << 60)))
        .withMessageContaining("was never handed out");
  }

  @Test
  void o43TwoDeletesOfOneRowBothSucceedAndItCountsOnce() throws IOException {
    WriteContext stale = context("del-sparse");
    assertThat(new RowDelete(stale, FAST).delete("id = 20").deletedRows()).isEqualTo(1);
    DeleteResult both = new RowDelete(stale, FAST).delete("id IN (20, 21)");
    assertThat(both.deletedRows()).isEqualTo(1);
    assertThat(both.version()).isEqualTo(4);
    DeleteResult again = new RowDelete(stale, FAST).delete("id IN (20, 21)");
    assertThat(again).isEqualTo(new DeleteResult(4, 0, 0, 0, 0, 1));
    assertThat(live(stale.latest())).isEqualTo(290);
  }

  @Test
  void strictDeletesNameTheRowsInCommon() throws IOException {
    WriteContext stale = context("del-sparse");
    new RowDelete(stale, FAST).delete("id >= 10 AND id < 30");
    DeleteOptions strict = FAST.withStrictRowConflicts().withRetries(0, Duration.ofSeconds(30));
    try {
      new RowDelete(stale, strict).delete("id >= 20 AND id < 40");
    } catch (RetryableConflictException e) {
      CommitConflict conflict = e.conflict().orElseThrow();
      assertThat(conflict.rowAddresses()).containsExactly(20L, 21L, 22L, 23L, 24L);
      assertThat(conflict.otherVersion()).isEqualTo(3);
      return;
    }
    throw new AssertionError("no conflict");
  }

  @Test
  void o46ManyVersionsInBetweenAreUnitedInOneFile() throws IOException {
    MemoryObjectStore store = LanceFixture.named("del-sparse").copy();
    WriteContext stale = context(store);
    for (int id = 30; id < 33; id++) {
      new RowDelete(stale.latest(), FAST).delete("id = " + id);
    }
    int files = store.list("_deletions").size();
    new RowDelete(stale, FAST).delete("id = 33");
    assertThat(store.list("_deletions")).hasSize(files + 1);
    assertThat(live(stale.latest())).isEqualTo(288);
  }

  @Test
  void emptyDeletesMakeAVersionWhenAsked() throws IOException {
    WriteContext context = context("del-sparse");
    assertThat(new RowDelete(context, FAST).delete("id < 0").version()).isEqualTo(2);
    DeleteResult empty = new RowDelete(context, FAST.withEmptyCommits()).delete("id < 0");
    assertThat(empty.version()).isEqualTo(3);
    assertThat(empty.deletedRows()).isZero();
  }

  @Test
  void dryRunsTellTheBytesOfTheFilesThatWouldBeWritten() throws IOException {
    MemoryObjectStore store = LanceFixture.named("del-sparse").copy();
    WriteContext context = context(store);
    DeleteResult planned = new RowDelete(context, FAST.asDryRun()).delete("id % 10 = 5");
    long before = bytes(store);
    new RowDelete(context, FAST).delete("id % 10 = 5");
    assertThat(planned.bytesWritten()).isEqualTo(bytes(store) - before).isPositive();
  }

  @Test
  void everythingIsDeletedWithoutReadingAnyFile() throws IOException {
    MemoryObjectStore store = LanceFixture.named("del-sparse").copy();
    for (String name : store.list("data")) {
      store.delete("data/" + name);
    }
    WriteContext context = context(store);
    DeleteResult result = new RowDelete(context, FAST).delete("true OR id = 3");
    assertThat(result.deletedRows()).isEqualTo(292);
    assertThat(result.fragmentsDropped()).isEqualTo(3);
    assertThat(context.latest().manifest().fragments()).isEmpty();
  }

  @Test
  void workersDeleteEverythingWithoutReadingData() throws IOException {
    MemoryObjectStore store = LanceFixture.named("del-sparse").copy();
    for (String name : store.list("data")) {
      store.delete("data/" + name);
    }
    WriteContext context = context(store);
    UncommittedDelete all = new RowDelete(context, FAST).executeUncommitted("1 = 1");
    assertThat(all.deletedRows()).isEqualTo(292);
    assertThat(all.operation().deletedFragmentIds()).containsExactly(0L, 1L, 2L);
  }

  @Test
  void o42ConcurrentDeletesOfOneTableAllSucceed() throws Exception {
    WriteContext context = context("del-sparse");
    List<Callable<Long>> deletes = new ArrayList<>();
    for (int thread = 0; thread < 6; thread++) {
      int first = thread;
      deletes.add(
          () -> {
            long deleted = 0;
            for (int id = first; id < 60; id += 6) {
              deleted += new RowDelete(context, FAST).delete("id = " + id).deletedRows();
            }
            return deleted;
          });
    }
    assertThat(sum(deletes)).isEqualTo(60 - gone(context, 60));
    assertThat(live(context.latest())).isEqualTo(292 - (60 - gone(context, 60)));
  }

  @Test
  void workersInOtherProcessesDeleteAndOneCommits(@TempDir Path folder) throws Exception {
    LanceFixture fixture = LanceFixture.named("del-sparse");
    Path table = folder.resolve("table");
    copy(fixture.directory().resolve("ds"), table);
    WriteContext context = context(Stores.local().at(table.toString()), Stores.local());
    List<DeleteTask> tasks =
        DeleteTask.split(
            table.toString(), context.manifest(), RowSelection.where("id % 50 = 11"), 2);
    assertThat(tasks).hasSize(2);
    List<UncommittedDelete> parts = new ArrayList<>();
    for (DeleteTask task : tasks) {
      parts.add((UncommittedDelete) fromText(inAnotherProcess(toText(task))));
    }
    assertThat(context.latest().version()).isEqualTo(context.version());
    new RowDelete(context, FAST).delete("id = 12");

    Committed committed =
        new CommitBuilder(context)
            .withMessage("together")
            .withOptions(CommitOptions.standard().withPacing(Pacing.none()))
            .commit(parts);

    assertThat(committed.location().version()).isEqualTo(4);
    assertThat(committed.transaction().properties())
        .containsEntry("__lance_commit_message", "together");
    long deleted = parts.stream().mapToLong(UncommittedDelete::deletedRows).sum();
    assertThat(deleted).isBetween(5L, 6L);
    assertThat(live(context.latest())).isEqualTo(292 - deleted - 1);
  }

  /** The other process: takes a task as its argument, and prints its result. */
  public static final class Worker {
    private Worker() {}

    public static void main(String[] arguments) throws Exception {
      try (BufferAllocator allocator = new RootAllocator()) {
        DeleteTask task = (DeleteTask) fromText(arguments[0]);
        System.out.println(toText(task.execute(Stores.local(), allocator)));
      }
    }
  }

  @Test
  void deletesThatDoNotGoTogetherAreRefused() throws IOException {
    WriteContext context = context("del-sparse");
    UncommittedDelete first = new RowDelete(context, FAST).executeUncommitted("id = 40");
    UncommittedDelete same = new RowDelete(context, FAST).executeUncommitted("id = 41");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CommitBuilder(context).commit(List.of(first, same)))
        .withMessageContaining("two deletes change fragment 0");
    new RowDelete(context, FAST).delete("id = 150");
    UncommittedDelete later = new RowDelete(context.latest(), FAST).executeUncommitted("id = 151");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CommitBuilder(context).commit(List.of(first, later)))
        .withMessageContaining("versions 2 and 3");
    new CommitBuilder(context).commit(List.of(first));
    new CommitBuilder(context.latest()).commit(List.of(later));
    assertThat(live(context.latest())).isEqualTo(289);
  }

  @Test
  void otherOperationsAreCommittedTheSameWay() throws IOException {
    WriteContext context = context("del-sparse");
    new RowDelete(context, FAST).delete("true");
    Committed restored =
        new CommitBuilder(context).commit(new Operation.Restore(1, UnknownFields.none()));
    assertThat(restored.location().version()).isEqualTo(4);
    assertThat(live(context.latest())).isEqualTo(300);
    assertThat(restored.file().manifest().maxFragmentId())
        .isEqualTo(context.manifest().maxFragmentId());
  }

  private WriteContext context(String fixture) throws IOException {
    return context(LanceFixture.named(fixture).copy());
  }

  private WriteContext context(MemoryObjectStore store) throws IOException {
    return context(store, Stores.local());
  }

  private WriteContext context(ObjectStore store, Stores stores) throws IOException {
    ManifestFile latest = new ManifestStore(store).readLatest();
    return WriteContext.of(store, stores, latest, allocator);
  }

  private static long live(WriteContext context) {
    return context.manifest().liveRows().getAsLong();
  }

  private static long gone(WriteContext context, int below) throws IOException {
    Fragment first = context.manifest().fragments().get(0);
    return context.files().deletions(first, 100).cardinality(0, below);
  }

  private static List<Object> deletions(WriteContext context) throws IOException {
    List<Object> vectors = new ArrayList<>();
    for (Fragment fragment : context.manifest().fragments()) {
      vectors.add(context.files().deletions(fragment, 100));
    }
    return vectors;
  }

  private static long bytes(MemoryObjectStore store) throws IOException {
    long bytes = 0;
    for (String name : store.list("_deletions")) {
      bytes += store.read("_deletions/" + name).remaining();
    }
    return bytes;
  }

  private static long sum(List<Callable<Long>> tasks) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(tasks.size());
    try {
      long sum = 0;
      for (Future<Long> future : pool.invokeAll(tasks)) {
        sum += future.get();
      }
      return sum;
    } finally {
      pool.shutdownNow();
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (var files = Files.walk(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path target = to.resolve(from.relativize(file).toString());
        Files.createDirectories(target.getParent());
        Files.copy(file, target);
      }
    }
  }

  private static String inAnotherProcess(String argument) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Worker.class.getName(),
                argument)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).isZero();
    return output.lines().reduce("", (first, last) -> last);
  }

  private static String toText(Object value) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(value);
    }
    return Base64.getEncoder().encodeToString(bytes.toByteArray());
  }

  private static Object fromText(String text) throws IOException, ClassNotFoundException {
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(Base64.getDecoder().decode(text)))) {
      return in.readObject();
    }
  }
}
