package dev.narwhal.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.narwhal.conformance.RandomColumns.Nulls;
import dev.narwhal.conformance.RandomColumns.Shape;
import dev.narwhal.conformance.RandomTrees.Lengths;
import dev.narwhal.lance.datafile.LanceFile;
import dev.narwhal.lance.schema.LanceField;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Narwhal reads the nested columns that real Lance writes now, whole, in parts and row by row.
 *
 * <p>{@code -Dtest.seed=N} changes the values.
 */
class FreshTreesTest {
  private static final long SEED = Long.getLong("test.seed", 20_261_130L);
  private static final DictionaryProvider NO_DICTIONARIES =
      new DictionaryProvider.MapDictionaryProvider();
  private static final ArrowType INT = new ArrowType.Int(32, true);
  private static final ArrowType TEXT = new ArrowType.Utf8();
  private static final ArrowType DOUBLE =
      new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
  private static final ArrowType LIST = new ArrowType.List();
  private static final ArrowType STRUCT = new ArrowType.Struct();

  static Stream<Arguments> cases() {
    List<Arguments> cases = new ArrayList<>();
    for (String version : List.of("2.1", "2.2")) {
      cases.add(Arguments.of(version, Lengths.SHORT, Nulls.SOME, Shape.UNIFORM));
      cases.add(Arguments.of(version, Lengths.CHUNKS, Nulls.SOME, Shape.UNIFORM));
      cases.add(Arguments.of(version, Lengths.HUGE, Nulls.SOME, Shape.SMALL));
      cases.add(Arguments.of(version, Lengths.SHORT, Nulls.STRETCHES, Shape.RUNS));
      cases.add(Arguments.of(version, Lengths.NOT_EMPTY, Nulls.NONE, Shape.FEW));
      cases.add(Arguments.of(version, Lengths.SHORT, Nulls.SOME, Shape.CONSTANT));
      cases.add(Arguments.of(version, Lengths.ALL_EMPTY, Nulls.SOME, Shape.SMALL));
      cases.add(Arguments.of(version, Lengths.SHORT, Nulls.ALL, Shape.SMALL));
    }
    cases.add(Arguments.of("2.1", Lengths.CHUNKS, Nulls.NONE, Shape.SMALL));
    cases.add(Arguments.of("2.2", Lengths.NOT_EMPTY, Nulls.SOME, Shape.CONSTANT));
    cases.add(Arguments.of("2.2", Lengths.ALL_EMPTY, Nulls.NONE, Shape.SMALL));
    return cases.stream();
  }

  @ParameterizedTest(name = "{0} lists {1} nulls {2} {3}")
  @MethodSource("cases")
  void readsWhatRealLanceWrote(
      String version, Lengths lengths, Nulls nulls, Shape shape, @TempDir Path folder)
      throws IOException {
    check(columns(version), version, lengths, nulls, shape, folder.resolve("ds"));
  }

  private static List<Field> columns(String version) {
    List<Field> columns = new ArrayList<>();
    columns.add(field("ints", LIST, leaf("item", INT)));
    columns.add(field("texts", new ArrowType.LargeList(), leaf("item", TEXT)));
    columns.add(
        field("lists", LIST, field("item", LIST, leaf("item", new ArrowType.Int(64, true)))));
    columns.add(
        field(
            "struct",
            STRUCT,
            leaf("a", INT),
            leaf("b", TEXT),
            field("c", LIST, leaf("item", DOUBLE)),
            field("d", STRUCT, leaf("e", new ArrowType.Bool()))));
    columns.add(
        field(
            "structs",
            LIST,
            field(
                "item",
                STRUCT,
                leaf("a", INT),
                leaf("b", TEXT),
                field("c", LIST, leaf("item", new ArrowType.Int(16, true))))));
    columns.add(field("nulls", LIST, leaf("item", new ArrowType.Null())));
    columns.add(
        field(
            "vectors", LIST, field("item", new ArrowType.FixedSizeList(3), leaf("item", DOUBLE))));
    columns.add(
        field("wide", LIST, field("item", new ArrowType.FixedSizeList(40), leaf("item", DOUBLE))));
    ArrowType bytes = new ArrowType.FixedSizeBinary(300);
    columns.add(field("bytes", LIST, field("item", LIST, leaf("item", bytes))));
    Map<String, String> zipped = Map.of("lance-encoding:structural-encoding", "fullzip");
    columns.add(
        field("zipped_struct", STRUCT, marked("a", DOUBLE, zipped), marked("b", TEXT, zipped)));
    columns.add(field("zipped_bools", LIST, marked("item", new ArrowType.Bool(), zipped)));
    columns.add(field("zipped_bool", STRUCT, marked("a", new ArrowType.Bool(), zipped)));
    if (version.equals("2.2")) {
      columns.add(field("map", new ArrowType.Map(false), entries()));
      columns.add(field("maps", LIST, field("item", new ArrowType.Map(false), entries())));
      columns.add(
          field(
              "fixed",
              new ArrowType.FixedSizeList(3),
              field("item", STRUCT, leaf("a", INT), leaf("b", TEXT))));
      columns.add(
          field(
              "struct_fixed",
              STRUCT,
              field(
                  "f",
                  new ArrowType.FixedSizeList(2),
                  field("item", STRUCT, leaf("a", INT), field("l", LIST, leaf("item", INT))))));
    }
    return columns;
  }

