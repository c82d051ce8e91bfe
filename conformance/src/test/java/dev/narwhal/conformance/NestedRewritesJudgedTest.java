package dev.narwhal.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.write.RowSource;
import dev.narwhal.lance.write.merge.WhenMatched;
import dev.narwhal.lance.write.merge.WhenNotMatched;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.TinyIntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider.MapDictionaryProvider;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lance.ipc.ScanOptions;

/**
 * Columns of nested values that are given to other rows in place, by expression and by merge: real
 * Lance reads in each row the value that it must have, before and after it compacts.
 */
class NestedRewritesJudgedTest {
  private static final ArrowType STRUCT = ArrowType.Struct.INSTANCE;
  private static final Field ID = Field.notNullable("id", new ArrowType.Int(64, true));
  private static final Field TEXT = Field.nullable("text", ArrowType.Utf8.INSTANCE);
  private static final Field NUMBER = Field.nullable("number", new ArrowType.Int(32, true));
  private static final Field FLOAT =
      Field.nullable("item", new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE));
  private static final Field PAIR = nullable("item", STRUCT, NUMBER, TEXT);

  @TempDir Path folder;
  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void nothingLeaks() {
    allocator.close();
  }

  private static Field nullable(String name, ArrowType type, Field... below) {
    return new Field(name, FieldType.nullable(type), List.of(below));
  }

  static Stream<Arguments> types() {
    List<Field> fields = new ArrayList<>();
    fields.add(nullable("struct", STRUCT, NUMBER, TEXT));
    fields.add(nullable("struct of structs", STRUCT, nullable("in", STRUCT, TEXT, NUMBER)));
    fields.add(nullable("struct of lists", STRUCT, nullable("in", new ArrowType.List(), TEXT)));
    fields.add(nullable("list", new ArrowType.List(), TEXT));
    fields.add(nullable("list of structs", new ArrowType.List(), PAIR));
    fields.add(nullable("large list", new ArrowType.LargeList(), TEXT));
    fields.add(nullable("large list of structs", new ArrowType.LargeList(), PAIR));
    fields.add(nullable("fixed-size list", new ArrowType.FixedSizeList(5), FLOAT));
    Field entries =
        new Field(
            "entries",
            FieldType.notNullable(STRUCT),
            List.of(Field.notNullable("key", ArrowType.Utf8.INSTANCE), NUMBER));
    Field map = nullable("map", new ArrowType.Map(false), entries);
    Stream<Arguments> all =
        fields.stream()
            .flatMap(
                field -> Stream.of("2.0", "2.1", "2.2").map(version -> arguments(version, field)));
    return Stream.concat(all, Stream.of(arguments("2.2", map)));
  }

  private static Arguments arguments(String version, Field field) {
    return Arguments.argumentSet(version + " " + field.getName(), version, field);
  }

  private static Field named(String name, Field type) {
    return new Field(name, type.getFieldType(), type.getChildren());
  }

  private Dataset open(Path table) throws IOException {
    return Dataset.open(table.toString(), allocator);
  }

  @ParameterizedTest
  @MethodSource("types")
  void valuesGoToOtherRowsWhereTheyAre(String version, Field type) throws IOException {
    Random random = new Random(5);
    Path table = folder.resolve("table");
    Schema schema = new Schema(List.of(ID, named("a", type), named("b", type)));
    JudgeWriter.at(table, version)
        .create(
            schema,
            List.of(70, 50),
            (batch, fragment, rows) -> fill(batch, version, rows, i -> 70L * fragment + i, random));
    try (LanceJudge judge = LanceJudge.open(table)) {
      judge.delete("id % 10 = 3");
    }
    List<String> a = column(table, "a");
    List<String> b = column(table, "b");
    assertThat(a).isNotEqualTo(b);

    open(table).rewriteColumns().where("id % 3 = 1").set("a", "b").execute();
    List<String> patched = mixed(table, a, b, id -> id % 3 == 1);
    assertThat(column(table, "a")).isEqualTo(patched);
    assertThat(column(table, "b")).isEqualTo(b);

    // a patch of what is patched, now both columns at a time
    open(table).rewriteColumns().where("id % 7 = 2").set("a", "b").set("b", "a").execute();
    List<String> swapped = mixed(table, b, patched, id -> id % 7 == 2);
    patched = mixed(table, patched, b, id -> id % 7 == 2);
    assertThat(column(table, "a")).isEqualTo(patched);
    assertThat(column(table, "b")).isEqualTo(swapped);

    Map<Long, String> merged = merge(table, version, named("a", type), random);
    List<String> expected = new ArrayList<>();
    long[] ids = ids(table);
    for (int i = 0; i < ids.length; i++) {
      expected.add(merged.getOrDefault(ids[i], patched.get(i)));
    }
    assertThat(column(table, "a")).isEqualTo(expected);
    assertThat(column(table, "b")).isEqualTo(swapped);

    try (LanceJudge judge = LanceJudge.open(table)) {
      judge.dataset().compact();
    }
    assertThat(column(table, "a")).isEqualTo(expected);
    open(table).rewriteColumns().set("b", "a").execute();
    assertThat(column(table, "b")).isEqualTo(expected);
  }

  @FunctionalInterface
  private interface Ids {
    long of(int row);
  }

  /** Files of 2.0 have no null structs. */
  private static void fill(
      VectorSchemaRoot batch, String version, int rows, Ids ids, Random random) {
    MapDictionaryProvider none = new MapDictionaryProvider();
    if (version.equals("2.0")) {
      RandomBatch.fillWithoutNullStructs(batch, none, rows, random);
    } else {
      RandomBatch.fill(batch, none, rows, random);
    }
    for (int i = 0; i < rows; i++) {
      ((BigIntVector) batch.getVector("id")).set(i, ids.of(i));
    }
  }

  /** New values for every other row, by id. */
  private Map<Long, String> merge(Path table, String version, Field column, Random random)
      throws IOException {
    Map<Long, String> merged = new HashMap<>();
    try (VectorSchemaRoot source =
            VectorSchemaRoot.create(new Schema(List.of(column, ID)), allocator);
        RowSource rows = RowSource.of(source)) {
      fill(source, version, 60, i -> 118 - 2L * i, random);
      List<String> texts = texts(source.getVector("a"), source.getRowCount());
      for (int i = 0; i < 60; i++) {
        merged.put(118 - 2L * i, texts.get(i));
      }
      updateInPlace(table, rows);
    }
    return merged;
  }

  /** Some rows' values of the one column, and the others' of the other. */
  private static List<String> mixed(
      Path table, List<String> most, List<String> some, IntPredicate ofSome) throws IOException {
    long[] ids = ids(table);
    List<String> mixed = new ArrayList<>();
    for (int i = 0; i < ids.length; i++) {
      mixed.add(ofSome.test((int) ids[i]) ? some.get(i) : most.get(i));
    }
    return mixed;
  }

  private static long[] ids(Path table) throws IOException {
    try (LanceJudge judge = LanceJudge.open(table)) {
      return judge.longs("id");
    }
  }

  /** A column's values as both read them, without its name. */
  private static List<String> column(Path table, String name) throws IOException {
    try (LanceJudge judge = LanceJudge.open(table)) {
      assertThat(Texts.read(table)).isEqualTo(Texts.of(judge, new ScanOptions.Builder().build()));
      List<String> texts =
          Texts.of(judge, new ScanOptions.Builder().columns(List.of(name)).build());
      return texts.stream().map(text -> withoutName(text, name)).toList();
    }
  }

  private static List<String> texts(FieldVector column, int rows) {
    return Texts.of(List.of(column), rows, new MapDictionaryProvider()).stream()
        .map(text -> withoutName(text, column.getName()))
        .toList();
  }

  private static String withoutName(String text, String name) {
    String start = "{\"" + name + "\":";
    assertThat(text).startsWith(start);
    return text.substring(start.length());
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.0", "2.1", "2.2"})
  void aDictionaryIsRefusedByName(String version) throws IOException {
    Path table = folder.resolve("table");
    Field words = SpecialColumns.dictionary("words", 1, ArrowType.Utf8.INSTANCE, 8);
    JudgeWriter.at(table, version)
        .create(
            new Schema(List.of(ID, words)),
            List.of(40),
            (batch, dictionaries, fragment, rows) -> {
              BigIntVector ids = (BigIntVector) batch.getVector("id");
              TinyIntVector indices = (TinyIntVector) batch.getVector("words");
              ids.allocateNew(rows);
              indices.allocateNew(rows);
              DictionaryEncoding encoding = indices.getField().getDictionary();
              VarCharVector values =
                  (VarCharVector) dictionaries.lookup(encoding.getId()).getVector();
              values.allocateNew();
              for (int i = 0; i < 3; i++) {
                values.setSafe(i, ("word " + i).getBytes(StandardCharsets.US_ASCII));
              }
              values.setValueCount(3);
              for (int i = 0; i < rows; i++) {
                ids.set(i, i);
                indices.set(i, i % 3);
              }
              batch.setRowCount(rows);
            });
    List<String> before = Texts.read(table);
    assertThatThrownBy(() -> open(table).rewriteColumns().set("words", "words").execute())
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("column 'words' has dictionary-encoded values");
    assertThatThrownBy(() -> open(table).update().set("id", "id + 1").execute())
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("column 'words' has dictionary-encoded values");
    assertThatThrownBy(() -> mergeWords(table))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("column 'words' has dictionary-encoded values");
    assertThat(open(table).version()).isEqualTo(1);
    // beside it another column can be written anew
    open(table).rewriteColumns().where("id = 7").set("id", "id + 100").execute();
    List<String> after = new ArrayList<>(before);
    after.set(7, before.get(7).replace("7", "107"));
    assertThat(Texts.read(table)).isEqualTo(after);
    try (LanceJudge judge = LanceJudge.open(table)) {
      assertThat(Texts.of(judge, new ScanOptions.Builder().build())).isEqualTo(after);
    }
  }

  private void mergeWords(Path table) throws IOException {
    Schema given = new Schema(List.of(ID, Field.nullable("words", ArrowType.Utf8.INSTANCE)));
    try (VectorSchemaRoot source = VectorSchemaRoot.create(given, allocator);
        RowSource rows = RowSource.of(source)) {
      ((BigIntVector) source.getVector("id")).setSafe(0, 7);
      ((VarCharVector) source.getVector("words")).setSafe(0, new byte[] {'w'});
      source.setRowCount(1);
      updateInPlace(table, rows);
    }
  }

  private void updateInPlace(Path table, RowSource rows) throws IOException {
    open(table)
        .mergeInsert("id")
        .whenMatched(WhenMatched.updateAll())
        .whenNotMatched(WhenNotMatched.DO_NOTHING)
        .inPlace()
        .execute(rows);
  }
}
