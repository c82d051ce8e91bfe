package dev.narwhal.iceberg.rowdelete;

import static org.assertj.core.api.Assertions.assertThat;

import dev.narwhal.iceberg.export.DatasetExport;
import dev.narwhal.iceberg.export.ExportOptions;
import dev.narwhal.iceberg.export.Strategy;
import dev.narwhal.iceberg.rowdelete.plan.DeleteMode;
import dev.narwhal.iceberg.rowdelete.plan.PredicateMatcher;
import dev.narwhal.iceberg.source.Judge;
import dev.narwhal.iceberg.source.NestedColumns;
import dev.narwhal.iceberg.source.SampleDataset;
import dev.narwhal.iceberg.table.TableTarget;
import dev.narwhal.lance.deletion.DeletionVector;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Deletes from tables with columns of every type, whose other rows stay as they are. */
class NestedRowDeleteTest {
  @TempDir Path directory;
  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void nothingLeaks() {
    allocator.close();
  }

  @ParameterizedTest
  @CsvSource({
    "DELETION_VECTORS, 3, COPY_ON_WRITE",
    "DELETION_VECTORS, 3, MERGE_ON_READ",
    "POSITION_DELETES, 2, COPY_ON_WRITE",
    "POSITION_DELETES, 2, MERGE_ON_READ",
    "COPY_ON_WRITE, 2, COPY_ON_WRITE",
    "COPY_ON_WRITE, 3, COPY_ON_WRITE"
  })
  void rowsThatStayKeepEveryValue(Strategy strategy, int formatVersion, DeleteMode mode)
      throws IOException {
    Table table = table(strategy, formatVersion);
    SortedMap<Integer, List<@Nullable Object>> before = Judge.liveRows(table);

    new RowDeletes(table, allocator).delete(new ById(i -> i % 3 == 0, () -> {}), mode);

    before.keySet().removeIf(i -> i % 3 == 0);
    assertThat(Judge.liveRows(table)).isEqualTo(before);
  }

  @ParameterizedTest
  @CsvSource({"MERGE_ON_READ", "COPY_ON_WRITE"})
  void aPredicateSeesMembersOfStructsAndWholeNestedColumns(DeleteMode mode) throws IOException {
    Table table = table(Strategy.DELETION_VECTORS, 3);

    assertDeletes(
        table,
        mode,
        "st.a > 500000 OR st.in IS NULL AND st IS NOT NULL",
        row ->
            row.get("st") instanceof Map<?, ?> st
                && (st.get("in") == null || (st.get("a") instanceof Integer a && a > 500_000)));
    assertDeletes(table, mode, "l_int IS NULL", row -> row.get("l_int") == null);
    assertDeletes(
        table,
        mode,
        "nothing IS NULL AND id < 50",
        row -> row.get("id") instanceof Long id && id < 50);
  }

  private void assertDeletes(
      Table table, DeleteMode mode, String where, Predicate<Map<String, @Nullable Object>> rows)
      throws IOException {
    SortedMap<Integer, List<@Nullable Object>> expected = Judge.liveRows(table);
    int size = expected.size();
    expected.values().removeIf(row -> rows.test(named(row, table.schema())));
    assertThat(expected).hasSizeBetween(1, size - 1);

    new RowDeletes(table, allocator).delete(PredicateMatcher.of(where, table.schema()), mode);

    assertThat(Judge.liveRows(table)).isEqualTo(expected);
  }

  private static Map<String, @Nullable Object> named(List<@Nullable Object> row, Schema schema) {
    Map<String, @Nullable Object> named = new TreeMap<>();
    List<Types.NestedField> fields = schema.columns();
    for (int i = 0; i < fields.size(); i++) {
      named.put(fields.get(i).name(), row.get(i));
    }
    return named;
  }

  private Table table(Strategy strategy, int formatVersion) throws IOException {
    SampleDataset dataset =
        new SampleDataset(NestedColumns.andFlatOnes(formatVersion), allocator, 64)
            .with(100, DeletionVector.ofOffsets(0, 1))
            .with(100, DeletionVector.empty());
    try (TableTarget target = TableTarget.at(directory.resolve("table").toString())) {
      DatasetExport.run(dataset, target, ExportOptions.of(strategy, formatVersion));
      return target.load().orElseThrow();
    }
  }
}
