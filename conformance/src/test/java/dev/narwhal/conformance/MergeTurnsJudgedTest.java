package dev.narwhal.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.narwhal.lance.write.merge.MergeOptions;
import dev.narwhal.lance.write.merge.WhenMatched;
import dev.narwhal.lance.write.merge.WhenNotMatched;
import dev.narwhal.lance.write.merge.WhenNotMatchedBySource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lance.compaction.CompactionOptions;

/**
 * Our merges, of every clause, take turns with real Lance's merges, deletes, appends and
 * compactions on one table; after each step both see the same rows, row ids and versions, and those
 * of a plain model.
 *
 * <p>{@code -Dnarwhal.soak.steps=N} does N / 3 steps on each kind of table, {@code
 * -Dnarwhal.soak.seed=N} other ones; a failure names the seed.
 */
class MergeTurnsJudgedTest {
  private static final List<WhenMatched> MATCHED =
      List.of(
          WhenMatched.updateAll(),
          WhenMatched.updateIf("source.n > target.n"),
          WhenMatched.doNothing(),
          WhenMatched.delete());

  private static final List<WhenNotMatchedBySource> BY_SOURCE =
      List.of(
          WhenNotMatchedBySource.keep(),
          WhenNotMatchedBySource.keep(),
          WhenNotMatchedBySource.deleteIf("id % 11 = 3"));

  @TempDir Path folder;

  private final TreeMap<Long, Row> model = new TreeMap<>();
  private long nextId;

  private record Row(String n, String t, long created, long updated) {}

  @ParameterizedTest(name = "stable row ids: {0}")
  @ValueSource(booleans = {false, true})
  void bothSeeTheModelAfterEachStep(boolean stable) throws IOException {
    int steps = Integer.getInteger("narwhal.soak.steps", 180) / 3;
    long seed = Long.getLong("narwhal.soak.seed", 23);
    Random random = new Random(seed);
    Path table = UpdateTables.create(folder.resolve("table"), stable, List.of(100));
    append(100, 1);
    for (int step = 0; step < steps; step++) {
      String did = step(table, random);
      String label = "seed " + seed + ", step " + step + ", " + did;
      List<RowStates.State> ours = RowStates.ours(table);
      assertThat(ours).as(label).isEqualTo(RowStates.theirs(table));
      List<String> seen = new ArrayList<>();
      for (RowStates.State row : ours) {
        seen.add(text(row.id(), new Row(row.n(), row.t(), row.created(), row.updated()), stable));
      }
      List<String> expected = new ArrayList<>();
      model.forEach((id, row) -> expected.add(text(id, row, stable)));
      assertThat(seen).as(label).isEqualTo(expected);
      if (stable) {
        assertThat(ours).as(label).extracting(RowStates.State::rowId).doesNotHaveDuplicates();
      }
    }
  }

  private static String text(long id, Row row, boolean stable) {
    String versions = stable ? " " + row.created() + " " + row.updated() : "";
    return id + " " + row.n() + " " + row.t() + versions;
  }

  private void append(int rows, long version) {
    for (int i = 0; i < rows; i++, nextId++) {
      String n = nextId % 5 == 4 ? "null" : "" + nextId;
      model.put(nextId, new Row(n, "text " + nextId, version, version));
    }
  }

  private String step(Path table, Random random) throws IOException {
    long version;
    try (LanceJudge judge = LanceJudge.open(table)) {
      version = judge.version() + 1;
    }
    int modulus = 3 + random.nextInt(7);
    int rest = random.nextInt(modulus);
    String where = "id % " + modulus + " = " + rest;
    switch (random.nextInt(8)) {
      case 0, 1, 2, 3 -> {
        return merge(table, version, random, true);
      }
      case 4 -> {
        return merge(table, version, random, false);
      }
      case 5 -> {
        try (LanceJudge judge = LanceJudge.open(table)) {
          judge.delete(where);
        }
        model.keySet().removeIf(id -> id % modulus == rest);
        return "their delete " + where;
      }
      case 6 -> {
        int rows = 1 + random.nextInt(30);
        UpdateTables.append(table, nextId, rows);
        append(rows, version);
        return "their append";
      }
      default -> {
        try (LanceJudge judge = LanceJudge.open(table)) {
          judge
              .dataset()
              .compact(CompactionOptions.builder().withTargetRowsPerFragment(80).build());
        }
        return "their compaction";
      }
    }
  }

  private String merge(Path table, long version, Random random, boolean ours) throws IOException {
    MergeCase merge =
        new MergeCase(
            List.of("id"),
            MATCHED.get(random.nextInt(MATCHED.size())),
            WhenNotMatched.INSERT,
            BY_SOURCE.get(random.nextInt(BY_SOURCE.size())));
    TreeSet<Long> ids = new TreeSet<>();
    for (int i = random.nextInt(40); i >= 0; i--) {
      ids.add((long) random.nextInt((int) nextId + 5));
    }
    nextId += 5;
    int n = random.nextInt(200);
    List<Long> rows = List.copyOf(ids);
    if (ours) {
      merge.byUs(
          table, UpdateTables.SCHEMA, batch -> fill(batch, rows, n), MergeOptions.standard());
    } else {
      merge.byThem(table, UpdateTables.SCHEMA, batch -> fill(batch, rows, n));
    }
    apply(merge, ids, n, version);
    return (ours ? "our " : "their ") + merge + " of " + rows + ", n = " + n;
  }

  private void apply(MergeCase merge, Set<Long> ids, int n, long version) {
    if (merge.notMatchedBySource() instanceof WhenNotMatchedBySource.DeleteIf) {
      model.keySet().removeIf(id -> id % 11 == 3 && !ids.contains(id));
    }
    for (long id : ids) {
      Row old = model.get(id);
      if (old == null) {
        model.put(id, new Row("" + n, "merged " + id, version, version));
      } else if (merge.matched() instanceof WhenMatched.Delete) {
        model.remove(id);
      } else if (merge.matched() instanceof WhenMatched.UpdateAll
          || (merge.matched() instanceof WhenMatched.UpdateIf
              && !old.n().equals("null")
              && n > Integer.parseInt(old.n()))) {
        model.put(id, new Row("" + n, "merged " + id, old.created(), version));
      }
    }
  }

  private static void fill(VectorSchemaRoot batch, List<Long> ids, int n) {
    batch.allocateNew();
    for (int i = 0; i < ids.size(); i++) {
      ((BigIntVector) batch.getVector("id")).setSafe(i, ids.get(i));
      ((IntVector) batch.getVector("n")).setSafe(i, n);
      byte[] text = ("merged " + ids.get(i)).getBytes(StandardCharsets.UTF_8);
      ((VarCharVector) batch.getVector("t")).setSafe(i, text);
    }
    batch.setRowCount(ids.size());
  }
}