  private static void check(
      List<Field> columns, String version, Lengths lengths, Nulls nulls, Shape shape, Path dataset)
      throws IOException {
    int rows = lengths == Lengths.CHUNKS ? 60 : lengths == Lengths.HUGE ? 150 : 3000;
    CanonicalRows given = new CanonicalRows();
    JudgeWriter.at(dataset, version)
        .create(
            new Schema(columns),
            List.of(rows, 1, 7),
            (batch, fragment, count) -> {
              for (FieldVector vector : batch.getFieldVectors()) {
                RandomTrees.fill(vector, count, lengths, nulls, shape, SEED + fragment);
              }
              batch.setRowCount(count);
              given.add(batch);
            });
    LanceJudge.Verdict verdict = LanceJudge.judge(dataset);
    assertThat(verdict.rows()).isEqualTo(given.result());
    CanonicalRows ours = new CanonicalRows();
    try (BufferAllocator allocator = new RootAllocator()) {
      for (JudgedFragment fragment : verdict.fragments()) {
        Path path = dataset.resolve("data").resolve(fragment.dataFiles().get(0));
        try (LanceFile file = OurFiles.open(path)) {
          checkFile(file, allocator, ours);
        }
      }
    }
    assertThat(ours.result().firstRows()).isEqualTo(given.result().firstRows());
    assertThat(ours.result()).isEqualTo(given.result());
  }

  /** Reads all rows in parts; takes must give what reads give. */
  private static void checkFile(LanceFile file, BufferAllocator allocator, CanonicalRows ours)
      throws IOException {
    Random random = new Random(SEED);
    int rows = Math.toIntExact(file.rows());
    int count;
    for (int first = 0; first < rows; first += count) {
      count = Math.min(1 + random.nextInt(rows), rows - first);
      try (VectorSchemaRoot batch = OurFiles.read(file, first, count, allocator)) {
        ours.add(batch);
        checkTakes(file, first, batch, random, allocator);
      }
    }
  }

  private static void checkTakes(
      LanceFile file, int first, VectorSchemaRoot batch, Random random, BufferAllocator allocator)
      throws IOException {
    int rows = batch.getRowCount();
    for (int most : new int[] {1, 5, rows}) {
      int[] offsets = IntStream.range(0, rows).filter(i -> random.nextInt(rows) < most).toArray();
      if (most == rows) {
        offsets = IntStream.range(0, rows).filter(i -> random.nextBoolean()).toArray();
      }
      for (LanceField field : file.schema().topLevel()) {
        try (FieldVector taken = file.column(field).take(first, offsets, allocator)) {
          assertSame(taken, offsets, batch.getVector(field.name()));
        }
      }
    }
  }

  private static void assertSame(FieldVector taken, int[] offsets, FieldVector read) {
    assertThat(taken.getValueCount()).isEqualTo(offsets.length);
    CanonicalValue found = CanonicalValue.of(taken, NO_DICTIONARIES);
    CanonicalValue expected = CanonicalValue.of(read, NO_DICTIONARIES);
    StringBuilder foundText = new StringBuilder();
    StringBuilder expectedText = new StringBuilder();
    for (int i = 0; i < offsets.length; i++) {
      found.append(foundText, i);
      expected.append(expectedText, offsets[i]);
      assertThat(foundText.compareTo(expectedText))
          .as("%s, row %d", read.getName(), offsets[i])
          .isZero();
      foundText.setLength(0);
      expectedText.setLength(0);
    }
  }

  private static Field entries() {
    return new Field(
        "entries",
        new FieldType(false, STRUCT, null),
        List.of(new Field("key", new FieldType(false, TEXT, null), List.of()), leaf("value", INT)));
  }

  private static Field leaf(String name, ArrowType type) {
    return field(name, type);
  }

  private static Field field(String name, ArrowType type, Field... children) {
    return new Field(name, FieldType.nullable(type), List.of(children));
  }

  private static Field marked(String name, ArrowType type, Map<String, String> metadata) {
    return new Field(name, new FieldType(true, type, null, metadata), List.of());
  }
}
