package dev.narwhal.iceberg.rowdelete;

import static org.apache.iceberg.types.Types.NestedField.optional;
import static org.apache.iceberg.types.Types.NestedField.required;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.narwhal.iceberg.rowdelete.commit.ChangeReport;
import dev.narwhal.iceberg.rowdelete.commit.PreparedChange;
import dev.narwhal.iceberg.rowdelete.plan.DeleteMode;
import dev.narwhal.iceberg.rowdelete.plan.NothingToDeleteException;
import dev.narwhal.puffin.PuffinFormatException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Changes that meet a table that others have changed since they were prepared. */
class ConcurrentChangesTest {
  private static final Schema SCHEMA =
      new Schema(
          required(1, "id", Types.LongType.get()), optional(2, "part", Types.IntegerType.get()));

  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void nothingLeaks() {
    allocator.close();
  }

  private static MemoryTable table(int formatVersion, Map<String, String> properties) {
    MemoryTable memory =
        MemoryTable.create(
            formatVersion,
            SCHEMA,
            PartitionSpec.builderFor(SCHEMA).identity("part").build(),
            properties);
    memory.append(rows(memory, 0, 10, 0));
    memory.append(rows(memory, 10, 20, 1));
    return memory;
  }

  private static MemoryTable table(int formatVersion) {
    return table(formatVersion, Map.of());
  }

  private static List<Record> rows(MemoryTable memory, int from, int to, @Nullable Integer part) {
    return IntStream.range(from, to).mapToObj(i -> memory.record((long) i, part)).toList();
  }

  private PreparedChange prepare(MemoryTable memory, String where, DeleteMode mode)
      throws IOException {
    RowDeletes deletes = new RowDeletes(memory.table, allocator);
    return deletes.prepareDelete(deletes.matcher(where), mode);
  }

  private PreparedChange prepare(MemoryTable memory, String where) throws IOException {
    return prepare(memory, where, DeleteMode.MERGE_ON_READ);
  }

  private void elsewhere(MemoryTable memory, String where) throws IOException {
    prepare(memory.otherClient(), where).commit();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void deletesOfDistinctRowsOfOneFileBothCount_O45(int formatVersion) throws IOException {
    MemoryTable memory = table(formatVersion);
    PreparedChange change = prepare(memory, "id IN (3, 13)");
    List<String> first = List.copyOf(change.locations());
    elsewhere(memory, "id = 4");

    ChangeReport report = change.commit();

    assertThat(report.deletedRows()).hasValue(2);
    assertThat(memory.ids()).hasSize(17).doesNotContain(3L, 4L, 13L);
    if (formatVersion == 3) {
      assertThat(memory.deletes())
          .extracting(DeleteFile::recordCount)
          .containsExactlyInAnyOrder(2L, 1L);
      assertThat(report.deleteFilesRemoved()).isEqualTo(1);
    }
    assertThat(memory.files.dataFiles()).noneMatch(file -> first.stream().anyMatch(file::endsWith));
  }

  @Test
  void deletesOfTheSameRowsAreCountedOnce() throws IOException {
    MemoryTable memory = table(3);
    PreparedChange change = prepare(memory, "id IN (3, 4)");
    elsewhere(memory, "id IN (4, 5)");
    assertThat(change.commit().deletedRows()).hasValue(1);
    assertThat(memory.deletes()).extracting(DeleteFile::recordCount).containsExactly(3L);

    PreparedChange late = prepare(memory, "id = 7");
    List<String> before = memory.files.dataFiles();
    elsewhere(memory, "id = 7");
    assertThatThrownBy(late::commit)
        .isInstanceOf(NothingToDeleteException.class)
        .hasMessageContaining("id = 7");
    assertThat(memory.files.dataFiles()).hasSameSizeAs(before);
  }

  @Test
  void theLastRowsOfAFileTakeItAlongWhoeverDeletesThem() throws IOException {
    MemoryTable memory = table(3);
    PreparedChange change = prepare(memory, "id < 5");
    elsewhere(memory, "id BETWEEN 5 AND 9");

    ChangeReport report = change.commit();

    assertThat(report.dataFilesRemoved()).isEqualTo(1);
    assertThat(memory.dataFiles()).hasSize(1);
    assertThat(memory.deletes()).isEmpty();
  }

  @Test
  void aFileThatAnotherDeleteRemovedIsNoConflictForADelete() throws IOException {
    MemoryTable memory = table(3);
    PreparedChange change = prepare(memory, "id IN (3, 13)");
    elsewhere(memory, "part = 0");
    assertThat(change.commit().deletedRows()).hasValue(1);
    assertThat(memory.ids()).hasSize(9);
  }

  @Test
  void manyDeletesOfOneFileUniteOneAfterTheOther() throws IOException {
    MemoryTable memory = table(3);
    List<PreparedChange> changes = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      changes.add(prepare(memory.otherClient(), "id = " + i));
    }
    for (PreparedChange change : changes) {
      change.commit();
    }
    assertThat(memory.deletes()).extracting(DeleteFile::recordCount).containsExactly(8L);
    assertThat(memory.ids()).hasSize(12);
  }

