package dev.narwhal.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.narwhal.conformance.TableModel.NewRow;
import dev.narwhal.lance.write.merge.MergeOptions;
import dev.narwhal.lance.write.merge.MergeResult;
import dev.narwhal.lance.write.merge.WhenMatched;
import dev.narwhal.lance.write.merge.WhenNotMatched;
import dev.narwhal.lance.write.merge.WhenNotMatchedBySource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.arrow.vector.BigIntVector;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lance.index.IndexOptions;
import org.lance.index.IndexParams;
import org.lance.index.IndexType;
import org.lance.index.OptimizeOptions;
import org.lance.index.scalar.ScalarIndexParams;
import org.lance.ipc.ScanOptions;

/**
 * Merges into tables whose key real Lance has indexed: it finds each row by its key, through the
 * index and without it, and each has the values of its own row of the source.
 */
class IndexedMergesJudgedTest {
  private static final String INDEX = "keys";
  private static final int FRAGMENTS = 16;
  private static final int ROWS = 400;
  private static final int KEYS = FRAGMENTS * ROWS;

  @TempDir Path folder;
  private final Random random = new Random(22);

  /** By key, the text that is in {@code t}, which says the key too. */
  private final TreeMap<Long, String> model = new TreeMap<>();

  /**
   * O22: keys in no order, in the table and in the source, over many fragments of which rows are
   * deleted, and of which some came after the index.
   */
  @ParameterizedTest(name = "stable row ids: {0}, in place: {1}")
  @CsvSource({"false,false", "true,false", "false,true", "true,true"})
  void eachRowMeetsItsOwnWithAnIndexO22(boolean stable, boolean inPlace) throws IOException {
    Path table = table(stable);
    mergeByUs(table, inPlace, "second");
    check(table);
    if (!stable || inPlace) {
      // else 7.0.0 makes an index with rows twice, which it cannot read, also of its own merge
      try (LanceJudge judge = LanceJudge.open(table)) {
        judge.dataset().optimizeIndices(OptimizeOptions.builder().build());
      }
      check(table);
    }
    mergeByUs(table, inPlace, "third");
    check(table);
    mergeByThem(table, stable, "fourth");
    check(table);
  }

  /** Shuffled keys, an index over all but the last four fragments, and deleted rows in all. */
  private Path table(boolean stable) throws IOException {
    Path table = folder.resolve("table");
    List<NewRow> rows = rows(LongStream.range(0, KEYS).boxed().toList(), "first");
    JudgeWriter writer = UpdateTables.writer(table, stable);
    int indexed = FRAGMENTS - 4;
    JudgeWriter.Filler first =
        (batch, fragment, count) ->
            TurnTable.fill(batch, rows.subList(fragment * ROWS, (fragment + 1) * ROWS));
    JudgeWriter.Filler rest =
        (batch, fragment, count) -> first.fill(batch, fragment + indexed, count);
    writer.create(UpdateTables.SCHEMA, Collections.nCopies(indexed, ROWS), first);
    index(table);
    writer.append(UpdateTables.SCHEMA, Collections.nCopies(FRAGMENTS - indexed, ROWS), rest);
    try (LanceJudge judge = LanceJudge.open(table)) {
      judge.delete("id % 13 = 5");
    }
    rows.forEach(row -> model.put(row.id(), row.value("t")));
    model.keySet().removeIf(id -> id % 13 == 5);
    check(table);
    return table;
  }

  private static void index(Path table) {
    try (LanceJudge judge = LanceJudge.open(table)) {
      judge
          .dataset()
          .createIndex(
              IndexOptions.builder(
                      List.of("id"),
                      IndexType.BTREE,
                      IndexParams.builder()
                          .setScalarIndexParams(ScalarIndexParams.create("btree", "{}"))
                          .build())
                  .withIndexName(INDEX)
                  .build());
    }
  }

  /** Rows for these keys in no order. */
  private List<NewRow> rows(List<Long> keys, String what) {
    List<Long> shuffled = new ArrayList<>(keys);
    Collections.shuffle(shuffled, random);
    List<NewRow> rows = new ArrayList<>();
    for (long key : shuffled) {
      rows.add(new NewRow(key, new TreeMap<>(Map.of("n", "" + key, "t", what + " " + key))));
    }
    return rows;
  }

