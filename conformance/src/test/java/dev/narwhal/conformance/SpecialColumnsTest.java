package dev.narwhal.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.narwhal.conformance.RandomColumns.Nulls;
import dev.narwhal.conformance.RandomColumns.Shape;
import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.datafile.LanceFile;
import dev.narwhal.lance.scan.BatchReader;
import dev.narwhal.lance.scan.ScanOptions;
import dev.narwhal.lance.schema.BlobMode;
import dev.narwhal.lance.schema.LanceField;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.LargeVarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Narwhal reads dictionaries, packed structs, JSON, bfloat16 and blobs that real Lance writes now
 * as real Lance reads them itself, whole and in parts.
 *
 * <p>{@code -Dtest.seed=N} changes the values.
 */
class SpecialColumnsTest {
  private static final List<Integer> FRAGMENTS = List.of(1100, 1, 60);
  private static final long SEED = Long.getLong("test.seed", 20_261_130L);
  private static final List<String> VERSIONS = List.of("2.0", "2.1", "2.2");

  @TempDir private Path folder;

  static Stream<Arguments> versions() {
    return Stream.concat(
        VERSIONS.stream().map(version -> Arguments.of(version, Nulls.SOME)),
        Stream.of(
            Arguments.of("2.0", Nulls.ALL),
            Arguments.of("2.1", Nulls.NONE),
            Arguments.of("2.2", Nulls.ALL)));
  }

  @ParameterizedTest(name = "{0} nulls {1}")
  @MethodSource("versions")
  void dictionariesAreTheirValues(String version, Nulls nulls) throws IOException {
    Schema schema =
        new Schema(
            List.of(
                SpecialColumns.dictionary("few", 1, new ArrowType.Utf8(), 8),
                SpecialColumns.dictionary("many", 2, new ArrowType.Utf8(), 32),
                SpecialColumns.dictionary("binary", 3, new ArrowType.LargeBinary(), 16),
                SpecialColumns.dictionary("wide", 4, new ArrowType.LargeUtf8(), 64)));
    CanonicalRows given = new CanonicalRows();
    JudgeWriter.at(dataset(), version)
        .create(
            schema,
            FRAGMENTS,
            (batch, dictionaries, fragment, rows) -> {
              fillDictionaries(batch, dictionaries, rows, nulls, SEED + fragment);
              given.add(batch, dictionaries);
            });
    assertThat(OurRows.of(dataset()).firstRows()).isEqualTo(given.result().firstRows());
    assertThat(OurRows.of(dataset())).isEqualTo(given.result());
    assertReadsAsTheJudge();
  }

