package dev.narwhal.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.fragment.DataFile;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.manifest.Manifest;
import dev.narwhal.lance.write.insert.InsertOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Creates, appends and overwrites by Narwhal and by real Lance, side by side and in turns. */
class InsertsJudgedTest {
  private static final int SCHEMAS = Integer.getInteger("narwhal.inserts.schemas", 6);
  private static final DictionaryProvider NONE = new DictionaryProvider.MapDictionaryProvider();
  private static final ArrowType LONG = new ArrowType.Int(64, true);
  private static final ArrowType INT = new ArrowType.Int(32, true);
  private static final ArrowType TEXT = new ArrowType.Utf8();
  private static final ArrowType STRUCT = new ArrowType.Struct();
  private static final Field ID = field(false, "id", LONG);
  private static final Field A = field(true, "a", INT);
  private static final Field X = field(true, "x", INT);
  private static final Field Y = field(true, "y", TEXT);
  private static final Field S = field(true, "s", STRUCT, X, Y);
  private static final Field L = field(true, "l", new ArrowType.List(), field(true, "item", INT));
  private static final Schema TABLE = schema(ID, A, S, L);

  @TempDir Path folder;

  @ParameterizedTest(name = "{0}, stable row ids: {1}")
  @CsvSource({"2.0,false", "2.1,false", "2.1,true", "2.2,true"})
  void bothMakeTheSameTableAndAppendToEachOther(String version, boolean stable) throws IOException {
    int compared = 0;
    for (int seed = 0; seed < SCHEMAS; seed++) {
      Schema schema = RandomSchema.of(version, new Random(seed));
      String label = "seed " + seed + ": " + schema;
      if (!realLanceReadsItself(version, schema, seed)) {
        continue;
      }
      compared++;
      Path ours = folder.resolve("ours" + seed);
      Path theirs = folder.resolve("theirs" + seed);
      JudgeWriter lance = new JudgeWriter(theirs, version, stable);
      InsertOptions standard = InsertOptions.standard();
      OurInsert narwhal =
          OurInsert.into(ours).withOptions(stable ? standard.withStableRowIds() : standard);
      lance.create(schema, List.of(60), filler(version, seed));
      narwhal.create(version, schema, 60, filler(version, seed));
      compare(label, ours, theirs);
      new JudgeWriter(ours, version, stable)
          .append(schema, List.of(20), filler(version, seed + 1000));
      OurInsert.into(theirs).append(schema, 20, filler(version, seed + 1000));
      compare(label, ours, theirs);
    }
    assertThat(compared).isGreaterThan(SCHEMAS / 3);
  }

  /** Real Lance 7.0.0 writes some files of deep trees that it cannot read. */
  private boolean realLanceReadsItself(String version, Schema schema, int seed) throws IOException {
    for (int rows : List.of(60, 20)) {
      Path path = folder.resolve("itself" + seed + '-' + rows);
      JudgeWriter.at(path, version)
          .create(schema, List.of(rows), filler(version, rows == 60 ? seed : seed + 1000));
      try {
        LanceJudge.judge(path);
      } catch (IOException e) {
        return false;
      }
    }
    return true;
  }

  private static JudgeWriter.Filler filler(String version, long seed) {
    return (batch, fragment, rows) -> {
      if (version.equals("2.0")) {
        RandomBatch.fillWithoutNullStructs(batch, NONE, rows, new Random(seed));
      } else {
        RandomBatch.fill(batch, NONE, rows, new Random(seed));
      }
    };
  }

  private static void compare(String label, Path ours, Path theirs) throws IOException {
    try (BufferAllocator allocator = new RootAllocator()) {
      Manifest our = Dataset.open(ours.toString(), allocator).manifest();
      Manifest their = Dataset.open(theirs.toString(), allocator).manifest();
      assertThat(our.schema()).as(label).isEqualTo(their.schema());
      assertThat(our.flags()).as(label).isEqualTo(their.flags());
      assertThat(our.dataFormat()).as(label).isEqualTo(their.dataFormat());
      assertThat(our.nextRowId()).as(label).isEqualTo(their.nextRowId());
      assertThat(our.maxFragmentId()).as(label).isEqualTo(their.maxFragmentId());
      for (int i = 0; i < our.fragments().size(); i++) {
        Fragment one = our.fragments().get(i);
        Fragment two = their.fragments().get(i);
        assertThat(one.id()).as(label).isEqualTo(two.id());
        assertThat(one.physicalRows()).as(label).isEqualTo(two.physicalRows());
        assertThat(one.rowIds()).as(label).isEqualTo(two.rowIds());
        assertThat(one.createdVersions()).as(label).isEqualTo(two.createdVersions());
        assertThat(one.lastUpdatedVersions()).as(label).isEqualTo(two.lastUpdatedVersions());
        DataFile mine = one.files().get(0);
        DataFile other = two.files().get(0);
        assertThat(mine.fields()).as(label).isEqualTo(other.fields());
        assertThat(mine.columnIndices()).as(label).isEqualTo(other.columnIndices());
        assertThat(mine.formatVersion()).as(label).isEqualTo(other.formatVersion());
      }
    }
    CanonicalRows.Result rows = LanceJudge.judge(theirs).rows();
    assertThat(LanceJudge.judge(ours).rows()).as(label).isEqualTo(rows);
    assertThat(OurRows.of(ours)).as(label).isEqualTo(rows);
    assertThat(OurRows.of(theirs)).as(label).isEqualTo(rows);
  }

