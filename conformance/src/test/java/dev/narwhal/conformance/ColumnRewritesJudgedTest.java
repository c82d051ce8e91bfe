package dev.narwhal.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.error.PredicateEvaluationException;
import dev.narwhal.lance.fragment.DataFile;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.manifest.IndexMetadata;
import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.transaction.Operation;
import dev.narwhal.lance.transaction.PatchedOffsetsCodec;
import dev.narwhal.lance.write.RowSource;
import dev.narwhal.lance.write.merge.WhenMatched;
import dev.narwhal.lance.write.merge.WhenNotMatched;
import dev.narwhal.lance.write.update.UpdateOptions;
import dev.narwhal.lance.write.update.UpdateResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lance.index.IndexOptions;
import org.lance.index.IndexParams;
import org.lance.index.IndexType;
import org.lance.index.scalar.ScalarIndexParams;
import org.lance.ipc.ScanOptions;

/** Columns written anew in place: what real Lance reads of them, and does on top of them. */
class ColumnRewritesJudgedTest {
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

  private static long dataFiles(Path table) throws IOException {
    try (Stream<Path> files = Files.list(table.resolve("data"))) {
      return files.count();
    }
  }

  private Operation.Update last(Path table) throws IOException {
    Dataset dataset = open(table);
    return (Operation.Update) dataset.transaction(dataset.version()).orElseThrow().operation();
  }

  @ParameterizedTest(name = "stable row ids: {0}, where {1}")
  @CsvSource({
    "true, id % 7 = 2 OR id BETWEEN 100 AND 149",
    "false, id % 7 = 2 OR id BETWEEN 100 AND 149",
    "true, true",
    "false, id >= 0",
    "true, id = 249",
  })
  void givesMatchedRowsNewValuesWhereTheyAre(boolean stable, String where) throws IOException {
    Path table = UpdateTables.create(folder.resolve("table"), stable, List.of(100, 50, 100));
    try (LanceJudge judge = LanceJudge.open(table)) {
      judge.delete("id % 10 = 3 AND id < 100");
    }
    List<RowStates.State> before = bothRead(table);
    long matched = open(table).countRows(where);

    UpdateResult result =
        open(table)
            .rewriteColumns()
            .where(where)
            .set("t", "upper(t) || '!'")
            .set("n", "n * 2 + 1")
            .execute();

    assertThat(result.version()).isEqualTo(5);
    assertThat(result.updatedRows()).isEqualTo(matched);
    assertThat(result.fragmentsAdded() + result.fragmentsDropped()).isZero();
    List<RowStates.State> after = bothRead(table);
    assertThat(after).hasSameSizeAs(before);
    long changed = 0;
    for (int i = 0; i < before.size(); i++) {
      RowStates.State old = before.get(i);
      RowStates.State now = after.get(i);
      if (now.equals(old)) {
        continue;
      }
      changed++;
      String n = old.n().equals("null") ? "null" : "" + (Integer.parseInt(old.n()) * 2 + 1);
      assertThat(now)
          .isEqualTo(
              new RowStates.State(
                  old.id(),
                  n,
                  old.t().toUpperCase(java.util.Locale.ROOT) + "!",
                  old.rowId(),
                  old.address(),
                  old.created(),
                  stable ? 5 : old.updated()));
    }
    assertThat(changed).isEqualTo(matched);
    Operation.Update operation = last(table);
    assertThat(operation.mode()).isEqualTo(Operation.UpdateMode.REWRITE_COLUMNS);
    assertThat(operation.fieldsModified()).containsExactly(1, 2);
    assertThat(operation.fieldsForPreservingFragmentBitmap()).isEmpty();
    assertThat(operation.newFragments()).isEmpty();
    for (Fragment fragment : operation.updatedFragments()) {
      assertThat(fragment.files()).hasSize(2);
      assertThat(fragment.files().get(0).fields())
          .containsExactly(0, DataFile.REPLACED, DataFile.REPLACED);
      assertThat(fragment.files().get(1).fields()).containsExactly(1, 2);
    }
    // real Lance goes on: the rows are found by the new values, and compacted
    try (LanceJudge judge = LanceJudge.open(table)) {
      assertThat(judge.countRows("t LIKE '%!'")).isEqualTo(matched);
      judge.delete("t LIKE '%!'");
      judge.dataset().compact();
    }
    assertThat(bothRead(table)).hasSize((int) (before.size() - matched));
  }

