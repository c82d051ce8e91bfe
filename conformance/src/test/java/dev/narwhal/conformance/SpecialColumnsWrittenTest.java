package dev.narwhal.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.narwhal.conformance.RandomColumns.Nulls;
import dev.narwhal.conformance.RandomColumns.Shape;
import dev.narwhal.lance.schema.LogicalTypes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.LargeVarBinaryVector;
import org.apache.arrow.vector.LargeVarCharVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryProvider.MapDictionaryProvider;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lance.ipc.ScanOptions;

/**
 * Real Lance reads dictionaries, packed structs, JSON, bfloat16, blobs and columns with encoding
 * hints that Narwhal writes, and so does Narwhal.
 *
 * <p>{@code -Dtest.seed=N} changes the values.
 */
class SpecialColumnsWrittenTest {
  private static final List<Integer> FRAGMENTS = List.of(1100, 1, 60);
  private static final long SEED = Long.getLong("test.seed", 20_261_130L);
  private static final MapDictionaryProvider NONE = new MapDictionaryProvider();

  @TempDir private Path folder;

  static Stream<Arguments> versions() {
    return Stream.of("2.0", "2.1", "2.2")
        .flatMap(
            version ->
                Stream.of(Nulls.NONE, Nulls.SOME, Nulls.ALL)
                    .map(nulls -> Arguments.of(version, nulls)));
  }

  @ParameterizedTest(name = "{0} nulls {1}")
  @MethodSource("versions")
  void dictionaries(String version, Nulls nulls) throws IOException {
    try (BufferAllocator allocator = new RootAllocator();
        MapDictionaryProvider dictionaries = new MapDictionaryProvider()) {
      List<Field> fields = new ArrayList<>();
      long id = 1;
      for (ArrowType type :
          List.of(
              new ArrowType.Utf8(),
              new ArrowType.LargeUtf8(),
              new ArrowType.Binary(),
              new ArrowType.LargeBinary())) {
        int bits = 8 << (id - 1);
        DictionaryEncoding encoding =
            new DictionaryEncoding(id, false, new ArrowType.Int(bits, true));
        FieldVector values = Field.notNullable("v", type).createVector(allocator);
        RandomColumns.fill(values, 20 + (int) id, Shape.UNIFORM, Nulls.NONE, SEED + id);
        dictionaries.put(new Dictionary(values, encoding));
        fields.add(
            new Field("d" + id, new FieldType(true, encoding.getIndexType(), encoding), List.of()));
        id++;
      }
      Schema schema = new Schema(fields);
      List<String> given = new ArrayList<>();
      OurWriter.at(folder, version)
          .withPages(1 << 20, 2)
          .create(
              LogicalTypes.of(schema, dictionaries),
              schema,
              dictionaries,
              FRAGMENTS,
              (batch, fragment, rows) -> {
                for (FieldVector indices : batch.getFieldVectors()) {
                  SpecialColumns.fillIndices(indices, rows, 20, nulls, SEED + fragment);
                }
                batch.setRowCount(rows);
                given.addAll(Texts.of(batch.getFieldVectors(), rows, dictionaries));
              });
      assertBothRead(given);
    }
  }

  @ParameterizedTest(name = "{0} nulls {1}")
  @MethodSource("versions")
  void dictionariesBelowStructsAndLists(String version, Nulls nulls) throws IOException {
    try (BufferAllocator allocator = new RootAllocator();
        MapDictionaryProvider dictionaries = new MapDictionaryProvider()) {
      DictionaryEncoding encoding = new DictionaryEncoding(1, false, new ArrowType.Int(16, true));
      FieldVector values = Field.notNullable("v", new ArrowType.Utf8()).createVector(allocator);
      RandomColumns.fill(values, 20, Shape.UNIFORM, Nulls.NONE, SEED);
      dictionaries.put(new Dictionary(values, encoding));
      Field below =
          new Field("item", new FieldType(true, encoding.getIndexType(), encoding), List.of());
      Schema schema =
          new Schema(
              List.of(
                  new Field("s", FieldType.notNullable(new ArrowType.Struct()), List.of(below)),
                  new Field("l", FieldType.nullable(new ArrowType.List()), List.of(below))));
      List<String> given = new ArrayList<>();
      OurWriter.at(folder, version)
          .create(
              LogicalTypes.of(schema, dictionaries),
              schema,
              dictionaries,
              FRAGMENTS,
              (batch, fragment, rows) -> {
                StructVector struct = (StructVector) batch.getVector("s");
                ListVector lists = (ListVector) batch.getVector("l");
                SpecialColumns.fillIndices(
                    struct.getChildrenFromFields().get(0), rows, 20, nulls, SEED);
                SpecialColumns.fillIndices(lists.getDataVector(), 3 * rows, 20, nulls, SEED);
                for (int row = 0; row < rows; row++) {
                  struct.setIndexDefined(row);
                  lists.startNewValue(row);
                  lists.endValue(row, row % 4);
                }
                struct.setValueCount(rows);
                lists.setValueCount(rows);
                batch.setRowCount(rows);
                given.addAll(Texts.of(batch.getFieldVectors(), rows, dictionaries));
              });
      assertBothRead(given);
    }
  }

