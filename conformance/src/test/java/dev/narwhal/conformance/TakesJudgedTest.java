package dev.narwhal.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.narwhal.conformance.Fixtures.LanceFixture;
import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.error.RowNotFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Narwhal and real Lance take the same rows. */
class TakesJudgedTest {
  @TempDir Path folder;

  static List<LanceFixture> fixtures() throws IOException {
    List<LanceFixture> read = new ArrayList<>();
    for (LanceFixture fixture : Fixtures.lanceDatasets()) {
      if (OurAnswersTest.isRead(fixture) && !fixture.name().equals("empty")) {
        read.add(fixture);
      }
    }
    return read;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("fixtures")
  void takesByOffsetAndByRowIdAreAlike(LanceFixture fixture) throws IOException {
    Path path = fixture.dataset();
    try (BufferAllocator allocator = new RootAllocator();
        LanceJudge judge = LanceJudge.open(path)) {
      Dataset ours = Dataset.open(path.toString(), allocator);
      long[] ids = judge.rowIds();
      List<String> columns = new ArrayList<>(ours.columnNames());
      // all, and in this order: on others the plan of real Lance 7.0.0 fails an assertion
      columns.addAll(
          List.of("_rowid", "_rowaddr", "_row_last_updated_at_version", "_row_created_at_version"));
      for (int[] chosen : choices(ids.length, fixture.name().hashCode())) {
        long[] offsets = Arrays.stream(chosen).asLongStream().toArray();
        assertThat(canonical(ours.takeOffsets(offsets, columns)))
            .isEqualTo(judge.take(boxed(offsets), columns));
        long[] rowIds = Arrays.stream(chosen).mapToLong(row -> ids[row]).toArray();
        assertThat(canonical(ours.takeRowIds(rowIds, columns)))
            .isEqualTo(judge.takeRows(boxed(rowIds), columns));
      }
    }
  }

  @Test
  void o20_takesBehindDeletionsAtTheStartOfFragments() throws IOException {
    Path path = folder.resolve("o20");
    Schema schema =
        new Schema(
            List.of(new Field("v", FieldType.notNullable(new ArrowType.Int(64, true)), null)));
    JudgeWriter.at(path, "2.1")
        .create(
            schema,
            List.of(40, 40, 40),
            (batch, fragment, rows) -> {
              BigIntVector vector = (BigIntVector) batch.getVector(0);
              vector.allocateNew(rows);
              for (int i = 0; i < rows; i++) {
                vector.set(i, 40L * fragment + i);
              }
              batch.setRowCount(rows);
            });
    try (BufferAllocator allocator = new RootAllocator()) {
      Dataset.open(path.toString(), allocator).delete("v IN (40, 77, 78, 79)");
      Dataset dataset = Dataset.open(path.toString(), allocator);
      try (VectorSchemaRoot taken = dataset.takeOffsets(new long[] {40, 75, 76}, List.of("v"));
          LanceJudge judge = LanceJudge.open(path)) {
        BigIntVector values = (BigIntVector) taken.getVector(0);
        assertThat(new long[] {values.get(0), values.get(1), values.get(2)})
            .containsExactly(41, 76, 80);
        CanonicalRows ours = new CanonicalRows();
        ours.add(taken);
        assertThat(ours.result()).isEqualTo(judge.take(List.of(40L, 75L, 76L), List.of("v")));
      }
    }
  }

  /** Real Lance passes over ids that are not there, and so gives fewer rows than were asked for. */
  @Test
  void whereRealLanceLeavesOutAMissingIdWeFail() throws IOException {
    Path path = Fixtures.lanceDataset("stable-delete").dataset();
    try (BufferAllocator allocator = new RootAllocator();
        LanceJudge judge = LanceJudge.open(path)) {
      Dataset ours = Dataset.open(path.toString(), allocator);
      assertThat(judge.takeRows(List.of(1L, 9_999L, 2L), List.of("id")).rows()).isEqualTo(2);
      assertThatThrownBy(() -> ours.takeRowIds(new long[] {1, 9_999, 2}, List.of("id")))
          .isInstanceOf(RowNotFoundException.class)
          .hasMessageContaining("9999");
      long rows = judge.countRows();
      assertThatThrownBy(() -> judge.take(List.of(0L, rows), List.of("id")))
          .hasMessageContaining("non-existent fragment");
      assertThatThrownBy(() -> ours.takeOffsets(new long[] {0, rows}, List.of("id")))
          .isInstanceOf(RowNotFoundException.class);
    }
  }

  private static List<int[]> choices(int rows, int seed) {
    Random random = new Random(seed);
    return List.of(
        new int[] {rows - 1, 0, rows - 1},
        random.ints(15, 0, rows).sorted().distinct().toArray(),
        random.ints(40, 0, rows).toArray());
  }

  private static List<Long> boxed(long[] values) {
    return Arrays.stream(values).boxed().toList();
  }

  private static CanonicalRows.Result canonical(VectorSchemaRoot rows) {
    try (rows) {
      CanonicalRows canonical = new CanonicalRows();
      canonical.add(rows);
      return canonical.result();
    }
  }
}