  @Test
  void rewritesAgainWhatWasRewritten() throws IOException {
    Path table = UpdateTables.create(folder.resolve("table"), true, List.of(100, 100));
    open(table).rewriteColumns().where("id % 2 = 0").set("n", "1").execute();
    open(table).rewriteColumns().where("id % 3 = 0").set("n", "coalesce(n, 0) + 10").execute();
    open(table).rewriteColumns().set("id", "id + 1000").set("t", "'all'").execute();
    Dataset dataset = open(table);
    for (Fragment fragment : dataset.fragments()) {
      // of the first file nothing is left, of the second neither
      assertThat(fragment.files()).hasSize(2);
    }
    List<RowStates.State> rows = bothRead(table);
    for (int i = 0; i < 200; i++) {
      RowStates.State row = rows.get(i);
      assertThat(row.id()).isEqualTo(1000 + i);
      assertThat(row.updated()).isEqualTo(5);
      assertThat(row.rowId()).isEqualTo(i);
      if (i % 6 == 0) {
        assertThat(row.n()).isEqualTo("11");
      }
    }
  }

  /** O30: a column update advances the version of exactly the rows that it changes. */
  @Test
  void advancesOnlyMatchedRowsO30() throws IOException {
    Path table = UpdateTables.create(folder.resolve("table"), true, List.of(3));
    open(table).rewriteColumns().where("id = 1").set("n", "7").execute();
    assertThat(bothRead(table)).extracting(RowStates.State::updated).containsExactly(1L, 2L, 1L);
  }

  /** O31: an update keeps the row id and advances the version. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void keepsRowIdsO31(boolean inPlace) throws IOException {
    Path table = UpdateTables.create(folder.resolve("table"), true, List.of(4));
    if (inPlace) {
      open(table).rewriteColumns().where("id = 1").set("t", "'x'").execute();
    } else {
      open(table).update().where("id = 1").set("t", "'x'").execute();
    }
    List<RowStates.State> rows = bothRead(table);
    assertThat(rows).extracting(RowStates.State::rowId).containsExactly(0L, 1L, 2L, 3L);
    assertThat(rows).extracting(RowStates.State::updated).containsExactly(1L, 2L, 1L, 1L);
    assertThat(rows).extracting(RowStates.State::created).containsOnly(1L);
  }

  /** O41: only indices on a rewritten column lose the fragment. */
  @Test
  void takesTheFragmentFromIndicesOfTheColumnO41() throws IOException {
    Path table = UpdateTables.create(folder.resolve("table"), false, List.of(100, 100));
    index(table, "n");
    index(table, "id");
    open(table).rewriteColumns().where("id = 150").set("n", "-5").execute();
    Dataset dataset = open(table);
    for (IndexMetadata index : dataset.indices()) {
      boolean onN = index.fields().equals(List.of(1));
      assertThat(index.fragmentBitmap().orElseThrow().contains(0)).isTrue();
      assertThat(index.fragmentBitmap().orElseThrow().contains(1)).isEqualTo(!onN);
    }
    try (LanceJudge judge = LanceJudge.open(table)) {
      assertThat(judge.countRows("n = -5")).isEqualTo(1);
      assertThat(judge.countRows("n = 150")).isZero();
      assertThat(judge.countRows("id = 150")).isEqualTo(1);
    }
  }

  private void index(Path table, String column) {
    try (LanceJudge judge = LanceJudge.open(table)) {
      judge
          .dataset()
          .createIndex(
              IndexOptions.builder(
                      List.of(column),
                      IndexType.BTREE,
                      IndexParams.builder()
                          .setScalarIndexParams(ScalarIndexParams.create("btree", "{}"))
                          .build())
                  .build());
    }
  }

  private void assertOnlyTheIndexOnNLacksTheNewFragment(Path table) throws IOException {
    for (IndexMetadata index : open(table).indices()) {
      boolean onN = index.fields().equals(List.of(1));
      assertThat(index.fragmentBitmap().orElseThrow().contains(2)).isEqualTo(!onN);
    }
  }

  /** An index on another column adopts the new fragment of moved rows where ids are stable. */
  @Test
  void anUpdateLeavesIndicesOfOtherColumnsComplete() throws IOException {
    Path table = UpdateTables.create(folder.resolve("table"), true, List.of(100, 100));
    index(table, "id");
    index(table, "n");
    open(table).update().where("id IN (7, 150)").set("n", "-5").execute();
    assertOnlyTheIndexOnNLacksTheNewFragment(table);
    try (LanceJudge judge = LanceJudge.open(table)) {
      assertThat(judge.countRows("n = -5")).isEqualTo(2);
      assertThat(judge.countRows("n = 7")).isZero();
      assertThat(judge.countRows("id = 7")).isEqualTo(1);
    }
  }