  /** Real Lance stores JSON as JSONB, whichever text it came in. */
  @ParameterizedTest
  @ValueSource(strings = {"2.0", "2.1", "2.2"})
  void jsonInLargeText(String version) throws IOException {
    Field plain = SpecialColumns.json("j");
    Field large =
        new Field(
            "j", new FieldType(true, new ArrowType.LargeUtf8(), null, plain.getMetadata()), null);
    for (Field field : List.of(plain, large)) {
      OurWriter.at(folder.resolve(field.getType().toString()), version)
          .create(
              new Schema(List.of(field)),
              FRAGMENTS,
              (batch, fragment, rows) -> {
                for (int row = 0; row < rows; row++) {
                  byte[] text = ("{\"row\":" + row + "}").getBytes(StandardCharsets.US_ASCII);
                  if (batch.getVector(0) instanceof LargeVarCharVector texts) {
                    texts.setSafe(row, text);
                  } else {
                    ((VarCharVector) batch.getVector(0)).setSafe(row, text);
                  }
                }
                batch.setRowCount(rows);
              });
    }
    List<String> expected = judged(folder.resolve(plain.getType().toString()));
    assertThat(expected.get(7)).contains("row").contains("7");
    Path other = folder.resolve(large.getType().toString());
    assertThat(judged(other)).isEqualTo(expected);
    assertThat(Texts.read(other)).isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0} nulls {1}")
  @MethodSource("versions")
  void packedStructs(String version, Nulls nulls) throws IOException {
    List<Field> fields = new ArrayList<>(List.of(SpecialColumns.packed("p")));
    if (!version.equals("2.1")) {
      fields.add(SpecialColumns.packedWithLists("l"));
    }
    if (version.equals("2.2")) {
      fields.add(SpecialColumns.packedWithStrings("s"));
    }
    fields.add(
        SpecialColumns.nullable(
            "outer", new ArrowType.Struct(), Map.of(), SpecialColumns.packed("inner")));
    fields.add(
        SpecialColumns.nullable(
            "list", new ArrowType.List(), Map.of(), SpecialColumns.packed("item")));
    Nulls kept = version.equals("2.0") ? Nulls.NONE : nulls;
    List<String> given = new ArrayList<>();
    OurWriter.at(folder, version)
        .create(
            new Schema(fields),
            FRAGMENTS,
            (batch, fragment, rows) -> {
              for (FieldVector vector : batch.getFieldVectors()) {
                if (vector instanceof ListVector lists) {
                  SpecialColumns.fillLists(lists, rows, kept, SEED + fragment);
                } else {
                  SpecialColumns.fillStruct((StructVector) vector, rows, kept, SEED + fragment);
                }
              }
              batch.setRowCount(rows);
              given.addAll(Texts.of(batch.getFieldVectors(), rows, NONE));
            });
    assertBothRead(given);
  }

  @ParameterizedTest(name = "{0} nulls {1}")
  @MethodSource("versions")
  void jsonAndBfloat16(String version, Nulls nulls) throws IOException {
    Schema schema = new Schema(List.of(SpecialColumns.json("j"), SpecialColumns.bfloat16("v", 8)));
    JudgeWriter.Filler filler =
        (batch, fragment, rows) -> {
          SpecialColumns.fillJson(
              (VarCharVector) batch.getVector("j"), rows, nulls, SEED + fragment);
          FixedSizeListVector vectors = (FixedSizeListVector) batch.getVector("v");
          RandomColumns.fill(vectors, rows, Shape.UNIFORM, nulls, SEED + fragment);
          batch.setRowCount(rows);
        };
    OurWriter.at(folder.resolve("ours"), version).create(schema, FRAGMENTS, filler);
    JudgeWriter.at(folder.resolve("theirs"), version).create(schema, FRAGMENTS, filler);

    // documents come back in another form than they were given, whoever wrote them
    List<String> theirs = judged(folder.resolve("theirs"));
    assertThat(judged(folder.resolve("ours"))).isEqualTo(theirs);
    assertThat(Texts.read(folder.resolve("ours"))).isEqualTo(theirs);
  }