  /** Half of the keys, deleted and new ones among them. */
  private List<NewRow> source(String what) {
    List<Long> keys = new ArrayList<>(LongStream.range(0, KEYS + 500).boxed().toList());
    Collections.shuffle(keys, random);
    List<NewRow> rows = rows(keys.subList(0, keys.size() / 2), what);
    rows.forEach(row -> model.put(row.id(), row.value("t")));
    return rows;
  }

  private static MergeCase upsert() {
    return new MergeCase(
        List.of("id"),
        WhenMatched.updateAll(),
        WhenNotMatched.INSERT,
        WhenNotMatchedBySource.keep());
  }

  private void mergeByUs(Path table, boolean inPlace, String what) throws IOException {
    int before = model.size();
    List<NewRow> rows = source(what);
    MergeCase.Filler filler = batch -> TurnTable.fill(batch, rows);
    MergeResult result =
        inPlace
            ? upsert().inPlaceByUs(table, UpdateTables.SCHEMA, filler)
            : upsert().byUs(table, UpdateTables.SCHEMA, filler, MergeOptions.standard());
    assertThat(result.insertedRows()).isEqualTo(model.size() - before);
    assertThat(result.updatedRows()).isEqualTo(rows.size() - result.insertedRows());
  }

  /**
   * With an index, 7.0.0 meets rows twice that have moved under their stable ids, also when it has
   * moved them itself (O37).
   */
  private void mergeByThem(Path table, boolean stable, String what) throws IOException {
    int before = model.size();
    List<NewRow> rows = source(what);
    if (stable) {
      try (LanceJudge judge = LanceJudge.open(table)) {
        judge.dataset().dropIndex(INDEX);
      }
    }
    MergeCase.Counts counts =
        upsert().byThem(table, UpdateTables.SCHEMA, batch -> TurnTable.fill(batch, rows));
    assertThat(counts.inserted()).isEqualTo(model.size() - before);
    if (stable) {
      index(table);
    }
  }

  private void check(Path table) throws IOException {
    List<RowStates.State> ours = RowStates.ours(table);
    assertThat(ours).isEqualTo(RowStates.theirs(table));
    assertThat(ours).hasSize(model.size());
    for (RowStates.State row : ours) {
      assertThat(row.t()).isEqualTo(model.get(row.id()));
      assertThat(row.n()).isEqualTo("" + row.id());
    }
    List<Long> keys = new ArrayList<>(LongStream.range(0, KEYS + 500).boxed().toList());
    Collections.shuffle(keys, random);
    try (LanceJudge judge = LanceJudge.open(table)) {
      for (int size : List.of(1, 3, 900)) {
        List<Long> some = keys.subList(100, 100 + size);
        String in = some.stream().map(String::valueOf).collect(Collectors.joining(", "));
        assertFinds(judge, "id IN (" + in + ")", some);
      }
      long from = keys.get(0);
      assertFinds(
          judge,
          "id >= " + from + " AND id < " + (from + 700),
          LongStream.range(from, from + 700).boxed().toList());
    }
  }

  /** Through the index and without it, the rows with these keys, and what is in them. */
  private void assertFinds(LanceJudge judge, String filter, List<Long> keys) throws IOException {
    Map<Long, String> expected = new TreeMap<>(model);
    expected.keySet().retainAll(keys);
    for (boolean index : List.of(true, false)) {
      ScanOptions scan =
          new ScanOptions.Builder()
              .columns(List.of("id", "t"))
              .filter(filter)
              .useScalarIndex(index)
              .build();
      Map<Long, String> found = new TreeMap<>();
      List<Long> twice = new ArrayList<>();
      judge.scan(
          scan,
          (batch, dictionaries) -> {
            for (int i = 0; i < batch.getRowCount(); i++) {
              long id = ((BigIntVector) batch.getVector("id")).get(i);
              if (found.put(id, batch.getVector("t").getObject(i).toString()) != null) {
                twice.add(id);
              }
            }
          });
      assertThat(found).as(filter).isEqualTo(expected);
      assertThat(twice).as(filter).isEmpty();
    }
  }
}