  /** The same for a merge: the key cannot have changed, nor columns that the source lacks. */
  @Test
  void aMergeLeavesIndicesOfUnchangedColumnsComplete() throws IOException {
    Path table = UpdateTables.create(folder.resolve("table"), true, List.of(100, 100));
    index(table, "id");
    index(table, "t");
    index(table, "n");
    Schema given = new Schema(UpdateTables.SCHEMA.getFields().subList(0, 2));
    try (VectorSchemaRoot source = VectorSchemaRoot.create(given, allocator)) {
      for (int row = 0; row < 2; row++) {
        ((BigIntVector) source.getVector("id")).setSafe(row, row == 0 ? 7 : 150);
        ((IntVector) source.getVector("n")).setSafe(row, -5);
      }
      source.setRowCount(2);
      open(table)
          .mergeInsert("id")
          .whenMatched(WhenMatched.updateAll())
          .whenNotMatched(WhenNotMatched.DO_NOTHING)
          .execute(RowSource.of(source));
    }
    assertOnlyTheIndexOnNLacksTheNewFragment(table);
    try (LanceJudge judge = LanceJudge.open(table)) {
      assertThat(judge.countRows("n = -5")).isEqualTo(2);
      assertThat(judge.countRows("n = 7")).isZero();
      assertThat(judge.countRows("t = 'text 7'")).isEqualTo(1);
      assertThat(judge.countRows("id IN (7, 150)")).isEqualTo(2);
    }
    UpdateTables.merge(table, new long[] {7, 8}, id -> 5, id -> "theirs");
    assertThat(open(table).countRows("id IN (7, 8) AND n = 5")).isEqualTo(2);
    assertThat(open(table).countRows()).isEqualTo(200);
  }

  /** Arrow's own appender cannot join large lists. */
  @ParameterizedTest
  @ValueSource(strings = {"2.0", "2.1", "2.2"})
  void patchesListsOfBothWidths(String version) throws IOException {
    Path table = folder.resolve("table");
    List<Field> fields = new ArrayList<>(List.of(UpdateTables.SCHEMA.getFields().get(0)));
    for (ArrowType type : List.of(new ArrowType.List(), new ArrowType.LargeList())) {
      Field item = Field.nullable("item", ArrowType.Utf8.INSTANCE);
      fields.add(new Field("l" + fields.size(), FieldType.nullable(type), List.of(item)));
    }
    JudgeWriter.at(table, version)
        .create(
            new Schema(fields),
            List.of(90),
            (batch, fragment, rows) -> {
              ListVector lists = (ListVector) batch.getVector("l1");
              LargeListVector large = (LargeListVector) batch.getVector("l2");
              for (int row = 0; row < rows; row++) {
                ((BigIntVector) batch.getVector("id")).setSafe(row, row);
                byte[] text = ("text " + row).getBytes(StandardCharsets.US_ASCII);
                int items = row % 4;
                int first = lists.startNewValue(row);
                int firstLarge = (int) large.startNewValue(row);
                for (int i = 0; i < items; i++) {
                  ((VarCharVector) lists.getDataVector()).setSafe(first + i, text);
                  ((VarCharVector) large.getDataVector()).setSafe(firstLarge + i, text);
                }
                lists.endValue(row, items);
                large.endValue(row, items);
                if (row % 5 == 3) {
                  lists.setNull(row);
                }
              }
              batch.setRowCount(rows);
            });
    List<String> before = Texts.read(table);
    open(table).rewriteColumns().where("id % 3 = 1").set("l1", "l1").set("l2", "l2").execute();
    assertThat(Texts.read(table)).isEqualTo(before);
    try (LanceJudge judge = LanceJudge.open(table)) {
      assertThat(Texts.of(judge, new ScanOptions.Builder().build())).isEqualTo(before);
    }
  }

  @Test
  void startsAgainAfterAnotherCommitOnTheFragment() throws IOException {
    Path table = UpdateTables.create(folder.resolve("table"), true, List.of(100, 100));
    Dataset read = open(table);
    UpdateTables.merge(table, new long[] {10}, id -> -7, id -> "theirs");
    try (LanceJudge judge = LanceJudge.open(table)) {
      judge.delete("id = 20");
    }
    long files = dataFiles(table);
    UpdateResult result =
        read.rewriteColumns().where("id % 10 = 0 AND id < 100").set("t", "t || '+'").execute();
    assertThat(result.version()).isEqualTo(5);
    assertThat(result.updatedRows()).isEqualTo(9);
    assertThat(result.attempts()).isEqualTo(2);
    assertThat(dataFiles(table)).isEqualTo(files + 2);
    List<RowStates.State> rows = bothRead(table);
    assertThat(rows.get(10).t()).isEqualTo("theirs+");
    assertThat(rows.get(0).t()).isEqualTo("text 0+");
    assertThat(rows).hasSize(199);
  }

