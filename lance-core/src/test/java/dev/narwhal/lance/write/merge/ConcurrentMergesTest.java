package dev.narwhal.lance.write.merge;

import static dev.narwhal.lance.write.merge.MergeTable.SCHEMA;
import static dev.narwhal.lance.write.merge.MergeTable.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.storage.FaultyObjectStore;
import dev.narwhal.lance.storage.ObjectStore;
import dev.narwhal.lance.transaction.Operation;
import dev.narwhal.lance.write.insert.InsertOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Merges beside other commits, each made right before the merge would put its version. */
class ConcurrentMergesTest {
  private static final InsertOptions STANDARD = InsertOptions.standard();

  @Test
  void twoMergesOfOneNewKeyMakeOneRow() throws IOException {
    try (MergeTable table = MergeTable.of(3, STANDARD)) {
      ObjectStore late =
          table.beforeFirstPut(() -> table.upsert(table.open(), row(9L, "first", 1)));
      MergeResult result = table.upsert(table.open(late), row(9L, "second", 2));
      assertThat(result.insertedRows()).isZero();
      assertThat(result.updatedRows()).isEqualTo(1);
      assertThat(result.attempts()).isEqualTo(2);
      assertThat(table.rows("id", "text"))
          .containsExactly("0 old0", "1 old1", "2 old2", "9 second");
      // nothing tells of it but the rows
      Operation.Update update =
          (Operation.Update) table.open().transaction(3).orElseThrow().operation();
      assertThat(update.insertedKeys()).isEmpty();
    }
  }

  @Test
  void anAppendOfTheKeyIsSeenAsWell() throws IOException {
    try (MergeTable table = MergeTable.of(3, STANDARD)) {
      ObjectStore late =
          table.beforeFirstPut(
              () -> table.merge(table.open().mergeInsert("text"), SCHEMA, row(9L, "appended", 1)));
      MergeResult result = table.upsert(table.open(late), row(9L, "second", 2));
      assertThat(result.updatedRows()).isEqualTo(1);
      assertThat(table.open().countRows("id = 9")).isEqualTo(1);
    }
  }

  @Test
  void mergesOfDifferentKeysAreNotDoneAgain() throws IOException {
    try (MergeTable table = MergeTable.of(3, STANDARD)) {
      FaultyObjectStore counting =
          FaultyObjectStore.faultless(
              table.beforeFirstPut(
                  () -> table.upsert(table.open(), row(8L, "other", 1), row(0L, "new0", 0))));
      MergeResult result = table.upsert(table.open(counting), row(9L, "mine", 2));
      assertThat(result.insertedRows()).isEqualTo(1);
      assertThat(counting.calls().stream().filter(call -> call.startsWith("create data/")))
          .hasSize(1);
      assertThat(table.rows("id", "text"))
          .containsExactly("0 new0", "1 old1", "2 old2", "8 other", "9 mine");
    }
  }

  @Test
  void withoutTheCheckAKeyMayBeInsertedTwiceAsInRealLance() throws IOException {
    try (MergeTable table = MergeTable.of(3, STANDARD)) {
      ObjectStore late =
          table.beforeFirstPut(() -> table.upsert(table.open(), row(9L, "first", 1)));
      MergeInsert merge =
          table
              .open(late)
              .mergeInsert("id")
              .whenMatched(WhenMatched.updateAll())
              .withOptions(MergeOptions.standard().withoutInsertedKeysCheck());
      assertThat(table.merge(merge, SCHEMA, row(9L, "second", 2)).insertedRows()).isEqualTo(1);
      assertThat(table.open().countRows("id = 9")).isEqualTo(2);
    }
  }

  @Test
  void aDeleteOfAnotherRowOfTheFragmentGoesTogether() throws IOException {
    try (MergeTable table = MergeTable.of(100, STANDARD)) {
      ObjectStore late = table.beforeFirstPut(() -> table.open().delete("id = 43"));
      MergeResult result = table.upsert(table.open(late), row(42L, "new", 0));
      assertThat(result.updatedRows()).isEqualTo(1);
      assertThat(result.attempts()).isEqualTo(2);
      Dataset after = table.open();
      assertThat(after.countRows()).isEqualTo(99);
      assertThat(after.deletions(after.fragments().get(0)).toArray()).containsExactly(42, 43);
      assertThat(table.store.list("_deletions")).hasSize(2);
      assertThat(after.countRows("id = 42 AND text = 'new'")).isEqualTo(1);
    }
  }

  @Test
  void aRowThatAnotherCommitUpdatedIsMatchedAnew() throws IOException {
    try (MergeTable table = MergeTable.of(3, InsertOptions.standard().withStableRowIds())) {
      ObjectStore late =
          table.beforeFirstPut(() -> table.upsert(table.open(), row(1L, "theirs", 10)));
      MergeInsert merge =
          table
              .open(late)
              .mergeInsert("id")
              .whenMatched(WhenMatched.updateIf("source.n > target.n"));
      MergeResult result = table.merge(merge, SCHEMA, row(1L, "mine", 5), row(2L, "mine", 5));
      assertThat(result.updatedRows()).isEqualTo(1);
      assertThat(table.rows("id", "text", "n", "_rowid"))
          .containsExactly("0 old0 0 0", "1 theirs 10 1", "2 mine 5 2");
    }
  }

  @Test
  void aRowThatAnotherCommitDeletedIsInserted() throws IOException {
    try (MergeTable table = MergeTable.of(3, STANDARD)) {
      ObjectStore late = table.beforeFirstPut(() -> table.open().delete("id = 1"));
      MergeResult result = table.upsert(table.open(late), row(1L, "mine", 5));
      assertThat(result.insertedRows()).isEqualTo(1);
      assertThat(table.rows("id", "text")).containsExactly("0 old0", "1 mine", "2 old2");
    }
  }

  @Test
  void threadsThatUpsertTheSameNewKeysMakeOneRowOfEach() throws Exception {
    int threads = 4;
    int keys = 10;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try (MergeTable table = MergeTable.of(1, STANDARD)) {
      CyclicBarrier barrier = new CyclicBarrier(threads);
      List<Callable<Void>> work = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        String text = "by " + thread;
        work.add(
            () -> {
              for (long key = 100; key < 100 + keys; key++) {
                Dataset dataset = table.open();
                barrier.await();
                table.upsert(dataset, row(key, text, 1));
              }
              return null;
            });
      }
      for (Future<Void> done : pool.invokeAll(work)) {
        done.get();
      }
      assertThat(table.open().countRows()).isEqualTo(1 + keys);
      assertThat(table.rows("id")).doesNotHaveDuplicates();
    } finally {
      pool.shutdown();
    }
  }
}