  @ParameterizedTest(name = "{0} nulls {1}")
  @MethodSource("versions")
  void blobs(String version, Nulls nulls) throws IOException {
    // tables of 2.2 have blobs of another kind
    String written = version.equals("2.2") ? "2.1" : version;
    List<String> given = new ArrayList<>();
    OurWriter.at(folder, written)
        .withPages(64 << 10, 2)
        .create(
            new Schema(
                List.of(
                    SpecialColumns.blob("b"),
                    SpecialColumns.nullable(
                        "s", new ArrowType.Struct(), Map.of(), SpecialColumns.blob("below")))),
            List.of(90, 2, 40),
            (batch, fragment, rows) -> {
              SpecialColumns.fillBlobs(
                  (LargeVarBinaryVector) batch.getVector("b"), rows, nulls, SEED + fragment);
              SpecialColumns.fillStruct(
                  (StructVector) batch.getVector("s"),
                  rows,
                  written.equals("2.0") ? Nulls.NONE : nulls,
                  SEED + fragment);
              batch.setRowCount(rows);
              given.addAll(Texts.of(batch.getFieldVectors(), rows, NONE));
            });
    assertThat(Texts.readBlobs(folder)).isEqualTo(given);
    assertThat(Texts.read(folder)).isEqualTo(judged(folder));
    assertBlobsOfTheJudge(given);
  }

  @ParameterizedTest
  @EnumSource(
      value = Nulls.class,
      names = {"NONE", "SOME", "ALL"})
  void blobsOfTheSecondKind(Nulls nulls) throws IOException {
    List<String> given = new ArrayList<>();
    OurWriter.at(folder, "2.2")
        .withPages(64 << 10, 2)
        .create(
            new Schema(List.of(SpecialColumns.blobV2("b"))),
            List.of(60, 2, 20),
            (batch, fragment, rows) -> {
              StructVector blobs = (StructVector) batch.getVector("b");
              SpecialColumns.fillBlobsV2(blobs, rows, nulls, SEED + fragment);
              batch.setRowCount(rows);
              LargeVarBinaryVector data = (LargeVarBinaryVector) blobs.getChild("data");
              for (int row = 0; row < rows; row++) {
                given.add(
                    "{\"b\":"
                        + (blobs.isNull(row)
                            ? "null"
                            : "\"hex:" + HexFormat.of().formatHex(data.get(row)) + '"')
                        + '}');
              }
            });
    assertThat(Texts.readBlobs(folder)).isEqualTo(given);
    assertBlobsOfTheJudge(given);
  }