  @Test
  void tellsTheRowsInFieldTenOrElseInFieldNine() throws IOException {
    Path ten = UpdateTables.create(folder.resolve("ten"), true, List.of(100_000));
    Path nine = UpdateTables.copy(ten, folder.resolve("nine"));
    String where = "id < 86000";
    open(ten).rewriteColumns().where(where).set("n", "1").execute();
    open(nine).rewriteColumns().where(where).set("n", "1").withOffsetLists().execute();
    Map<Long, DeletionVector> rows = PatchedOffsetsCodec.decode(last(ten));
    assertThat(rows).containsOnlyKeys(0L);
    assertThat(rows.values()).extracting(DeletionVector::cardinality).containsExactly(86_000L);
    assertThat(PatchedOffsetsCodec.decode(last(nine))).isEqualTo(rows);
    assertThat(last(ten).unknown().toByteArray().length).isLessThan(100);
    assertThat(last(nine).unknown().toByteArray().length).isGreaterThan(200_000);
    assertThat(bothRead(ten)).isEqualTo(bothRead(nine));
    try (LanceJudge judge = LanceJudge.open(nine)) {
      assertThat(judge.dataset().readTransaction()).isPresent();
    }
    try (LanceJudge judge = LanceJudge.open(ten)) {
      assertThat(judge.dataset().readTransaction()).isPresent();
    }
  }

  @Test
  void refusesOffsetsThatAreNoneOrOutOfTheFragment() throws IOException {
    Path table = UpdateTables.create(folder.resolve("table"), true, List.of(100));
    Fragment fragment = open(table).fragments().get(0);
    UnknownFields past = PatchedOffsetsCodec.encode(Map.of(0L, DeletionVector.ofOffsets(5, 100)));
    assertThatThrownBy(() -> open(table).commit().commit(columns(fragment, past)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("row offset 100 is not in [0, 100)");
    UnknownFields all = PatchedOffsetsCodec.encode(Map.of(0L, DeletionVector.ofOffsets(5, 99)));
    byte[] garbage = all.toByteArray();
    garbage[garbage.length - 6] ^= 0x40;
    assertThatThrownBy(
            () -> open(table).commit().commit(columns(fragment, UnknownFields.of(garbage))))
        .hasMessageContaining("updated offsets of fragment 0");
    assertThat(open(table).version()).isEqualTo(1);
    open(table).commit().commit(columns(fragment, all));
    List<RowStates.State> rows = bothRead(table);
    for (RowStates.State row : rows) {
      assertThat(row.updated()).isEqualTo(row.id() == 5 || row.id() == 99 ? 2 : 1);
    }
  }

  private static Operation.Update columns(Fragment fragment, UnknownFields told) {
    return new Operation.Update(
        List.of(),
        List.of(fragment),
        List.of(),
        List.of(1),
        List.of(),
        Operation.UpdateMode.REWRITE_COLUMNS,
        List.of(),
        Optional.empty(),
        told);
  }

  @Test
  void aRowWithoutAResultLeavesNothingBehind() throws IOException {
    Path table = UpdateTables.create(folder.resolve("table"), false, List.of(100, 100));
    assertThatThrownBy(() -> open(table).rewriteColumns().set("n", "1000 / (id - 150)").execute())
        .isInstanceOf(PredicateEvaluationException.class)
        .hasMessageContaining("fragment 1, row offset 50");
    assertThat(dataFiles(table)).isEqualTo(2);
    UpdateResult none = open(table).rewriteColumns().where("id = -1").set("n", "1").execute();
    assertThat(none).isEqualTo(new UpdateResult(2, 0, 0, 0, 0, 0, 0));
    UpdateResult dry =
        open(table)
            .rewriteColumns()
            .where("id < 150")
            .set("n", "1")
            .withOptions(UpdateOptions.standard().asDryRun())
            .execute();
    assertThat(dry).isEqualTo(new UpdateResult(2, 150, 2, 0, 0, 0, 0));
    assertThat(dataFiles(table)).isEqualTo(2);
  }
}
