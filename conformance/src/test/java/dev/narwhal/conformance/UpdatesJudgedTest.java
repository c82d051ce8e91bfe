package dev.narwhal.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.datafile.write.WriterOptions;
import dev.narwhal.lance.deletion.DeletionFile;
import dev.narwhal.lance.error.PredicateEvaluationException;
import dev.narwhal.lance.error.RetryableConflictException;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.storage.LocalObjectStore;
import dev.narwhal.lance.transaction.CommitOptions;
import dev.narwhal.lance.transaction.Operation;
import dev.narwhal.lance.write.DeleteOptions;
import dev.narwhal.lance.write.FragmentLimits;
import dev.narwhal.lance.write.FragmentWriter;
import dev.narwhal.lance.write.Retries;
import dev.narwhal.lance.write.UncommittedDelete;
import dev.narwhal.lance.write.update.RowReplacement;
import dev.narwhal.lance.write.update.UpdateOptions;
import dev.narwhal.lance.write.update.UpdateResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lance.compaction.CompactionOptions;

/** Updates beside real Lance: what it makes of the same change, and what it reads of ours. */
class UpdatesJudgedTest {
  @TempDir Path folder;
  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void nothingLeaks() {
    allocator.close();
  }

  private Dataset open(Path table) throws IOException {
    return Dataset.open(table.toString(), allocator);
  }

  private static List<RowStates.State> bothRead(Path table) throws IOException {
    List<RowStates.State> ours = RowStates.ours(table);
    assertThat(ours).isEqualTo(RowStates.theirs(table));
    return ours;
  }

  private static List<String> files(Path table, String directory) throws IOException {
    if (!Files.exists(table.resolve(directory))) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(table.resolve(directory))) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @ParameterizedTest(name = "stable row ids: {0}")
  @ValueSource(booleans = {false, true})
  void makesTheSameRowsAsRealLancesMerge(boolean stable) throws IOException {
    Path theirs = UpdateTables.create(folder.resolve("theirs"), stable, List.of(100, 50, 100));
    try (LanceJudge judge = LanceJudge.open(theirs)) {
      judge.delete("id % 10 = 3 OR id = 149");
    }
    Path ours = UpdateTables.copy(theirs, folder.resolve("ours"));
    String where = "id % 7 = 2 OR (id >= 100 AND id < 150)";
    long[] ids =
        LongStream.range(0, 250)
            .filter(id -> id % 7 == 2 || (id >= 100 && id < 150))
            .filter(id -> id % 10 != 3 && id != 149)
            .toArray();
    UpdateTables.merge(theirs, ids, id -> (int) (2 * id + 1), id -> "TEXT " + id + "!");

    UpdateResult result =
        open(ours)
            .update()
            .where(where)
            .set("n", "n * 2 + 1")
            .set("t", "upper(t) || '!'")
            .execute();

    assertThat(result.version()).isEqualTo(5);
    assertThat(result.updatedRows()).isEqualTo(ids.length);
    assertThat(result.fragmentsUpdated()).isEqualTo(2);
    assertThat(result.fragmentsDropped()).isEqualTo(1);
    assertThat(result.fragmentsAdded()).isEqualTo(1);
    assertThat(result.attempts()).isEqualTo(1);
    assertThat(RowStates.withoutPlaces(bothRead(ours), stable))
        .isEqualTo(RowStates.withoutPlaces(bothRead(theirs), stable));
    Operation.Update mine = update(ours, 5);
    Operation.Update judged = update(theirs, 5);
    assertThat(mine.removedFragmentIds()).isEqualTo(judged.removedFragmentIds());
    assertThat(mine.updatedFragments())
        .extracting(Fragment::id)
        .containsExactlyInAnyOrderElementsOf(
            judged.updatedFragments().stream().map(Fragment::id).toList());
    assertThat(mine.fieldsModified()).isEqualTo(judged.fieldsModified()).isEmpty();
    assertThat(mine.mode()).isEqualTo(judged.mode());
    assertThat(mine.fieldsForPreservingFragmentBitmap()).containsExactly(1, 2);
    assertThat(mine.newFragments().get(0).rowIds().isPresent()).isEqualTo(stable);
  }