  static Stream<Arguments> taken() {
    return Stream.of(
            arguments("all", TABLE),
            arguments("another order", schema(L, S, A, ID)),
            arguments("a missing", schema(ID, S, L)),
            arguments("only id", schema(ID)),
            arguments("s.y missing", schema(ID, A, field(true, "s", STRUCT, X), L)),
            arguments("s.x missing", schema(ID, field(true, "s", STRUCT, Y))),
            arguments("members in another order", schema(ID, field(true, "s", STRUCT, Y, X))),
            arguments("id called nullable", schema(field(true, "id", LONG), A)),
            arguments("a called not nullable", schema(ID, field(false, "a", INT))),
            arguments(
                "items called not nullable",
                schema(ID, field(true, "l", new ArrowType.List(), field(false, "item", INT)))),
            arguments(
                "other metadata",
                new Schema(
                    List.of(
                        ID,
                        new Field(
                            "a", new FieldType(true, INT, null, Map.of("k", "v")), List.of())),
                    Map.of("m", "1"))))
        .flatMap(
            given ->
                Stream.of("2.0", "2.1")
                    .map(version -> arguments(version, given.get()[0], given.get()[1])));
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("taken")
  void bothTakeTheSameSources(String version, String name, Schema source) throws IOException {
    Path ours = folder.resolve("ours");
    Path theirs = folder.resolve("theirs");
    JudgeWriter.Filler filler = filler(version, 5);
    for (Path path : List.of(ours, theirs)) {
      JudgeWriter.at(path, version).create(TABLE, List.of(5), filler);
    }
    JudgeWriter.at(theirs, version).append(source, List.of(7), filler);
    OurInsert.into(ours).append(source, 7, filler);
    compare(name, ours, theirs);
  }

  static Stream<Schema> refused() {
    return Stream.of(
        schema(A),
        schema(ID, field(true, "z", INT)),
        schema(ID, field(true, "A", INT)),
        schema(ID, field(true, "a", LONG)),
        schema(ID, field(true, "a", new ArrowType.LargeUtf8())),
        schema(ID, field(true, "s", STRUCT, X, Y, A)),
        schema(ID, field(true, "s", STRUCT, field(true, "x", LONG))),
        schema(ID, field(true, "s", new ArrowType.List(), field(true, "item", INT))),
        schema(ID, field(true, "l", new ArrowType.LargeList(), field(true, "item", INT))));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void bothRefuseTheSameSources(Schema source) throws IOException {
    Path table = folder.resolve("table");
    JudgeWriter.at(table, "2.1").create(TABLE, List.of(5), InsertsJudgedTest::fill);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OurInsert.into(table).append(source, 7, InsertsJudgedTest::fill));
    assertThatException()
        .isThrownBy(
            () -> JudgeWriter.at(table, "2.1").append(source, List.of(7), InsertsJudgedTest::fill));
  }

  @Test
  void specialColumnsHaveTheFieldsThatRealLanceGivesThem() throws IOException {
    Field key =
        new Field(
            "k",
            new FieldType(false, LONG, null, Map.of("lance-schema:unenforced-primary-key", "Yes")),
            List.of());
    Field first =
        new Field(
            "f",
            new FieldType(
                false,
                LONG,
                null,
                Map.of(
                    "lance-schema:unenforced-primary-key",
                    "true",
                    "lance-schema:unenforced-primary-key:position",
                    "2")),
            List.of());
    Schema schema =
        new Schema(
            List.of(
                SpecialColumns.json("j"),
                SpecialColumns.bfloat16("b", 4),
                SpecialColumns.blob("o"),
                key,
                first),
            Map.of("m", "1"));
    Path ours = folder.resolve("ours");
    Path theirs = folder.resolve("theirs");
    OurInsert.into(ours).create("2.1", schema, 0, (batch, fragment, rows) -> {});
    JudgeWriter.at(theirs, "2.1")
        .create(schema, List.of(0), (batch, fragment, rows) -> batch.setRowCount(0));
    try (BufferAllocator allocator = new RootAllocator()) {
      assertThat(Dataset.open(ours.toString(), allocator).schema())
          .isEqualTo(Dataset.open(theirs.toString(), allocator).schema());
    }
  }

  @Test
  void overwritesByBothGiveTheSameTable() throws IOException {
    Path ours = folder.resolve("ours");
    Path theirs = folder.resolve("theirs");
    for (Path path : List.of(ours, theirs)) {
      JudgeWriter.at(path, "2.1")
          .withStableRowIds()
          .create(TABLE, List.of(5, 6), InsertsJudgedTest::fill);
    }
    Schema other = schema(field(true, "q", TEXT), ID);
    OurInsert.into(ours).overwrite(other, 9, InsertsJudgedTest::fill);
    JudgeWriter.at(theirs, "2.1")
        .withStableRowIds()
        .overwrite(other, List.of(9), InsertsJudgedTest::fill);
    compare("overwritten", ours, theirs);
    OurInsert.into(theirs).append(schema(ID), 2, InsertsJudgedTest::fill);
    JudgeWriter.at(ours, "2.1").append(schema(ID), List.of(2), InsertsJudgedTest::fill);
    compare("appended", ours, theirs);
  }

  private static void fill(VectorSchemaRoot batch, int fragment, int rows) {
    filler("2.1", rows).fill(batch, fragment, rows);
  }

  private static Schema schema(Field... fields) {
    return new Schema(Arrays.asList(fields));
  }

  private static Field field(boolean nullable, String name, ArrowType type, Field... children) {
    return new Field(name, new FieldType(nullable, type, null), Arrays.asList(children));
  }
}