  @Test
  void aCommitThatIsBeatenAtTheLastMomentGoesAgain() throws IOException {
    MemoryTable memory = table(3);
    PreparedChange change = prepare(memory, "id = 3");
    memory.operations.beforeNextCommit(() -> unchecked(() -> elsewhere(memory, "id = 4")));

    ChangeReport report = change.commit();

    assertThat(report.attempts()).isEqualTo(2);
    assertThat(memory.deletes()).extracting(DeleteFile::recordCount).containsExactly(2L);
    assertThat(memory.files.dataFiles()).hasSize(4);
  }

  @Test
  void attemptsAreBounded() throws IOException {
    MemoryTable memory = table(3, Map.of("commit.retry.num-retries", "2"));
    PreparedChange change = prepare(memory, "id = 3");
    int[] others = {0};
    Runnable[] other = new Runnable[1];
    other[0] =
        () -> {
          unchecked(() -> elsewhere(memory, "id = " + (10 + others[0]++)));
          memory.operations.beforeNextCommit(other[0]);
        };
    memory.operations.beforeNextCommit(other[0]);

    assertThatThrownBy(change::commit)
        .isInstanceOf(CommitFailedException.class)
        .hasMessageContaining("id = 3");

    assertThat(memory.ids()).contains(3L).hasSize(20 - others[0]);
    assertThat(memory.files.dataFiles()).hasSize(2 + others[0]);
  }

  private interface Throwing {
    void run() throws IOException;
  }