  private Operation.Update update(Path table, long version) throws IOException {
    return (Operation.Update) open(table).transaction(version).orElseThrow().operation();
  }

  /** The worked example of the design: one row is updated while its neighbour is deleted. */
  @ParameterizedTest(name = "stable row ids: {0}")
  @ValueSource(booleans = {false, true})
  void anUpdateAndADeleteOfNeighboursBothCommit(boolean stable) throws IOException {
    Path table = UpdateTables.create(folder.resolve("table"), stable, List.of(1000, 1000));
    Dataset read = open(table);
    try (LanceJudge judge = LanceJudge.open(table)) {
      judge.delete("id = 43");
    }
    UpdateResult result = read.update().where("id = 42").set("t", "'new text'").execute();

    assertThat(result.version()).isEqualTo(4);
    assertThat(result.updatedRows()).isEqualTo(1);
    Dataset after = open(table);
    Fragment first = after.fragments().get(0);
    assertThat(after.deletions(first).toArray()).containsExactly(42, 43);
    assertThat(first.deletionFile().map(DeletionFile::encoding))
        .contains(DeletionFile.Encoding.BITMAP);
    assertThat(files(table, "_deletions")).hasSize(2);
    List<RowStates.State> rows = bothRead(table);
    assertThat(rows).hasSize(1999);
    assertThat(rows).extracting(RowStates.State::id).doesNotContain(43L).contains(42L);
    RowStates.State row = rows.get(42);
    assertThat(row.t()).isEqualTo("new text");
    assertThat(row.n()).isEqualTo("42");
    assertThat(row.address()).isEqualTo(2L << 32);
    if (stable) {
      assertThat(row.rowId()).isEqualTo(42);
      assertThat(row.created()).isEqualTo(1);
      assertThat(row.updated()).isEqualTo(4);
    }
  }

