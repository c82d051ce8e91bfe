package dev.narwhal.conformance;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The datasets of {@link LanceReadBenchmark} and {@link LanceWriteBenchmark}, in 5 fragments. Each
 * has a column {@code id} that counts the rows, a column {@code x} of uniform numbers in [0, 1)
 * that filters choose rows by, and a column of the kind that it is named after.
 */
enum ReadBenchmarkData {
  /** Text of 20 random characters. */
  PLAIN("name", 5_000_000, new Field("name", FieldType.notNullable(new ArrowType.Utf8()), null)) {
    @Override
    void fill(FieldVector vector, SplittableRandom random, int rows) {
      VarCharVector names = (VarCharVector) vector;
      names.allocateNew(20L * rows, rows);
      for (int i = 0; i < rows; i++) {
        String text = Long.toHexString(random.nextLong() | Long.MIN_VALUE) + "abcd";
        names.set(i, text.getBytes(StandardCharsets.US_ASCII));
      }
    }
  },

  /** Embeddings of 768 floats. */
  VECTORS(
      "v",
      100_000,
      new Field(
          "v",
          FieldType.notNullable(new ArrowType.FixedSizeList(Constants.DIMENSION)),
          List.of(
              new Field(
                  "item",
                  FieldType.nullable(new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE)),
                  null)))) {
    @Override
    void fill(FieldVector vector, SplittableRandom random, int rows) {
      FixedSizeListVector lists = (FixedSizeListVector) vector;
      Float4Vector items = (Float4Vector) lists.getDataVector();
      lists.setInitialCapacity(rows);
      lists.allocateNew();
      items.allocateNew(rows * Constants.DIMENSION);
      for (int i = 0; i < rows * Constants.DIMENSION; i++) {
        items.set(i, (float) random.nextDouble());
      }
      items.setValueCount(rows * Constants.DIMENSION);
      for (int i = 0; i < rows; i++) {
        lists.setNotNull(i);
      }
    }
  },

  /** Lists of 0 to 7 structs of an int and a short text, some of them null. */
  NESTED(
      "items",
      1_000_000,
      new Field(
          "items",
          FieldType.nullable(new ArrowType.List()),
          List.of(
              new Field(
                  "item",
                  FieldType.nullable(new ArrowType.Struct()),
                  List.of(
                      new Field("a", FieldType.nullable(new ArrowType.Int(32, true)), null),
                      new Field("b", FieldType.nullable(new ArrowType.Utf8()), null)))))) {
    @Override
    void fill(FieldVector vector, SplittableRandom random, int rows) {
      ListVector lists = (ListVector) vector;
      lists.allocateNew();
      StructVector structs = (StructVector) lists.getDataVector();
      IntVector a = (IntVector) structs.getChild("a");
      VarCharVector b = (VarCharVector) structs.getChild("b");
      int items = 0;
      for (int i = 0; i < rows; i++) {
        if (random.nextInt(50) == 0) {
          lists.setNull(i);
          continue;
        }
        int size = random.nextInt(8);
        lists.startNewValue(i);
        for (int k = 0; k < size; k++) {
          structs.setIndexDefined(items);
          a.setSafe(items, random.nextInt(1000));
          String text = Integer.toString(random.nextInt(), 36);
          b.setSafe(items, text.getBytes(StandardCharsets.US_ASCII));
          items++;
        }
        lists.endValue(i, size);
      }
      lists.setValueCount(rows);
    }
  },

  /** Sentences of common words, which the writer stores as FSST. */
  TEXT("text", 1_000_000, new Field("text", FieldType.notNullable(new ArrowType.Utf8()), null)) {
    @Override
    void fill(FieldVector vector, SplittableRandom random, int rows) {
      VarCharVector texts = (VarCharVector) vector;
      texts.allocateNew(100L * rows, rows);
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < rows; i++) {
        text.setLength(0);
        for (int k = 4 + random.nextInt(16); k > 0; k--) {
          text.append(Constants.WORDS.get(random.nextInt(Constants.WORDS.size()))).append(' ');
        }
        texts.setSafe(i, text.toString().getBytes(StandardCharsets.US_ASCII));
      }
    }
  };

  private static final int FRAGMENTS = 5;

  final String column;
  final int rows;

  @SuppressWarnings("ImmutableEnumChecker") // Arrow does not say that its fields are
  private final Field field;

  ReadBenchmarkData(String column, int rows, Field field) {
    this.column = column;
    this.rows = rows;
    this.field = field;
  }

  abstract void fill(FieldVector vector, SplittableRandom random, int rows);

  /**
   * Writes the dataset.
   *
   * @param scale factor on the number of rows, above 0
   */
  void write(Path dataset, double scale) {
    write(JudgeWriter.at(dataset, "2.1"), scale);
  }

  /** The same by a writer of one's own. */
  void write(JudgeWriter writer, double scale) {
    int perFragment = (int) (rows * scale) / FRAGMENTS;
    writer.create(schema(), Collections.nCopies(FRAGMENTS, perFragment), this::fill);
  }

  Schema schema() {
    return new Schema(
        List.of(
            new Field("id", FieldType.notNullable(new ArrowType.Int(64, true)), null),
            new Field(
                "x",
                FieldType.notNullable(new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE)),
                null),
            field));
  }

  void fill(VectorSchemaRoot batch, int fragment, int rows) {
    SplittableRandom random = new SplittableRandom(fragment);
    BigIntVector ids = (BigIntVector) batch.getVector("id");
    Float8Vector xs = (Float8Vector) batch.getVector("x");
    ids.allocateNew(rows);
    xs.allocateNew(rows);
    for (int i = 0; i < rows; i++) {
      ids.set(i, (long) fragment * rows + i);
      xs.set(i, random.nextDouble());
    }
    fill(batch.getVector(column), random, rows);
    batch.setRowCount(rows);
  }

  private static final class Constants {
    static final int DIMENSION = 768;
    static final List<String> WORDS =
        List.of(
            "narwhal",
            "lance",
            "ice",
            "north",
            "water",
            "deletion",
            "vector",
            "commit",
            "under",
            "the",
            "and",
            "of",
            "a",
            "with",
            "without",
            "fragment",
            "reads",
            "writes",
            "whole");
  }
}
