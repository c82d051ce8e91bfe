package dev.narwhal.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.error.RowNotFoundException;
import dev.narwhal.lance.fragment.RowAddress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lance.ipc.ScanOptions;

/**
 * All that Narwhal writes and much of what real Lance writes, in turns on one table: rows come, go,
 * move and change where they are, columns come, go and get other names, all of it is replaced,
 * fragments are compacted and indices made and extended. After each step both see the rows, row
 * ids, addresses and versions of a plain model; rows are taken by their ids, and those that are
 * gone are not there; and real Lance finds rows by its indices.
 *
 * <p>{@code -Dnarwhal.soak.steps=N} does N / 30 steps on each kind of table, {@code
 * -Dnarwhal.soak.seed=N} other ones; a failure names the seed and all the steps.
 */
class WritesTurnsJudgedTest {
  @TempDir Path folder;

  @ParameterizedTest(name = "{0}, stable row ids: {1}")
  @CsvSource({"2.0,false", "2.0,true", "2.1,false", "2.1,true", "2.2,false", "2.2,true"})
  void bothSeeTheModelAfterEachStep(String version, boolean stable) throws IOException {
    int steps = Integer.getInteger("narwhal.soak.steps", 180) / 30;
    long seed = Long.getLong("narwhal.soak.seed", 31);
    Random random = new Random(1000 * seed + version.hashCode() * 2L + (stable ? 1 : 0));
    Path path = folder.resolve("table");
    TurnTable table =
        random.nextBoolean()
            ? TurnTable.created(path, version, stable, 90, random)
            : TurnTable.createdByLance(path, version, stable, 90, random);
    List<String> did = new ArrayList<>();
    for (int step = 0; step < steps; step++) {
      try {
        did.add(step(table));
      } catch (RuntimeException | IOException e) {
        throw new AssertionError("seed " + seed + ", after " + did, e);
      }
      check("seed " + seed + ": " + String.join("\n  ", did), table);
    }
  }

  private static String step(TurnTable table) throws IOException {
    OurTurns ours = new OurTurns(table);
    OurColumnTurns columns = new OurColumnTurns(table);
    TheirTurns theirs = new TheirTurns(table);
    return switch (table.random().nextInt(30)) {
      case 0, 1 -> ours.append();
      case 2 -> ours.delete();
      case 3, 4 -> ours.update();
      case 5, 6 -> ours.rewrite();
      case 7, 8, 9 -> ours.merge();
      case 10, 11, 12 -> ours.mergeInPlace();
      case 13 -> table.random().nextInt(4) == 0 ? ours.overwrite() : ours.append();
      case 14 -> columns.addNulls();
      case 15 -> columns.addComputed();
      case 16 -> columns.addGiven();
      case 17 -> columns.drop();
      case 18 -> columns.rename();
      case 19 -> columns.replaceNumber();
      case 20, 21 -> theirs.append();
      case 22 -> theirs.delete();
      case 23 -> theirs.merge();
      case 24 -> theirs.compact();
      case 25 -> theirs.addComputed();
      case 26 -> theirs.addNulls();
      case 27 -> table.random().nextInt(4) == 0 ? theirs.overwrite() : theirs.merge();
      case 28 -> theirs.index();
      default -> theirs.optimize();
    };
  }

  private static void check(String label, TurnTable table) throws IOException {
    List<RowStates.State> rows = RowStates.theirs(table.path());
    assertThat(RowStates.ours(table.path())).as(label).isEqualTo(rows);
    table.model().check(label, rows);
    try (LanceJudge judge = LanceJudge.open(table.path());
        BufferAllocator allocator = new RootAllocator()) {
      Dataset ours = table.open(allocator);
      assertThat(ours.version()).as(label).isEqualTo(judge.version());
      assertThat(OurRows.of(ours)).as(label).isEqualTo(judge.rows());
      if (table.stable()) {
        assertThat(ours.manifest().nextRowId()).as(label).isEqualTo(table.model().nextRowId());
      }
      takesById(label, table, rows, ours, judge);
      missesGoneRows(label, table, ours);
      findsByIndex(label, table, ours, judge);
    }
  }

  /** Some rows by their ids. */
  private static void takesById(
      String label, TurnTable table, List<RowStates.State> rows, Dataset ours, LanceJudge judge)
      throws IOException {
    List<RowStates.State> some = new ArrayList<>(rows);
    Collections.shuffle(some, table.random());
    some = some.subList(0, Math.min(12, some.size()));
    long[] rowIds = some.stream().mapToLong(RowStates.State::rowId).toArray();
    assertThat(ours.addressesOf(rowIds))
        .as(label)
        .containsExactly(some.stream().mapToLong(RowStates.State::address).toArray());
    List<String> columns = ours.columnNames();
    try (VectorSchemaRoot taken = ours.takeRowIds(rowIds, columns)) {
      List<String> values = new ArrayList<>();
      for (int i = 0; i < taken.getRowCount(); i++) {
        for (String column : columns) {
          values.add(column + "=" + taken.getVector(column).getObject(i));
        }
      }
      List<String> expected = new ArrayList<>();
      for (RowStates.State row : some) {
        for (String column : columns) {
          String value = column.equals("id") ? "" + row.id() : row.values().get(column);
          expected.add(column + "=" + value);
        }
      }
      assertThat(values).as(label).isEqualTo(expected);
      if (rowIds.length > 0) {
        CanonicalRows canonical = new CanonicalRows();
        canonical.add(taken);
        assertThat(judge.takeRows(Arrays.stream(rowIds).boxed().toList(), columns))
            .as(label)
            .isEqualTo(canonical.result());
      }
    }
  }

  /** Row ids that are stable are never given again. */
  private static void missesGoneRows(String label, TurnTable table, Dataset ours)
      throws IOException {
    List<Long> gone = table.model().goneRowIds();
    if (!table.stable() || gone.isEmpty()) {
      return;
    }
    long[] some = new long[5];
    Arrays.setAll(some, i -> gone.get(table.random().nextInt(gone.size())));
    some[4] = table.model().nextRowId();
    assertThat(ours.addressesOf(some)).as(label).containsOnly(RowAddress.TOMBSTONE);
    for (long rowId : some) {
      assertThatThrownBy(() -> ours.takeRowIds(new long[] {rowId}, List.of("id")))
          .as(label)
          .isInstanceOf(RowNotFoundException.class);
    }
  }

  /** Filters that an index answers where there is one. */
  private static void findsByIndex(String label, TurnTable table, Dataset ours, LanceJudge judge)
      throws IOException {
    for (int i = 0; i < 4; i++) {
      String column = i == 0 ? "id" : "n";
      String value = "" + table.random().nextInt(i == 0 ? (int) table.model().nextId() : 200);
      String filter = column + " = " + value;
      List<Long> expected = table.model().idsWith(column, value);
      assertThat(ours.countRows(filter)).as(label + ": " + filter).isEqualTo(expected.size());
      ScanOptions scan = new ScanOptions.Builder().columns(List.of("id")).filter(filter).build();
      assertThat(Arrays.stream(judge.longs(scan, "id")).sorted().boxed().toList())
          .as(label + ": " + filter)
          .isEqualTo(expected);
    }
  }
}