  private static void unchecked(Throwing what) {
    try {
      what.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aVectorOfAnUpdateIsAConflict_O45() throws IOException {
    MemoryTable memory = table(3);
    PreparedChange change = prepare(memory, "id = 3");
    MemoryTable other = memory.otherClient();
    DataFile file = other.dataFiles().get(0);
    other
        .table
        .newRowDelta()
        .validateFromSnapshot(other.table.currentSnapshot().snapshotId())
        .addDeletes(new ForeignDeletes(other).vector(file, 7))
        .addRows(memory.write(memory.table.spec(), key(memory, 0), rows(memory, 7, 8, 0)))
        .commit();

    assertThatThrownBy(change::commit)
        .isInstanceOf(ValidationException.class)
        .hasMessageContaining("delete of id = 3")
        .hasMessageContaining("overwrite of snapshot");

    assertThat(memory.ids()).hasSize(20);
    assertThat(memory.files.dataFiles()).hasSize(4);
  }

  private static org.apache.iceberg.PartitionKey key(MemoryTable memory, int part) {
    org.apache.iceberg.PartitionKey key =
        new org.apache.iceberg.PartitionKey(memory.table.specs().get(0), SCHEMA);
    key.set(0, part);
    return key;
  }

  @Test
  void aVectorThatTheFilterRulesOutIsSeenAllTheSame_O2() throws IOException {
    MemoryTable memory = table(3);
    // rows of a file in part 1, deleted by a condition on part 0 and the id
    PreparedChange change = prepare(memory, "part = 0 OR id = 13");
    MemoryTable other = memory.otherClient();
    other
        .table
        .newRowDelta()
        .validateFromSnapshot(other.table.currentSnapshot().snapshotId())
        .conflictDetectionFilter(Expressions.equal("part", 0))
        .addDeletes(new ForeignDeletes(other).vector(other.dataFiles().get(1), 4, 5))
        .commit();

    change.commit();

    assertThat(memory.deletes()).extracting(DeleteFile::recordCount).containsExactly(3L);
    assertThat(memory.ids()).hasSize(7);
  }

  @Test
  void serializableDeletesSeeRowsThatWereAddedMeanwhile() throws IOException {
    MemoryTable memory = table(3);
    PreparedChange change = prepare(memory, "id = 3 OR id > 100");
    PreparedChange unconcerned = prepare(memory, "id = 4");
    memory.otherClient().append(rows(memory, 200, 210, 1));

    assertThatThrownBy(change::commit)
        .isInstanceOf(ValidationException.class)
        .hasMessageContaining("may match");
    unconcerned.commit();

    assertThat(memory.ids()).hasSize(29).doesNotContain(4L);
  }

  @Test
  void withSnapshotIsolationRowsAddedMeanwhileStay() throws IOException {
    MemoryTable memory = table(3, Map.of("write.delete.isolation-level", "snapshot"));
    PreparedChange change = prepare(memory, "id = 3 OR id > 100");
    memory.otherClient().append(rows(memory, 200, 210, 1));
    change.commit();
    assertThat(memory.ids()).hasSize(29).contains(200L).doesNotContain(3L);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void rewritesOfDistinctFilesOfOnePartitionBothCommit_O47(int formatVersion) throws IOException {
    MemoryTable memory = table(formatVersion);
    memory.append(rows(memory, 20, 30, 0));
    PreparedChange change = prepare(memory, "id = 3", DeleteMode.COPY_ON_WRITE);
    prepare(memory.otherClient(), "id = 23", DeleteMode.COPY_ON_WRITE).commit();
    change.commit();
    assertThat(memory.ids()).hasSize(28);

    PreparedChange rewrite = prepare(memory, "id = 4", DeleteMode.COPY_ON_WRITE);
    MemoryTable other = memory.otherClient();
    other
        .table
        .newRowDelta()
        .addDeletes(
            new ForeignDeletes(other)
                .equality(key(memory, 0), List.of("id"), rows(memory, 5, 6, 0)))
        .commit();
    assertThatThrownBy(rewrite::commit)
        .isInstanceOf(ValidationException.class)
        .hasMessageContaining("by equality");
    // a delete in place lives with it
    prepare(memory, "id = 4").commit();
    assertThat(memory.ids()).hasSize(26);
  }

  @ParameterizedTest
  @CsvSource({"2, MERGE_ON_READ", "3, MERGE_ON_READ", "3, COPY_ON_WRITE"})
  void aRewriteOfTheFileMeanwhileIsAConflict(int formatVersion, DeleteMode mode)
      throws IOException {
    MemoryTable memory = table(formatVersion);
    PreparedChange change = prepare(memory, "id = 3", mode);
    prepare(memory.otherClient(), "id = 4", DeleteMode.COPY_ON_WRITE).commit();
    List<String> before = memory.files.dataFiles();

    assertThatThrownBy(change::commit)
        .isInstanceOf(ValidationException.class)
        .hasMessageContaining("it removed or replaced this file");

    assertThat(memory.ids()).hasSize(19).contains(3L);
    assertThat(memory.files.dataFiles()).hasSize(before.size() - 1);
  }

  @Test
  void aChangeThatIsAbortedLeavesNothing() throws IOException {
    MemoryTable memory = table(3);
    List<String> before = memory.files.dataFiles();
    for (DeleteMode mode : DeleteMode.values()) {
      PreparedChange change = prepare(memory, "id = 3", mode);
      assertThat(memory.files.dataFiles()).hasSize(before.size() + 1);
      assertThat(change.counts().bytesWritten()).isPositive();
      change.abort();
      assertThat(memory.files.dataFiles()).isEqualTo(before);
      assertThatThrownBy(change::commit).isInstanceOf(IllegalStateException.class);
    }
    assertThat(memory.ids()).hasSize(20);
  }

  @Test
  void whereNobodyKnowsWhetherItLandedAllStays() throws IOException {
    MemoryTable memory = table(3);
    PreparedChange change = prepare(memory, "id = 3");
    memory.operations.loseReplies();

    assertThatThrownBy(change::commit).isInstanceOf(CommitStateUnknownException.class);

    assertThat(memory.otherClient().ids()).hasSize(19);
    assertThat(Set.copyOf(memory.files.dataFiles())).hasSize(3);
    assertThatThrownBy(change::abort)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("UNKNOWN");
  }

  @Test
  void aDamagedVectorOfAnotherCommitIsAnErrorAndLeavesNothing() throws IOException {
    MemoryTable memory = table(3);
    PreparedChange change = prepare(memory, "id = 3");
    elsewhere(memory, "id = 4");
    DeleteFile vector = memory.deletes().get(0);
    byte[] bytes = memory.files.bytes(vector.location());
    bytes[Math.toIntExact(vector.contentOffset()) + 20] ^= 1;
    memory.files.put(vector.location(), bytes);

    assertThatThrownBy(change::commit)
        .isInstanceOf(PuffinFormatException.class)
        .hasMessageContaining(vector.location());

    assertThat(memory.files.dataFiles()).hasSize(3);
    assertThatThrownBy(change::commit)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("ABORTED");
  }

  @Test
  void aTableThatWasRolledBackOrUpgradedIsAConflict() throws IOException {
    MemoryTable memory = table(2);
    long first = memory.table.history().get(0).snapshotId();
    PreparedChange change = prepare(memory, "id = 13");
    PreparedChange other = prepare(memory, "id = 14");
    memory.otherClient().table.manageSnapshots().rollbackTo(first).commit();
    assertThat(memory.otherClient().table.currentSnapshot().snapshotId()).isEqualTo(first);
    assertThatThrownBy(change::commit)
        .isInstanceOf(ValidationException.class)
        .hasMessageContaining("not among the ancestors");

    memory.otherClient().table.updateProperties().set("format-version", "3").commit();
    assertThatThrownBy(other::commit)
        .isInstanceOf(ValidationException.class)
        .hasMessageContaining("format version 2");
  }
}
