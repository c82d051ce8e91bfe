package dev.narwhal.conformance;

import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.scan.BatchReader;
import dev.narwhal.lance.scan.ScanOptions;
import dev.narwhal.lance.scan.SystemColumns;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * All that is known of each row of tables with the columns {@code id}, {@code n} and {@code t}, and
 * perhaps others.
 */
final class RowStates {
  private static final List<String> VERSIONS =
      List.of(SystemColumns.ROW_CREATED_AT_VERSION, SystemColumns.ROW_LAST_UPDATED_AT_VERSION);

  private RowStates() {}

  /**
   * One row.
   *
   * @param rowId the stable id, or else the address
   * @param others texts of the values in other columns, by their names
   */
  record State(
      long id,
      String n,
      String t,
      long rowId,
      long address,
      long created,
      long updated,
      SortedMap<String, String> others) {
    State(long id, String n, String t, long rowId, long address, long created, long updated) {
      this(id, n, t, rowId, address, created, updated, new TreeMap<>());
    }

    /** The row's values but that of {@code id}, by column. */
    SortedMap<String, String> values() {
      SortedMap<String, String> values = new TreeMap<>(others);
      values.put("n", n);
      values.put("t", t);
      return values;
    }

    /** The same as it would be anywhere else. */
    State withoutPlace(boolean stableRowIds) {
      return new State(id, n, t, stableRowIds ? rowId : 0, 0, created, updated, others);
    }
  }

  /** As Narwhal reads them, by id. */
  static List<State> ours(Path table) throws IOException {
    try (BufferAllocator allocator = new RootAllocator()) {
      Dataset dataset = Dataset.open(table.toString(), allocator);
      ScanOptions options =
          ScanOptions.of(columns(dataset.columnNames())).withRowAddress().withRowId();
      List<State> states = new ArrayList<>();
      try (BatchReader reader = dataset.scan(options).read(allocator)) {
        while (reader.next()) {
          add(reader.batch(), states);
        }
      }
      return sorted(states);
    }
  }

  /** As real Lance reads them, by id. */
  static List<State> theirs(Path table) throws IOException {
    List<State> states = new ArrayList<>();
    try (LanceJudge judge = LanceJudge.open(table)) {
      judge.scan(
          new org.lance.ipc.ScanOptions.Builder()
              .columns(columns(judge.schema().getFields().stream().map(Field::getName).toList()))
              .withRowAddress(true)
              .withRowId(true)
              .build(),
          (batch, dictionaries) -> add(batch, states));
    }
    return sorted(states);
  }

  static List<State> withoutPlaces(List<State> states, boolean stableRowIds) {
    return states.stream().map(state -> state.withoutPlace(stableRowIds)).toList();
  }

  private static List<String> columns(List<String> table) {
    return Stream.concat(table.stream(), VERSIONS.stream()).toList();
  }

  private static List<State> sorted(List<State> states) {
    return states.stream()
        .sorted(Comparator.comparingLong(State::id).thenComparingLong(State::address))
        .toList();
  }

  private static void add(VectorSchemaRoot batch, List<State> states) {
    for (int row = 0; row < batch.getRowCount(); row++) {
      SortedMap<String, String> others = new TreeMap<>();
      for (FieldVector vector : batch.getFieldVectors()) {
        String name = vector.getName();
        if (!SystemColumns.contains(name) && !List.of("id", "n", "t").contains(name)) {
          others.put(name, String.valueOf(vector.getObject(row)));
        }
      }
      states.add(
          new State(
              ((BigIntVector) batch.getVector("id")).get(row),
              String.valueOf(batch.getVector("n").getObject(row)),
              String.valueOf(batch.getVector("t").getObject(row)),
              unsigned(batch, SystemColumns.ROW_ID, row),
              unsigned(batch, SystemColumns.ROW_ADDRESS, row),
              unsigned(batch, SystemColumns.ROW_CREATED_AT_VERSION, row),
              unsigned(batch, SystemColumns.ROW_LAST_UPDATED_AT_VERSION, row),
              others));
    }
  }

  private static long unsigned(VectorSchemaRoot batch, String column, int row) {
    return ((BaseIntVector) batch.getVector(column)).getValueAsLong(row);
  }
}