  /** The bytes, by the interface that real Lance has for them. */
  private void assertBlobsOfTheJudge(List<String> given) throws IOException {
    try (LanceJudge judge = LanceJudge.open(folder)) {
      Random random = new Random(SEED);
      List<Long> rows =
          random.longs(0, given.size()).distinct().limit(12).sorted().boxed().toList();
      var blobs = judge.dataset().takeBlobsByIndices(rows, "b");
      // of the first kind nulls come as empty blobs, of the second not at all
      boolean withNulls = blobs.size() == rows.size();
      int at = 0;
      for (long row : rows) {
        String text = given.get((int) row);
        if (text.startsWith("{\"b\":null")) {
          at += withNulls ? 1 : 0;
        } else {
          byte[] bytes = blobs.get(at++).read();
          assertThat(text).startsWith("{\"b\":\"hex:" + HexFormat.of().formatHex(bytes) + '"');
        }
      }
      assertThat(blobs).hasSize(at);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.0", "2.1", "2.2"})
  void encodingHints(String version) throws IOException {
    List<Field> fields = new ArrayList<>();
    int number = 0;
    for (Map<String, String> hint :
        List.of(
            Map.of("lance-encoding:compression", "zstd"),
            Map.of("lance-encoding:compression", "lz4"),
            Map.of("lance-encoding:compression", "none"),
            Map.of("lance-encoding:compression", "zstd", "lance-encoding:bss", "on"),
            Map.of("lance-encoding:structural-encoding", "fullzip"),
            Map.of("lance-encoding:structural-encoding", "miniblock"))) {
      for (Field field : PrimitiveTypes.fields(true)) {
        fields.add(
            new Field(
                "c" + number++,
                new FieldType(true, field.getType(), null, hint),
                field.getChildren()));
      }
    }
    List<String> given = new ArrayList<>();
    OurWriter.at(folder, version)
        .create(
            new Schema(fields),
            List.of(3000, 5),
            (batch, fragment, rows) -> {
              Shape[] shapes = Shape.values();
              int column = 0;
              for (FieldVector vector : batch.getFieldVectors()) {
                Shape shape = shapes[(column / 7 + column) % shapes.length];
                Nulls nulls = column % 3 == 0 ? Nulls.NONE : Nulls.SOME;
                RandomColumns.fill(vector, rows, shape, nulls, SEED + column++);
              }
              batch.setRowCount(rows);
              given.addAll(Texts.of(batch.getFieldVectors(), rows, NONE));
            });
    assertBothRead(given);
  }

  /** Metadata that says packed means nothing but on a struct; real Lance writes it all the same. */
  @ParameterizedTest
  @ValueSource(strings = {"2.0", "2.1", "2.2"})
  void listsThatSayTheyArePacked(String version) throws IOException {
    Map<String, String> says = Map.of("packed", "true", "lance-encoding:packed", "true");
    Schema schema =
        new Schema(
            List.of(
                new Field(
                    "l",
                    new FieldType(true, new ArrowType.List(), null, says),
                    List.of(Field.nullable("item", new ArrowType.Utf8())))));
    List<String> given = new ArrayList<>();
    OurWriter.at(folder.resolve("ours"), version)
        .create(schema, FRAGMENTS, (batch, fragment, rows) -> fillLists(batch, rows, given));
    assertThat(Texts.read(folder.resolve("ours"))).isEqualTo(given);
    assertThat(judged(folder.resolve("ours"))).isEqualTo(given);
    given.clear();
    JudgeWriter.at(folder.resolve("theirs"), version)
        .create(schema, FRAGMENTS, (batch, fragment, rows) -> fillLists(batch, rows, given));
    assertThat(Texts.read(folder.resolve("theirs"))).isEqualTo(given);
  }

  private static void fillLists(VectorSchemaRoot batch, int rows, List<String> given) {
    ListVector lists = (ListVector) batch.getVector("l");
    for (int row = 0; row < rows; row++) {
      if (row % 7 == 3) {
        lists.setNull(row);
        continue;
      }
      int first = lists.startNewValue(row);
      for (int i = 0; i < row % 4; i++) {
        byte[] text = ("text " + row).getBytes(StandardCharsets.US_ASCII);
        ((VarCharVector) lists.getDataVector()).setSafe(first + i, text);
      }
      lists.endValue(row, row % 4);
    }
    lists.setValueCount(rows);
    batch.setRowCount(rows);
    given.addAll(Texts.of(batch.getFieldVectors(), rows, NONE));
  }

  /** Few values, and none at all, of which a dictionary of 2.0 cannot be made. */
  @ParameterizedTest(name = "{0} nulls {1}")
  @MethodSource("versions")
  void text(String version, Nulls nulls) throws IOException {
    List<Field> fields =
        List.of(
            Field.nullable("text", new ArrowType.Utf8()),
            Field.nullable("large", new ArrowType.LargeUtf8()),
            Field.nullable("binary", new ArrowType.Binary()));
    List<String> given = new ArrayList<>();
    OurWriter.at(folder, version)
        .create(
            new Schema(fields),
            FRAGMENTS,
            (batch, fragment, rows) -> {
              for (FieldVector vector : batch.getFieldVectors()) {
                RandomColumns.fill(vector, rows, Shape.FEW, nulls, SEED);
              }
              batch.setRowCount(rows);
              given.addAll(Texts.of(batch.getFieldVectors(), rows, NONE));
            });
    assertBothRead(given);
  }

  private void assertBothRead(List<String> given) throws IOException {
    assertThat(Texts.read(folder)).isEqualTo(given);
    assertThat(judged(folder)).isEqualTo(given);
  }

  private static List<String> judged(Path dataset) throws IOException {
    try (LanceJudge judge = LanceJudge.open(dataset)) {
      return Texts.of(judge, new ScanOptions.Builder().build());
    }
  }
}