  @ParameterizedTest(name = "{0} nulls {1}")
  @MethodSource("versions")
  void packedStructsAreStructs(String version, Nulls nulls) throws IOException {
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
    // 2.0 has no null structs: real Lance ends the process
    Nulls kept = version.equals("2.0") ? Nulls.NONE : nulls;
    JudgeWriter.at(dataset(), version)
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
            });
    assertReadsAsTheJudge();
  }

  @ParameterizedTest(name = "{0} nulls {1}")
  @MethodSource("versions")
  void jsonIsTheTextOfTheJudgeAndBfloat16ItsBytes(String version, Nulls nulls) throws IOException {
    JudgeWriter.at(dataset(), version)
        .create(
            new Schema(List.of(SpecialColumns.json("j"), SpecialColumns.bfloat16("v", 8))),
            FRAGMENTS,
            (batch, fragment, rows) -> {
              SpecialColumns.fillJson(
                  (VarCharVector) batch.getVector("j"), rows, nulls, SEED + fragment);
              FixedSizeListVector vectors = (FixedSizeListVector) batch.getVector("v");
              RandomColumns.fill(vectors, rows, Shape.UNIFORM, nulls, SEED + fragment);
              batch.setRowCount(rows);
            });
    assertReadsAsTheJudge();
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.0", "2.1"})
  void blobsAreDescriptorsOrTheBytesThatWereWritten(String version) throws IOException {
    List<String> given = new ArrayList<>();
    JudgeWriter.at(dataset(), version)
        .create(
            new Schema(
                List.of(
                    SpecialColumns.blob("b"),
                    SpecialColumns.nullable(
                        "s", new ArrowType.Struct(), Map.of(), SpecialColumns.blob("below")))),
            List.of(90, 1, 40),
            (batch, fragment, rows) -> {
              LargeVarBinaryVector blobs = (LargeVarBinaryVector) batch.getVector("b");
              SpecialColumns.fillBlobs(blobs, rows, Nulls.SOME, SEED + fragment);
              StructVector structs = (StructVector) batch.getVector("s");
              SpecialColumns.fillStruct(
                  structs,
                  rows,
                  // 2.0 has no null structs
                  version.equals("2.0") ? Nulls.NONE : Nulls.SOME,
                  SEED + fragment);
              batch.setRowCount(rows);
              given.addAll(texts(batch.getFieldVectors(), rows));
            });
    assertReadsAsTheJudge();
    assertThat(blobRows(ScanOptions.of(List.of("b", "s")))).isEqualTo(given);
    assertFiles(LanceJudge.judge(dataset()), given, BlobMode.BYTES);
    // predicates see descriptors, of which none is null in 2.0
    assertFilteredRows(given, version.equals("2.0") ? Nulls.NONE : Nulls.SOME);
  }

  @Test
  void blobsOfTheSecondKindAreReadWhereverTheyAre() throws IOException {
    List<String> given = new ArrayList<>();
    JudgeWriter.at(dataset(), "2.2")
        .create(
            new Schema(List.of(SpecialColumns.blobV2("b"))),
            List.of(60, 1, 20),
            (batch, fragment, rows) -> {
              StructVector blobs = (StructVector) batch.getVector("b");
              SpecialColumns.fillBlobsV2(blobs, rows, Nulls.SOME, SEED + fragment);
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
    assertThat(blobRows(ScanOptions.of(List.of("b")))).isEqualTo(given);
    assertFiles(LanceJudge.judge(dataset()), given, BlobMode.BYTES);
    assertFilteredRows(given, Nulls.SOME);

    // real Lance gives zeros for null descriptors, which the file tells apart
    String zeros = "{\"kind\":0,\"position\":0,\"size\":0,\"blob_id\":0,\"blob_uri\":\"\"}";
    List<String> ours = new ArrayList<>();
    int nulls = 0;
    try (BufferAllocator allocator = new RootAllocator();
        BatchReader reader = Dataset.open(dataset().toString(), allocator).read()) {
      while (reader.next()) {
        for (String row : texts(reader.batch().getFieldVectors(), reader.batch().getRowCount())) {
          nulls += row.equals("{\"b\":null}") ? 1 : 0;
          ours.add(row.replace("null", zeros));
        }
      }
    }
    assertThat(nulls).isEqualTo((int) given.stream().filter(row -> row.endsWith("null}")).count());
    List<String> theirs = new ArrayList<>();
    try (LanceJudge judge = LanceJudge.open(dataset())) {
      judge.scan(
          new org.lance.ipc.ScanOptions.Builder().build(),
          (batch, dictionaries) ->
              theirs.addAll(texts(batch.getFieldVectors(), batch.getRowCount())));
    }
    assertThat(ours).isEqualTo(theirs);
  }

  private Path dataset() {
    return folder.resolve("ds");
  }

  /** As a dataset, and each file in parts and by takes. */
  private void assertReadsAsTheJudge() throws IOException {
    LanceJudge.Verdict verdict = LanceJudge.judge(dataset());
    CanonicalRows.Result ours = OurRows.of(dataset());
    assertThat(ours.firstRows()).isEqualTo(verdict.rows().firstRows());
    assertThat(ours).isEqualTo(verdict.rows());

    List<String> rows = new ArrayList<>();
    try (BufferAllocator allocator = new RootAllocator();
        BatchReader reader = Dataset.open(dataset().toString(), allocator).read()) {
      while (reader.next()) {
        rows.addAll(texts(reader.batch().getFieldVectors(), reader.batch().getRowCount()));
      }
    }
    assertFiles(verdict, rows, BlobMode.DESCRIPTORS);
  }

  /** Few rows, of which only those without a null blob. */
  private void assertFilteredRows(List<String> rows, Nulls nulls) throws IOException {
    List<String> odd = new ArrayList<>();
    try (BufferAllocator allocator = new RootAllocator()) {
      Dataset dataset = Dataset.open(dataset().toString(), allocator);
      List<String> columns = dataset.columnNames();
      ScanOptions few =
          ScanOptions.of(columns)
              .withBlobs(BlobMode.BYTES)
              .withFilter(dataset.predicate("_rowoffset % 20 = 3 and b is not null"));
      try (BatchReader reader = dataset.scan(few).read(allocator)) {
        while (reader.next()) {
          odd.addAll(texts(reader.batch().getFieldVectors(), reader.batch().getRowCount()));
        }
      }
    }
    List<String> expected = new ArrayList<>();
    for (int row = 3; row < rows.size(); row += 20) {
      if (nulls == Nulls.NONE || !rows.get(row).startsWith("{\"b\":null")) {
        expected.add(rows.get(row));
      }
    }
    assertThat(odd).isNotEmpty().isEqualTo(expected);
  }

  private List<String> blobRows(ScanOptions options) throws IOException {
    List<String> rows = new ArrayList<>();
    try (BufferAllocator allocator = new RootAllocator();
        BatchReader reader =
            Dataset.open(dataset().toString(), allocator)
                .scan(options.withBlobs(BlobMode.BYTES))
                .read(allocator)) {
      while (reader.next()) {
        rows.addAll(texts(reader.batch().getFieldVectors(), reader.batch().getRowCount()));
      }
    }
    return rows;
  }

  /** The files of the dataset, one after the other, hold these rows. */
  private void assertFiles(LanceJudge.Verdict verdict, List<String> rows, BlobMode blobs)
      throws IOException {
    Random random = new Random(SEED);
    int first = 0;
    for (JudgedFragment fragment : verdict.fragments()) {
      Path path = dataset().resolve("data").resolve(fragment.dataFiles().get(0));
      try (LanceFile file = OurFiles.open(path);
          BufferAllocator allocator = new RootAllocator()) {
        int count = Math.toIntExact(file.rows());
        List<String> expected = rows.subList(first, first + count);
        for (int part = 0; part < 4; part++) {
          assertPart(file, blobs, expected, random, allocator);
        }
        first += count;
      }
    }
    assertThat(first).isEqualTo(rows.size());
  }

  private static void assertPart(
      LanceFile file,
      BlobMode blobs,
      List<String> expected,
      Random random,
      BufferAllocator allocator)
      throws IOException {
    int from = random.nextInt(expected.size());
    int count = 1 + random.nextInt(expected.size() - from);
    int[] offsets =
        random.ints(0, expected.size() - from).distinct().limit(1 + count / 9).sorted().toArray();
    List<FieldVector> read = new ArrayList<>();
    List<FieldVector> taken = new ArrayList<>();
    try {
      for (LanceField field : file.schema().topLevel()) {
        read.add(file.column(field, blobs).read(from, count, allocator));
        taken.add(file.column(field, blobs).take(from, offsets, allocator));
      }
      assertThat(texts(read, count)).isEqualTo(expected.subList(from, from + count));
      assertThat(texts(taken, offsets.length))
          .isEqualTo(Arrays.stream(offsets).mapToObj(i -> expected.get(from + i)).toList());
    } finally {
      read.forEach(FieldVector::close);
      taken.forEach(FieldVector::close);
    }
  }

  private static void fillDictionaries(
      VectorSchemaRoot batch, DictionaryProvider dictionaries, int rows, Nulls nulls, long seed) {
    for (FieldVector indices : batch.getFieldVectors()) {
      FieldVector values =
          dictionaries.lookup(indices.getField().getDictionary().getId()).getVector();
      int size = indices.getName().equals("few") ? 20 : 90;
      RandomColumns.fill(values, size, Shape.UNIFORM, Nulls.NONE, seed);
      SpecialColumns.fillIndices(indices, rows, size, nulls, seed);
    }
    batch.setRowCount(rows);
  }

  private static List<String> texts(List<FieldVector> columns, int rows) {
    DictionaryProvider none = new DictionaryProvider.MapDictionaryProvider();
    CanonicalValue row =
        CanonicalValue.object(
            columns.stream().map(FieldVector::getName).toList(),
            columns.stream().map(column -> CanonicalValue.of(column, none)).toList());
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      texts.add(CanonicalValue.text(row, i));
    }
    return texts;
  }
}
