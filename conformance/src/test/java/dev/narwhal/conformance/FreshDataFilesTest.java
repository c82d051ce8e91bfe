package dev.narwhal.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.narwhal.conformance.RandomColumns.Nulls;
import dev.narwhal.conformance.RandomColumns.Shape;
import dev.narwhal.lance.datafile.LanceFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Narwhal reads the data files that real Lance writes now, of every primitive type, as real Lance
 * was given them and as it reads them itself.
 *
 * <p>{@code -Dtest.seed=N} changes the values.
 */
class FreshDataFilesTest {
  private static final List<Integer> FRAGMENTS = List.of(3000, 1, 700);
  private static final long SEED = Long.getLong("test.seed", 20_261_130L);

  static Stream<Arguments> shapes() {
    List<Arguments> cases = new ArrayList<>();
    for (String version : List.of("2.0", "2.1")) {
      for (Shape shape : Shape.values()) {
        cases.add(Arguments.of(version, shape, Nulls.SOME, Map.of()));
      }
      for (Shape shape : List.of(Shape.UNIFORM, Shape.SMALL, Shape.FEW, Shape.RUNS)) {
        cases.add(Arguments.of(version, shape, Nulls.NONE, Map.of()));
      }
      cases.add(Arguments.of(version, Shape.RUNS, Nulls.STRETCHES, Map.of()));
      cases.add(Arguments.of(version, Shape.UNIFORM, Nulls.STRETCHES, Map.of()));
      cases.add(Arguments.of(version, Shape.CONSTANT, Nulls.ALL, Map.of()));
      for (String scheme : List.of("zstd", "lz4", "none")) {
        Map<String, String> metadata = Map.of("lance-encoding:compression", scheme);
        cases.add(Arguments.of(version, Shape.OUTLIERS, Nulls.SOME, metadata));
      }
    }
    for (String layout : List.of("miniblock", "fullzip")) {
      Map<String, String> metadata = Map.of("lance-encoding:structural-encoding", layout);
      cases.add(Arguments.of("2.1", Shape.UNIFORM, Nulls.SOME, metadata));
      cases.add(Arguments.of("2.1", Shape.AROUND_ZERO, Nulls.NONE, metadata));
    }
    return cases.stream();
  }

  @ParameterizedTest(name = "{0} {1} nulls {2} {3}")
  @MethodSource("shapes")
  void readsWhatRealLanceWrote(
      String storageVersion,
      Shape shape,
      Nulls nulls,
      Map<String, String> metadata,
      @TempDir Path folder)
      throws IOException {
    Schema schema = schema(nulls != Nulls.NONE, metadata);
    CanonicalRows given = new CanonicalRows();
    JudgeWriter.at(folder.resolve("ds"), storageVersion)
        .create(
            schema,
            FRAGMENTS,
            (batch, fragment, rows) -> {
              for (FieldVector vector : batch.getFieldVectors()) {
                RandomColumns.fill(vector, rows, shape, nulls, SEED + fragment);
              }
              batch.setRowCount(rows);
              given.add(batch);
            });

    LanceJudge.Verdict verdict = LanceJudge.judge(folder.resolve("ds"));
    CanonicalRows ours = new CanonicalRows();
    try (BufferAllocator allocator = new RootAllocator()) {
      for (JudgedFragment fragment : verdict.fragments()) {
        assertThat(fragment.dataFiles()).hasSize(1);
        Path path = folder.resolve("ds/data").resolve(fragment.dataFiles().get(0));
        try (LanceFile file = OurFiles.open(path)) {
          readInParts(file, allocator, ours);
        }
      }
    }
    assertThat(ours.result().firstRows()).isEqualTo(given.result().firstRows());
    assertThat(ours.result()).isEqualTo(given.result());
    assertThat(verdict.rows()).isEqualTo(given.result());
  }

  /** Parts of random length, so that they end within chunks and pages and span them. */
  private static void readInParts(LanceFile file, BufferAllocator allocator, CanonicalRows ours)
      throws IOException {
    Random random = new Random(SEED);
    int rows = Math.toIntExact(file.rows());
    int count;
    for (int first = 0; first < rows; first += count) {
      count = Math.min(1 + random.nextInt(2000), rows - first);
      try (VectorSchemaRoot batch = OurFiles.read(file, first, count, allocator)) {
        ours.add(batch);
      }
    }
  }

  private static Schema schema(boolean nullable, Map<String, String> metadata) {
    return new Schema(
        PrimitiveTypes.fields(nullable).stream()
            .map(
                field ->
                    new Field(
                        field.getName(),
                        new FieldType(nullable, field.getType(), null, metadata),
                        field.getChildren()))
            .toList());
  }
}
