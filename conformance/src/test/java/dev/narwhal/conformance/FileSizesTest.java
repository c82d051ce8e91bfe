package dev.narwhal.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Files that Narwhal writes are at most a tenth larger than those of real Lance. */
class FileSizesTest {
  private static final ArrowType LONG = new ArrowType.Int(64, true);
  private static final ArrowType TEXT = new ArrowType.Utf8();
  private static final ArrowType DOUBLE =
      new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
  private static final ArrowType FLOAT = new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);

  @TempDir private Path folder;

  /** Fills one vector of so many rows. */
  private interface Fill {
    void fill(FieldVector vector, int rows, Random random);
  }

  static Stream<Arguments> columns() {
    return Stream.of("2.0", "2.1", "2.2")
        .flatMap(
            version ->
                Stream.of(
                    column(version, "key", 60_000, of(LONG), FileSizesTest::keys),
                    column(version, "text", 60_000, of(TEXT), FileSizesTest::texts),
                    column(version, "double", 60_000, of(DOUBLE), FileSizesTest::doubles),
                    column(version, "category", 60_000, of(TEXT), FileSizesTest::categories),
                    column(version, "nullable", 60_000, of(LONG), FileSizesTest::halfNull),
                    column(version, "runs", 60_000, of(LONG), FileSizesTest::runs),
                    column(version, "vector", 2_000, vector(), FileSizesTest::vectors),
                    column(version, "nested", 20_000, nested(), FileSizesTest::lists)));
  }

  private static Arguments column(String version, String name, int rows, Field field, Fill fill) {
    return Arguments.of(version, name, rows, field, fill);
  }

  private static Field of(ArrowType type) {
    return Field.nullable("c", type);
  }

  private static Field vector() {
    return new Field(
        "c",
        FieldType.nullable(new ArrowType.FixedSizeList(768)),
        List.of(Field.nullable("item", FLOAT)));
  }

  private static Field nested() {
    Field inner =
        new Field(
            "item",
            FieldType.nullable(new ArrowType.List()),
            List.of(Field.nullable("item", new ArrowType.Int(32, true))));
    return new Field("c", FieldType.nullable(new ArrowType.List()), List.of(inner));
  }

  @ParameterizedTest(name = "{1} in {0}")
  @MethodSource("columns")
  void areAtMostATenthLarger(String version, String name, int rows, Field field, Fill fill)
      throws IOException {
    Schema schema = new Schema(List.of(field));
    JudgeWriter.Filler filler = (batch, fragment, count) -> fillBatch(batch, count, fill);
    Path ours = folder.resolve("ours");
    Path theirs = folder.resolve("theirs");
    OurWriter.at(ours, version).create(schema, List.of(rows), filler);
    JudgeWriter.at(theirs, version).create(schema, List.of(rows), filler);
    long ourBytes = Trees.sizeBytes(ours.resolve("data"));
    long theirBytes = Trees.sizeBytes(theirs.resolve("data"));
    System.out.printf(
        "size %s %s: %d, real Lance %d, %.3f%n",
        name, version, ourBytes, theirBytes, (double) ourBytes / theirBytes);
    assertThat((double) ourBytes / theirBytes).isLessThanOrEqualTo(1.1);
  }

  private static void fillBatch(VectorSchemaRoot batch, int rows, Fill fill) {
    fill.fill(batch.getVector("c"), rows, new Random(17));
    batch.setRowCount(rows);
  }

  private static void keys(FieldVector vector, int rows, Random random) {
    BigIntVector keys = (BigIntVector) vector;
    keys.allocateNew(rows);
    for (int row = 0; row < rows; row++) {
      keys.set(row, 1_000_000L + row);
    }
    keys.setValueCount(rows);
  }

  private static void halfNull(FieldVector vector, int rows, Random random) {
    BigIntVector keys = (BigIntVector) vector;
    keys.allocateNew(rows);
    for (int row = 0; row < rows; row++) {
      if (random.nextBoolean()) {
        keys.setNull(row);
      } else {
        keys.set(row, random.nextInt(100_000));
      }
    }
    keys.setValueCount(rows);
  }

  private static void runs(FieldVector vector, int rows, Random random) {
    BigIntVector keys = (BigIntVector) vector;
    keys.allocateNew(rows);
    long value = 0;
    for (int row = 0; row < rows; row++) {
      value = random.nextInt(30) == 0 ? random.nextLong() : value;
      keys.set(row, value);
    }
    keys.setValueCount(rows);
  }

  private static void doubles(FieldVector vector, int rows, Random random) {
    Float8Vector doubles = (Float8Vector) vector;
    doubles.allocateNew(rows);
    for (int row = 0; row < rows; row++) {
      doubles.set(row, random.nextDouble());
    }
    doubles.setValueCount(rows);
  }

  private static final String[] WORDS =
      "the quick brown fox jumps over a lazy dog while seven wizards brew potions in old towers"
          .split(" ");

  private static void texts(FieldVector vector, int rows, Random random) {
    VarCharVector texts = (VarCharVector) vector;
    texts.allocateNew();
    for (int row = 0; row < rows; row++) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < 4; i++) {
        text.append(WORDS[random.nextInt(WORDS.length)]).append(' ');
      }
      texts.setSafe(row, text.append(row).toString().getBytes(UTF_8));
    }
    texts.setValueCount(rows);
  }

  private static void categories(FieldVector vector, int rows, Random random) {
    VarCharVector texts = (VarCharVector) vector;
    texts.allocateNew();
    for (int row = 0; row < rows; row++) {
      texts.setSafe(row, ("category " + random.nextInt(40)).getBytes(UTF_8));
    }
    texts.setValueCount(rows);
  }

  private static void vectors(FieldVector vector, int rows, Random random) {
    FixedSizeListVector vectors = (FixedSizeListVector) vector;
    vectors.setInitialCapacity(rows);
    vectors.allocateNew();
    Float4Vector floats = (Float4Vector) vectors.getDataVector();
    floats.allocateNew(rows * 768);
    for (int row = 0; row < rows; row++) {
      vectors.setNotNull(row);
    }
    for (int i = 0; i < rows * 768; i++) {
      floats.set(i, (float) random.nextGaussian());
    }
    vectors.setValueCount(rows);
  }

  private static void lists(FieldVector vector, int rows, Random random) {
    ListVector outer = (ListVector) vector;
    outer.allocateNew();
    ListVector inner = (ListVector) outer.getDataVector();
    IntVector items = (IntVector) inner.getDataVector();
    for (int row = 0; row < rows; row++) {
      if (random.nextInt(20) == 0) {
        outer.setNull(row);
        continue;
      }
      int first = outer.startNewValue(row);
      int count = random.nextInt(4);
      for (int i = 0; i < count; i++) {
        int at = inner.startNewValue(first + i);
        int size = random.nextInt(5);
        for (int j = 0; j < size; j++) {
          items.setSafe(at + j, random.nextInt(1000));
        }
        inner.endValue(first + i, size);
      }
      outer.endValue(row, count);
    }
    outer.setLastSet(rows - 1);
    outer.setValueCount(rows);
  }
}
