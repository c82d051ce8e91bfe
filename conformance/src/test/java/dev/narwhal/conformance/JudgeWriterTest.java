package dev.narwhal.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.narwhal.conformance.RandomColumns.Nulls;
import dev.narwhal.conformance.RandomColumns.Shape;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the kit has real Lance write is what real Lance reads back. */
class JudgeWriterTest {
  private static final List<Integer> FRAGMENTS = List.of(1500, 1, 700);

  @ParameterizedTest(name = "{0} {1} nulls {2}")
  @CsvSource({
    "2.0, UNIFORM, SOME",
    "2.0, FEW, STRETCHES",
    "2.1, UNIFORM, SOME",
    "2.1, RUNS, STRETCHES",
    "2.1, SMALL, ALL",
    "2.1, EXTREMES, NONE",
  })
  void realLanceReadsEveryTypeAsItWasGiven(
      String storageVersion, Shape shape, Nulls nulls, @TempDir Path folder) throws IOException {
    Path dataset = folder.resolve("ds");
    CanonicalRows given = new CanonicalRows();
    JudgeWriter.at(dataset, storageVersion)
        .create(
            new Schema(PrimitiveTypes.fields(true)),
            FRAGMENTS,
            (batch, fragment, rows) -> {
              fill(batch, rows, shape, nulls, fragment);
              given.add(batch);
            });

    LanceJudge.Verdict verdict = LanceJudge.judge(dataset);
    assertThat(verdict.rows().firstRows()).isEqualTo(given.result().firstRows());
    assertThat(verdict.rows()).isEqualTo(given.result());
    assertThat(verdict.fragments().stream().map(f -> (int) f.physicalRows())).isEqualTo(FRAGMENTS);
  }

  @Test
  void stableRowIdsOutliveDeletesAndAppends(@TempDir Path folder) throws IOException {
    JudgeWriter writer = JudgeWriter.at(folder.resolve("ds"), "2.1").withStableRowIds();
    Schema schema = new Schema(PrimitiveTypes.fields(false).subList(0, 3));
    writer.create(schema, List.of(3, 2), JudgeWriterTest::fillUniform);
    try (LanceJudge judge = LanceJudge.open(writer.dataset())) {
      assertThat(judge.dataset().hasStableRowIds()).isTrue();
      judge.delete("_rowid = 1 OR _rowid = 3");
    }
    writer.append(schema, List.of(2), JudgeWriterTest::fillUniform);

    try (LanceJudge judge = LanceJudge.open(writer.dataset())) {
      assertThat(judge.rowIds()).containsExactly(0, 2, 4, 5, 6);
      assertThat(judge.version()).isEqualTo(4);
    }
  }

  @Test
  void theJudgeTellsDeletedOffsetsOfEachFragment(@TempDir Path folder) throws IOException {
    JudgeWriter writer = JudgeWriter.at(folder.resolve("ds"), "2.1");
    Schema schema = new Schema(PrimitiveTypes.fields(false).subList(0, 1));
    writer.create(schema, List.of(4, 12_000, 2), JudgeWriterTest::fillUniform);
    try (LanceJudge judge = LanceJudge.open(writer.dataset())) {
      judge.delete("_rowaddr = 0 OR _rowaddr = 3 OR _rowaddr >= 8589934592");
      judge.delete("_rowaddr >= 4294967296 AND _rowaddr % 2 = 0");
    }

    LanceJudge.Verdict verdict = LanceJudge.judge(writer.dataset());
    assertThat(verdict.count()).isEqualTo(2 + 6000).isEqualTo(verdict.rows().rows());
    assertThat(verdict.fragments()).hasSize(2);
    JudgedFragment first = verdict.fragments().get(0);
    JudgedFragment second = verdict.fragments().get(1);
    assertThat(first.deletedOffsets()).containsExactly(0L, 3L);
    assertThat(first.deletionFile().orElseThrow().type()).isEqualTo("array");
    assertThat(first.deletionFile().orElseThrow().deletedRows()).hasValue(2L);
    assertThat(writer.dataset().resolve(first.deletionFile().orElseThrow().path())).exists();
    assertThat(second.deletedOffsets()).hasSize(6000).startsWith(0L, 2L).endsWith(11_998L);
    assertThat(second.deletionFile().orElseThrow().type()).isEqualTo("bitmap");
    assertThat(writer.dataset().resolve(second.deletionFile().orElseThrow().path())).exists();
  }

  private static void fillUniform(VectorSchemaRoot batch, int fragment, int rows) {
    fill(batch, rows, Shape.UNIFORM, Nulls.NONE, fragment);
  }

  private static void fill(VectorSchemaRoot batch, int rows, Shape shape, Nulls nulls, long seed) {
    for (FieldVector vector : batch.getFieldVectors()) {
      RandomColumns.fill(vector, rows, shape, nulls, seed);
    }
    batch.setRowCount(rows);
  }
}
