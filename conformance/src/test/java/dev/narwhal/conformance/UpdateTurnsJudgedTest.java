package dev.narwhal.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.write.update.UpdateResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lance.compaction.CompactionOptions;

/**
 * Our updates and column rewrites take turns with real Lance's deletes, appends, merges and
 * compactions; after each step both see the same rows, row ids and versions, and those of a plain
 * model.
 *
 * <p>{@code -Dnarwhal.soak.steps=N} does N / 3 steps on each kind of table, {@code
 * -Dnarwhal.soak.seed=N} other ones; a failure names the seed.
 */
class UpdateTurnsJudgedTest {
  @TempDir Path folder;

  /** By id; of tables without stable row ids only the values are looked at. */
  private final TreeMap<Long, Row> model = new TreeMap<>();

  private long nextId;
  private long nextRowId;

  private record Row(String n, String t, long rowId, long created, long updated) {}

  @ParameterizedTest(name = "stable row ids: {0}")
  @ValueSource(booleans = {false, true})
  void bothSeeTheModelAfterEachStep(boolean stable) throws IOException {
    int steps = Integer.getInteger("narwhal.soak.steps", 180) / 3;
    long seed = Long.getLong("narwhal.soak.seed", 11);
    Random random = new Random(seed);
    Path table = UpdateTables.create(folder.resolve("table"), stable, List.of(120));
    append(120, 1);
    try (BufferAllocator allocator = new RootAllocator()) {
      Dataset stale = Dataset.open(table.toString(), allocator);
      for (int step = 0; step < steps; step++) {
        Dataset newest = Dataset.open(table.toString(), allocator);
        String did = step(table, random.nextInt(4) == 0 ? stale : newest, newest, random);
        String label = "seed " + seed + ", step " + step + ", " + did;
        List<RowStates.State> ours = RowStates.ours(table);
        assertThat(ours).as(label).isEqualTo(RowStates.theirs(table));
        assertThat(seen(ours, stable)).as(label).isEqualTo(expected(stable));
        if (random.nextInt(3) == 0) {
          stale = newest;
        }
      }
    }
  }

  private static List<String> seen(List<RowStates.State> rows, boolean stable) {
    List<String> seen = new ArrayList<>();
    for (RowStates.State row : rows) {
      Row known = new Row(row.n(), row.t(), row.rowId(), row.created(), row.updated());
      seen.add(text(row.id(), known, stable));
    }
    return seen;
  }

  private List<String> expected(boolean stable) {
    List<String> expected = new ArrayList<>();
    model.forEach((id, row) -> expected.add(text(id, row, stable)));
    return expected;
  }

  private static String text(long id, Row row, boolean stable) {
    return id + ": " + (stable ? row : row.n() + ", " + row.t());
  }

  private void append(int rows, long version) {
    for (int i = 0; i < rows; i++) {
      String n = nextId % 5 == 4 ? "null" : "" + nextId;
      model.put(nextId, new Row(n, "text " + nextId, nextRowId++, version, version));
      nextId++;
    }
  }

  /** Ours begins at {@code read}, which may be older than the newest version. */
  private String step(Path table, Dataset read, Dataset newest, Random random) throws IOException {
    int modulus = 2 + random.nextInt(12);
    int rest = random.nextInt(modulus);
    String where = "id % " + modulus + " = " + rest;
    long version = newest.version();
    switch (random.nextInt(8)) {
      case 0, 1 -> {
        UpdateResult result =
            read.update()
                .where(where)
                .set("n", "coalesce(n, 0) + 1")
                .set("t", "t || 'u'")
                .execute();
        update(modulus, rest, result.version(), read.version());
        return "our update " + where + " on version " + read.version();
      }
      case 2, 3 -> {
        UpdateResult result =
            read.rewriteColumns()
                .where(where)
                .set("n", "coalesce(n, 0) + 1")
                .set("t", "t || 'u'")
                .execute();
        update(modulus, rest, result.version(), read.version());
        return "our rewrite of columns " + where + " on version " + read.version();
      }
      case 4 -> {
        try (LanceJudge judge = LanceJudge.open(table)) {
          judge.delete(where);
        }
        model.keySet().removeIf(id -> id % modulus == rest);
        return "their delete " + where;
      }
      case 5 -> {
        int rows = 1 + random.nextInt(30);
        UpdateTables.append(table, nextId, rows);
        append(rows, version + 1);
        return "their append";
      }
      case 6 -> {
        long[] ids =
            model.keySet().stream().filter(id -> id % modulus == rest).mapToLong(i -> i).toArray();
        if (ids.length == 0) {
          return "nothing";
        }
        UpdateTables.merge(table, ids, id -> 7, id -> "theirs");
        for (long id : ids) {
          String n = id % 5 == 4 ? "null" : "7";
          model.computeIfPresent(
              id, (k, row) -> new Row(n, "theirs", row.rowId(), row.created(), version + 1));
        }
        return "their merge " + where;
      }
      default -> {
        try (LanceJudge judge = LanceJudge.open(table)) {
          judge
              .dataset()
              .compact(CompactionOptions.builder().withTargetRowsPerFragment(100).build());
        }
        return "their compaction";
      }
    }
  }

  /**
   * What an update makes of the model. One that was carried over to a newer version did not see the
   * rows that had come meanwhile, one that was done again did: of these alone the table tells.
   */
  private void update(int modulus, int rest, long version, long readVersion) throws IOException {
    TreeMap<Long, String> now = new TreeMap<>();
    RowStates.ours(folder.resolve("table")).forEach(row -> now.put(row.id(), row.t()));
    model.replaceAll(
        (id, row) -> {
          boolean hit = id % modulus == rest;
          boolean unseen = row.created() > readVersion && row.t().equals(now.get(id));
          if (!hit || unseen) {
            return row;
          }
          String n = row.n().equals("null") ? "1" : "" + (Long.parseLong(row.n()) + 1);
          return new Row(n, row.t() + "u", row.rowId(), row.created(), version);
        });
  }
}