  /** Meanwhile real Lance does something else; the update is done on top of it, or all over. */
  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "append",
        "delete the same",
        "delete others",
        "merge the same",
        "merge others",
        "compact",
        "delete all"
      })
  void isRightAfterWhatAnotherCommitDid(String meanwhile) throws IOException {
    Path table = UpdateTables.create(folder.resolve("table"), true, List.of(100, 100));
    Dataset read = open(table);
    try (LanceJudge judge = LanceJudge.open(table)) {
      switch (meanwhile) {
        case "append" -> UpdateTables.append(table, 200, 50);
        case "delete the same" -> judge.delete("id IN (10, 110)");
        case "delete others" -> judge.delete("id IN (11, 111)");
        case "merge the same" ->
            UpdateTables.merge(table, new long[] {10, 20, 120}, id -> -7, id -> "theirs");
        case "merge others" ->
            UpdateTables.merge(table, new long[] {11, 121}, id -> -7, id -> "theirs");
        case "compact" -> {
          judge.delete("id IN (11, 111)");
          judge
              .dataset()
              .compact(CompactionOptions.builder().withTargetRowsPerFragment(500).build());
        }
        case "delete all" -> judge.delete("true");
        default -> throw new IllegalArgumentException(meanwhile);
      }
    }
    List<RowStates.State> before = bothRead(table);
    long version = open(table).version();
    UpdateResult result =
        read.update().where("id % 10 = 0").set("n", "coalesce(n, 0) - 1000").execute();

    List<RowStates.State> after = bothRead(table);
    boolean rebased = !meanwhile.equals("append");
    boolean empty = before.isEmpty();
    assertThat(result.version()).isEqualTo(empty ? version : version + 1);
    long expected = 0;
    assertThat(after).hasSameSizeAs(before);
    for (int i = 0; i < before.size(); i++) {
      RowStates.State old = before.get(i);
      RowStates.State now = after.get(i);
      boolean seen = rebased || old.id() < 200;
      if (old.id() % 10 == 0 && seen) {
        expected++;
        String n = String.valueOf((old.n().equals("null") ? 0 : Integer.parseInt(old.n())) - 1000);
        assertThat(now)
            .isEqualTo(
                new RowStates.State(
                    old.id(),
                    n,
                    old.t(),
                    old.rowId(),
                    now.address(),
                    old.created(),
                    result.version()));
      } else {
        assertThat(now.withoutPlace(true)).isEqualTo(old.withoutPlace(true));
      }
    }
    assertThat(result.updatedRows()).isEqualTo(expected);
    List<Long> ids = after.stream().map(RowStates.State::rowId).distinct().toList();
    assertThat(ids).hasSameSizeAs(after);
  }

  @Test
  void givesUpWhenItMayNotBeDoneAgain() throws IOException {
    Path table = UpdateTables.create(folder.resolve("table"), true, List.of(100));
    Dataset read = open(table);
    UpdateTables.merge(table, new long[] {10}, id -> -7, id -> "theirs");
    List<String> data = files(table, "data");
    List<String> deletions = files(table, "_deletions");
    UpdateOptions once =
        UpdateOptions.standard()
            .withRetries(new Retries(0, Duration.ofSeconds(30), CommitOptions.standard().pacing()));
    assertThatThrownBy(
            () -> read.update().where("id = 10").set("n", "1").withOptions(once).execute())
        .isInstanceOf(RetryableConflictException.class);
    assertThat(files(table, "data")).isEqualTo(data);
    assertThat(files(table, "_deletions")).isEqualTo(deletions);
    assertThat(open(table).version()).isEqualTo(2);
  }

  @Test
  void aRowWithoutAResultLeavesNothingBehind() throws IOException {
    Path table = UpdateTables.create(folder.resolve("table"), false, List.of(100, 100));
    List<String> data = files(table, "data");
    assertThatThrownBy(() -> open(table).update().set("n", "1000 / (id - 150)").execute())
        .isInstanceOf(PredicateEvaluationException.class)
        .hasMessageContaining("fragment 1, row offset 50")
        .hasMessageContaining("division by zero");
    assertThatThrownBy(() -> open(table).update().set("n", "id * 100000000").execute())
        .isInstanceOf(PredicateEvaluationException.class)
        .hasMessageContaining("out of the range of int32");
    assertThatThrownBy(() -> open(table).update().set("id", "n").execute())
        .isInstanceOf(PredicateEvaluationException.class)
        .hasMessageContaining("'id', which is not nullable")
        .hasMessageContaining("row offset 4");
    assertThat(files(table, "data")).isEqualTo(data);
    assertThat(files(table, "_deletions")).isEmpty();
    assertThat(open(table).version()).isEqualTo(2);
  }

  @Test
  void matchingNothingAndDryRunsWriteNothing() throws IOException {
    Path table = UpdateTables.create(folder.resolve("table"), true, List.of(100));
    List<String> data = files(table, "data");
    UpdateResult none = open(table).update().where("id = 1000").set("n", "1").execute();
    assertThat(none).isEqualTo(new UpdateResult(1, 0, 0, 0, 0, 0, 0));
    UpdateOptions dry = UpdateOptions.standard().asDryRun();
    UpdateResult result =
        open(table).update().where("id < 10").set("n", "1").withOptions(dry).execute();
    assertThat(result.updatedRows()).isEqualTo(10);
    assertThat(result.version()).isEqualTo(1);
    assertThat(files(table, "data")).isEqualTo(data);
    assertThat(files(table, "_transactions")).hasSize(1);
  }

  @Test
  void rollsFilesAndKeepsTheIdsInTheirOrder() throws IOException {
    Path table = UpdateTables.create(folder.resolve("table"), true, List.of(1000, 1000));
    List<RowStates.State> before = bothRead(table);
    UpdateOptions small =
        UpdateOptions.standard().withLimits(FragmentLimits.standard().withMaxRows(300));
    UpdateResult result =
        open(table).update().where("id % 3 <> 1").set("n", "-n").withOptions(small).execute();
    assertThat(result.fragmentsAdded()).isEqualTo(5);
    List<RowStates.State> after = bothRead(table);
    for (int i = 0; i < 2000; i++) {
      assertThat(after.get(i).rowId()).isEqualTo(before.get(i).rowId());
      assertThat(after.get(i).created()).isEqualTo(before.get(i).created());
      assertThat(after.get(i).updated()).isEqualTo(i % 3 == 1 ? before.get(i).updated() : 3);
    }
    // and again, what has moved already
    open(table).update().where("id % 2 = 0").set("t", "t || '?'").execute();
    List<RowStates.State> again = bothRead(table);
    for (int i = 0; i < 2000; i++) {
      assertThat(again.get(i).rowId()).isEqualTo(before.get(i).rowId());
      assertThat(again.get(i).created()).isEqualTo(before.get(i).created());
    }
    assertThat(open(table).manifest().nextRowId()).isEqualTo(2000);
  }

  @Test
  void setsEveryRowWithoutACondition() throws IOException {
    Path table = UpdateTables.create(folder.resolve("table"), false, List.of(100, 20));
    UpdateResult result = open(table).update().set("t", "NULL").set("n", "7").execute();
    assertThat(result.fragmentsDropped()).isEqualTo(2);
    assertThat(result.fragmentsUpdated()).isZero();
    assertThat(bothRead(table))
        .hasSize(120)
        .allSatisfy(row -> assertThat(row.n() + row.t()).isEqualTo("7null"));
  }

  /** O32: a delete by one worker and its replacement by another make the same row. */
  @Test
  void rowsReplacedByOthersKeepTheirIdsO32() throws IOException {
    Path table = UpdateTables.create(folder.resolve("table"), true, List.of(4, 4));
    Dataset dataset = open(table);
    UncommittedDelete deleted =
        dataset.prepareDelete(DeleteOptions.standard()).executeUncommitted("id IN (2, 5)");
    try (FragmentWriter writer =
            FragmentWriter.create(
                LocalObjectStore.at(table),
                dataset.schema(),
                FragmentLimits.standard(),
                WriterOptions.defaults());
        VectorSchemaRoot rows =
            dataset.takeAddresses(new long[] {2, 1L << 32 | 1, 0}, dataset.columnNames())) {
      ((BigIntVector) rows.getVector("id")).set(0, 102);
      ((BigIntVector) rows.getVector("id")).set(2, 200);
      writer.write(rows);
      List<Fragment> written = writer.finish();
      writer.commit(
          () ->
              dataset
                  .commit()
                  .withAffectedRows(deleted.affectedRows())
                  .commit(
                      RowReplacement.of(deleted, written, new long[] {2, 5}, List.of(0, 1, 2))));
    }
    List<RowStates.State> rows = bothRead(table);
    assertThat(rows)
        .extracting(row -> row.id() + " " + row.rowId() + " " + row.created() + row.updated())
        .containsExactly(
            "0 0 11",
            "1 1 11",
            "3 3 11",
            "4 4 22",
            "5 5 23",
            "6 6 22",
            "7 7 22",
            "102 2 13",
            "200 8 33");
  }

  /** O33: one sentence says whether ids survive an update, and the tests above hold us to it. */
  @Test
  void theDocsSayThatAnUpdateKeepsRowIdsO33() throws IOException {
    Path docs = Path.of(System.getProperty("narwhal.root", "..")).resolve("docs");
    assertThat(Files.readString(docs.resolve("updating.md")))
        .contains("**An update keeps row ids** on tables that have stable ones");
  }
}
