package dev.narwhal.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.scan.BatchReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Memory of a scan follows what its windows hold when decoded, however few bytes of the file stand
 * for it.
 */
class ScanMemoryTest {
  /** Each of a few windows in flight, with room for how builders grow. */
  private static final long MOST_BYTES = 160L << 20;

  private static final int BATCHES = 6;

  private enum Data {
    /** 2,000 bytes, always the same. */
    ONE_TEXT,
    /** 2,000 bytes, of a few values. */
    FEW_TEXTS,
    /** 8,000 items in runs. */
    LONG_LISTS,
    /** 8,000 nulls. */
    LISTS_OF_NULLS
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource({
    "2.0, ONE_TEXT",
    "2.0, FEW_TEXTS",
    "2.0, LISTS_OF_NULLS",
    "2.1, FEW_TEXTS",
    "2.2, ONE_TEXT",
    "2.2, LONG_LISTS",
    "2.2, LISTS_OF_NULLS"
  })
  void fewBytesThatStandForManyAreReadInSmallWindows(String version, Data data, @TempDir Path dir)
      throws IOException {
    boolean texts = data == Data.ONE_TEXT || data == Data.FEW_TEXTS;
    int rows = texts ? 30_000 : 2_000;
    Field field = texts ? text() : list();
    Path dataset = dir.resolve("ds");
    JudgeWriter.at(dataset, version)
        .create(
            new Schema(List.of(field)),
            Collections.nCopies(BATCHES, rows),
            (batch, fragment, count) -> {
              if (texts) {
                fill((VarCharVector) batch.getVector(0), count, data);
              } else {
                fill((ListVector) batch.getVector(0), count, data);
              }
              batch.setRowCount(count);
            });
    long decoded = (long) BATCHES * rows * (texts ? 2_000 : 8_000 * Integer.BYTES);
    assertThat(decoded).isGreaterThan(2 * MOST_BYTES);
    assertThat(fileBytes(dataset)).isLessThan(decoded / 10);
    long values = 0;
    try (BufferAllocator allocator = new RootAllocator()) {
      try (BatchReader reader = Dataset.open(dataset.toString(), allocator).read()) {
        while (reader.next()) {
          values += values(reader.batch(), texts);
        }
      }
      assertThat(allocator.getPeakMemoryAllocation()).isLessThan(MOST_BYTES);
    }
    assertThat(values).isEqualTo((long) BATCHES * rows * (texts ? 2_000 : 8_000));
  }

  /** Bytes of texts, or items of lists. */
  private static long values(VectorSchemaRoot batch, boolean texts) {
    int rows = batch.getRowCount();
    return texts
        ? ((VarCharVector) batch.getVector(0)).getOffsetBuffer().getInt(4L * rows)
        : ((ListVector) batch.getVector(0)).getElementEndIndex(rows - 1);
  }

  private static Field text() {
    return new Field("v", FieldType.nullable(new ArrowType.Utf8()), null);
  }

  private static Field list() {
    Field item = new Field("item", FieldType.nullable(new ArrowType.Int(32, true)), null);
    return new Field("v", FieldType.nullable(new ArrowType.List()), List.of(item));
  }

  private static void fill(VarCharVector vector, int rows, Data data) {
    Random random = new Random(7);
    vector.allocateNew(2_000L * rows, rows);
    for (int i = 0; i < rows; i++) {
      int value = data == Data.ONE_TEXT ? 0 : random.nextInt(20);
      String text = Character.toString('a' + value).repeat(2_000);
      vector.set(i, text.getBytes(StandardCharsets.US_ASCII));
    }
    vector.setValueCount(rows);
  }

  private static void fill(ListVector vector, int rows, Data data) {
    int items = 8_000 * rows;
    vector.setInitialCapacity(rows);
    vector.allocateNew();
    IntVector values = (IntVector) vector.getDataVector();
    values.allocateNew(items);
    for (int i = 0; i < rows; i++) {
      vector.startNewValue(i);
      vector.endValue(i, 8_000);
    }
    for (int i = 0; i < items && data == Data.LONG_LISTS; i++) {
      values.set(i, i / 3000 % 5);
    }
    values.setValueCount(items);
    vector.setLastSet(rows - 1);
    vector.setValueCount(rows);
  }

  private static long fileBytes(Path dataset) throws IOException {
    try (Stream<Path> files = Files.walk(dataset)) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    }
  }
}
