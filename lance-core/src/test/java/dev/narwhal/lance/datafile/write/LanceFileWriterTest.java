package dev.narwhal.lance.datafile.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.narwhal.lance.datafile.FileVersion;
import dev.narwhal.lance.datafile.LanceFile;
import dev.narwhal.lance.datafile.PageInfo;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.schema.LanceSchema;
import dev.narwhal.lance.schema.LogicalTypes;
import dev.narwhal.lance.storage.FaultyObjectStore;
import dev.narwhal.lance.storage.FaultyObjectStore.Fault;
import dev.narwhal.lance.storage.LocalObjectStore;
import dev.narwhal.lance.storage.MemoryObjectStore;
import dev.narwhal.lance.storage.ObjectStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryProvider.MapDictionaryProvider;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What the writer promises beside the values, which are compared with real Lance elsewhere. */
class LanceFileWriterTest {
  private static final ArrowType LONG = new ArrowType.Int(64, true);
  private static final ArrowType INT = new ArrowType.Int(32, true);
  private static final ArrowType TEXT = new ArrowType.Utf8();
  private static final String PATH = "data/a.lance";
  private static final Schema PLAIN =
      new Schema(List.of(Field.notNullable("id", LONG), Field.nullable("name", TEXT)));

  private final BufferAllocator allocator = new RootAllocator();
  private final MemoryObjectStore store = new MemoryObjectStore();

  @AfterEach
  void nothingLeaks() {
    allocator.close();
  }

  @ParameterizedTest
  @EnumSource(
      value = FileVersion.class,
      names = {"V2_0", "V2_1", "V2_2"})
  void theFileAppearsWhenItIsFinished(FileVersion version) throws IOException {
    try (LanceFileWriter writer = writer(store, PLAIN, WriterOptions.of(version));
        VectorSchemaRoot batch = plain(1000)) {
      writer.write(batch);
      writer.write(batch);
      assertThat(writer.rows()).isEqualTo(2000);
      assertThat(store.exists(PATH)).isFalse();
      DataFileSummary summary = writer.finish();
      assertThat(summary.rows()).isEqualTo(2000);
      assertThat(summary.sizeBytes()).isEqualTo(store.read(PATH).remaining());
      assertThat(summary.majorVersion()).isEqualTo(2);
      assertThat(summary.minorVersion()).isEqualTo(version.minor());
      assertThat(summary.fieldIds()).containsExactly(0, 1);
      assertThat(summary.columnIndices()).containsExactly(0, 1);
      assertThatIllegalStateException()
          .isThrownBy(() -> writer.write(batch))
          .withMessageContaining("FINISHED");
      assertThatIllegalStateException().isThrownBy(writer::finish);
    }
    try (LanceFile file = LanceFile.open(store, PATH)) {
      assertThat(file.version()).isEqualTo(version);
      assertThat(file.rows()).isEqualTo(2000);
      try (FieldVector ids = file.column(file.schema().topLevel().get(0)).read(990, 20, allocator);
          FieldVector names =
              file.column(file.schema().topLevel().get(1)).read(990, 20, allocator)) {
        assertThat(((BigIntVector) ids).get(9)).isEqualTo(999);
        assertThat(((BigIntVector) ids).get(10)).isZero();
        assertThat(names.isNull(10)).isTrue();
        assertThat(((VarCharVector) names).getObject(9)).hasToString("name 999");
      }
    }
  }

  @Test
  void closedBeforeTheEndItLeavesNothing(@TempDir Path folder) throws IOException {
    ObjectStore local = LocalObjectStore.at(folder);
    try (LanceFileWriter writer = writer(local, PLAIN, WriterOptions.defaults());
        VectorSchemaRoot batch = plain(1000)) {
      writer.write(batch);
    }
    assertThat(local.list("data")).isEmpty();
  }

  @Test
  void aFailureOfTheStoreAtAnyCallLeavesNothing(@TempDir Path folder) throws IOException {
    int n = 1;
    while (true) {
      Path place = folder.resolve(Integer.toString(n));
      ObjectStore local = LocalObjectStore.at(place);
      FaultyObjectStore faulty = new FaultyObjectStore(local, Fault.FAIL, n);
      boolean failed = false;
      try (VectorSchemaRoot batch = plain(5000);
          LanceFileWriter writer =
              writer(faulty, PLAIN, WriterOptions.defaults().withPageBytes(16 << 10))) {
        writer.write(batch);
        writer.finish();
      } catch (IOException e) {
        failed = true;
        assertThat(e).hasMessageContaining("injected");
      }
      assertThat(local.list("data")).hasSize(failed ? 0 : 1);
      if (!failed) {
        assertThat(faulty.struck()).isFalse();
        break;
      }
      n++;
    }
    assertThat(n).isGreaterThan(20);
  }

  static Stream<Arguments> misfits() {
    Field list = new Field("l", FieldType.nullable(new ArrowType.List()), List.of(item(INT)));
    return Stream.of(
        Arguments.of(
            List.of(Field.nullable("a", LONG)), List.of(Field.nullable("a", INT)), "'a'", "Int(32"),
        Arguments.of(
            List.of(Field.nullable("a", LONG)),
            List.of(Field.nullable("b", LONG)),
            "'a'",
            "not in"),
        Arguments.of(
            List.of(Field.nullable("a", LONG)),
            List.of(Field.nullable("a", LONG), Field.nullable("b", LONG)),
            "[a, b]",
            "[a]"),
        Arguments.of(
            List.of(list),
            List.of(new Field("l", FieldType.nullable(new ArrowType.List()), List.of(item(LONG)))),
            "'l.item'",
            "Int(64"),
        Arguments.of(
            List.of(struct("x", INT)), List.of(struct("y", INT)), "child 0 is 'y'", "'x'"));
  }

  private static Field item(ArrowType type) {
    return Field.nullable("item", type);
  }

  private static Field struct(String child, ArrowType type) {
    return new Field(
        "s", FieldType.nullable(new ArrowType.Struct()), List.of(Field.nullable(child, type)));
  }

  /** Indices of another width, or a dictionary of something else, would be taken for others. */
  @ParameterizedTest
  @EnumSource(
      value = FileVersion.class,
      names = {"V2_0", "V2_1", "V2_2"})
  void aDictionaryOfAnotherKindIsRefused(FileVersion version) throws IOException {
    try (MapDictionaryProvider dictionaries = new MapDictionaryProvider()) {
      List<Field> fields = new ArrayList<>();
      for (ArrowType values : List.of(TEXT, new ArrowType.Binary())) {
        for (int bits : new int[] {8, 32}) {
          DictionaryEncoding encoding =
              new DictionaryEncoding(fields.size(), false, new ArrowType.Int(bits, true));
          FieldVector dictionary = Field.notNullable("v", values).createVector(allocator);
          dictionary.setInitialCapacity(3);
          dictionary.allocateNew();
          dictionary.setValueCount(3);
          for (int i = 0; i < 3 && dictionary instanceof VarCharVector texts; i++) {
            texts.set(i, new byte[] {(byte) ('x' + i)});
          }
          for (int i = 0; i < 3 && dictionary instanceof VarBinaryVector binary; i++) {
            binary.set(i, new byte[] {(byte) 0xFF});
          }
          dictionaries.put(new Dictionary(dictionary, encoding));
          fields.add(
              new Field("d", new FieldType(true, encoding.getIndexType(), encoding), List.of()));
        }
      }
      LanceSchema schema = LogicalTypes.of(new Schema(List.of(fields.get(0))), dictionaries);
      for (int i = 0; i < fields.size(); i++) {
        Field field = fields.get(i);
        try (LanceFileWriter writer =
                LanceFileWriter.create(store, PATH, schema, WriterOptions.of(version));
            VectorSchemaRoot batch =
                VectorSchemaRoot.create(new Schema(List.of(field)), allocator)) {
          batch.allocateNew();
          ((BaseIntVector) batch.getVector(0)).setWithPossibleTruncate(0, 2);
          batch.setRowCount(1);
          if (i == 0) {
            writer.write(batch, dictionaries);
          } else {
            assertThatIllegalArgumentException()
                .isThrownBy(() -> writer.write(batch, dictionaries))
                .withMessageContaining("'d'")
                .withMessageContaining("the schema has");
          }
        }
      }
    }
  }

  @ParameterizedTest(name = "{2} {3}")
  @MethodSource("misfits")
  void saysWhichVectorDoesNotFitAndHow(
      List<Field> schema, List<Field> found, String which, String how) throws IOException {
    try (LanceFileWriter writer = writer(store, new Schema(schema), WriterOptions.defaults());
        VectorSchemaRoot batch = VectorSchemaRoot.create(new Schema(found), allocator)) {
      batch.allocateNew();
      batch.setRowCount(0);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> writer.write(batch))
          .withMessageContaining(which)
          .withMessageContaining(how);
      assertThatIllegalStateException()
          .isThrownBy(writer::finish)
          .withMessageContaining("only be closed");
    }
    assertThat(store.exists(PATH)).isFalse();
  }

  @ParameterizedTest
  @EnumSource(
      value = FileVersion.class,
      names = {"V2_0", "V2_1"})
  void refusesANullWhereTheFieldHasNone(FileVersion version) throws IOException {
    Schema schema = new Schema(List.of(Field.notNullable("id", LONG)));
    Schema nullable = new Schema(List.of(Field.nullable("id", LONG)));
    try (LanceFileWriter writer = writer(store, schema, WriterOptions.of(version));
        VectorSchemaRoot batch = VectorSchemaRoot.create(nullable, allocator)) {
      BigIntVector ids = (BigIntVector) batch.getVector("id");
      ids.allocateNew(3);
      ids.set(0, 1);
      ids.setNull(1);
      ids.set(2, 3);
      batch.setRowCount(3);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> writer.write(batch))
          .withMessageContaining("'id'")
          .withMessageContaining("not nullable");
    }
  }

  @Test
  void aNullBelowANullStructIsNoNullOfItsField() throws IOException {
    Schema schema =
        new Schema(
            List.of(
                new Field(
                    "s",
                    FieldType.nullable(new ArrowType.Struct()),
                    List.of(Field.notNullable("x", INT)))));
    try (LanceFileWriter writer = writer(store, schema, WriterOptions.defaults());
        VectorSchemaRoot batch = VectorSchemaRoot.create(schema, allocator)) {
      StructVector structs = (StructVector) batch.getVector("s");
      structs.allocateNew();
      structs.setNull(0);
      structs.setIndexDefined(1);
      ((IntVector) structs.getChild("x")).setNull(0);
      ((IntVector) structs.getChild("x")).setSafe(1, 5);
      batch.setRowCount(2);
      writer.write(batch);
      writer.finish();
    }
    try (LanceFile file = LanceFile.open(store, PATH);
        FieldVector read = file.column(file.schema().topLevel().get(0)).read(0, 2, allocator)) {
      assertThat(read.isNull(0)).isTrue();
      assertThat(((IntVector) ((StructVector) read).getChild("x")).get(1)).isEqualTo(5);
    }
  }

  static Stream<Arguments> refusals() {
    Field struct = struct("x", INT);
    Field map =
        new Field(
            "m",
            FieldType.nullable(new ArrowType.Map(false)),
            List.of(
                new Field(
                    "entries",
                    FieldType.notNullable(new ArrowType.Struct()),
                    List.of(Field.notNullable("key", TEXT), Field.nullable("value", INT)))));
    Field fixed =
        new Field("f", FieldType.nullable(new ArrowType.FixedSizeList(2)), List.of(struct));
    Field listOfFixed = new Field("l", FieldType.nullable(new ArrowType.List()), List.of(fixed));
    Field empty = new Field("e", FieldType.nullable(new ArrowType.Struct()), List.of());
    Field emptyBelow = new Field("o", FieldType.nullable(new ArrowType.Struct()), List.of(empty));
    return Stream.of(
        Arguments.of(FileVersion.V2_0, map, "2.2"),
        Arguments.of(FileVersion.V2_1, map, "maps need data files of version 2.2"),
        Arguments.of(FileVersion.V2_1, fixed, "'f'"),
        Arguments.of(FileVersion.V2_2, listOfFixed, "'l.f'"),
        Arguments.of(FileVersion.V2_1, emptyBelow, "'o.e'"));
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("refusals")
  void refusesWhatTheVersionCannotHave(FileVersion version, Field field, String message) {
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(() -> writer(store, new Schema(List.of(field)), WriterOptions.of(version)))
        .withMessageContaining(message);
  }

  @Test
  void refusesAZoneThatEndsRealLance() {
    Field zoned = Field.nullable("t", new ArrowType.Timestamp(TimeUnit.SECOND, "+05:30"));
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(() -> LogicalTypes.of(new Schema(List.of(zoned))))
        .withMessageContaining("'t'")
        .withMessageContaining("colon");
  }

  @Test
  void refusesHintsThatItDoesNotKnow() {
    Field field =
        new Field(
            "a",
            new FieldType(true, LONG, null, Map.of("lance-encoding:compression", "brotli")),
            List.of());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> writer(store, new Schema(List.of(field)), WriterOptions.defaults()))
        .withMessageContaining("'a'")
        .withMessageContaining("brotli");
  }

  /** The example of the file format sheet, 1.8. */
  @Test
  void theSummaryListsFieldsThatHaveAColumn() throws IOException {
    Field z =
        new Field(
            "item", FieldType.nullable(new ArrowType.Struct()), List.of(Field.nullable("z", INT)));
    Schema schema =
        new Schema(
            List.of(
                Field.nullable("a", INT),
                new Field(
                    "s",
                    FieldType.nullable(new ArrowType.Struct()),
                    List.of(
                        Field.nullable("x", INT),
                        new Field("y", FieldType.nullable(new ArrowType.List()), List.of(z)))),
                new Field(
                    "e", FieldType.nullable(new ArrowType.FixedSizeList(2)), List.of(item(INT))),
                new Field(
                    "p",
                    new FieldType(true, new ArrowType.Struct(), null, Map.of("packed", "true")),
                    List.of(Field.notNullable("u", INT), Field.notNullable("v", INT))),
                new Field(
                    "b",
                    new FieldType(
                        true,
                        new ArrowType.LargeBinary(),
                        null,
                        Map.of("lance-encoding:blob", "true")),
                    List.of())));
    assertThat(empty(schema, FileVersion.V2_0).fieldIds())
        .containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 10);
    DataFileSummary summary = empty(schema, FileVersion.V2_1);
    assertThat(summary.fieldIds()).containsExactly(0, 2, 5, 6, 7, 10);
    assertThat(summary.columnIndices()).containsExactly(0, 1, 2, 3, 4, 5);
    assertThat(summary.columnCount()).isEqualTo(6);
    try (LanceFile file = LanceFile.open(store, PATH)) {
      assertThat(file.rows()).isZero();
      assertThat(file.schema()).isEqualTo(LogicalTypes.of(schema));
    }
  }

  private DataFileSummary empty(Schema schema, FileVersion version) throws IOException {
    try (LanceFileWriter writer = writer(store, schema, WriterOptions.of(version))) {
      return writer.finish();
    }
  }

  @Test
  void pagesFollowTheirSizeWhateverTheBatchesAre() throws IOException {
    Schema schema = new Schema(List.of(Field.notNullable("id", LONG)));
    for (int batches : new int[] {1, 50}) {
      try (LanceFileWriter writer =
          writer(store, schema, WriterOptions.defaults().withPageBytes(64 << 10))) {
        for (int i = 0; i < batches; i++) {
          try (VectorSchemaRoot batch = ids(100_000 / batches)) {
            writer.write(batch);
          }
        }
        writer.finish();
      }
      try (LanceFile file = LanceFile.open(store, PATH)) {
        List<PageInfo> pages = file.pages(0);
        assertThat(pages.stream().mapToLong(PageInfo::rows).sum()).isEqualTo(100_000);
        assertThat(pages.size()).isBetween(12, 16);
      }
    }
  }

  /** Pages of 512 KiB are encoded by other threads than the caller's, those of 8 KiB are not. */
  @ParameterizedTest
  @CsvSource({"8, 20_000, 1", "512, 200_000, 1", "512, 50_000, 4"})
  void threadsDoNotChangeTheFile(int pageKib, int rows, int batches) throws IOException {
    byte[][] files = new byte[2][];
    for (int i = 0; i < 2; i++) {
      WriterOptions options =
          WriterOptions.defaults().withPageBytes(pageKib << 10).withParallelism(1 + 3 * i);
      try (LanceFileWriter writer = writer(store, PLAIN, options);
          VectorSchemaRoot batch = plain(rows)) {
        for (int k = 0; k < batches; k++) {
          writer.write(batch);
        }
        writer.finish();
      }
      files[i] = new byte[store.read(PATH).remaining()];
      store.read(PATH).get(files[i]);
    }
    assertThat(files[0]).isEqualTo(files[1]);
  }

  @Test
  void aColumnsPagesAreInTheOrderOfItsRows() throws IOException {
    int rows = 400_000;
    try (LanceFileWriter writer =
            writer(store, PLAIN, WriterOptions.defaults().withPageBytes(256 << 10));
        VectorSchemaRoot batch = plain(rows)) {
      writer.write(batch);
      writer.finish();
    }
    try (LanceFile file = LanceFile.open(store, PATH)) {
      assertThat(file.pages(1)).hasSizeGreaterThan(20);
      try (FieldVector ids = file.column(file.schema().topLevel().get(0)).read(0, rows, allocator);
          FieldVector names =
              file.column(file.schema().topLevel().get(1)).read(0, rows, allocator)) {
        for (int row = 0; row < rows; row++) {
          assertThat(((BigIntVector) ids).get(row)).isEqualTo(row);
        }
        for (int row = 9; row < rows; row += 1010) {
          assertThat(((VarCharVector) names).getObject(row)).hasToString("name " + row);
        }
      }
    }
  }

  /** Values that come back, however far apart, get a dictionary; those that never do get none. */
  @ParameterizedTest
  @CsvSource({"1_000, true", "40_000, true", "200_000, false"})
  void textGetsADictionaryWhereItComesBack(int distinct, boolean expected) throws IOException {
    Schema schema = new Schema(List.of(Field.notNullable("t", TEXT)));
    int rows = 200_000;
    try (LanceFileWriter writer = writer(store, schema, WriterOptions.defaults());
        VectorSchemaRoot batch = VectorSchemaRoot.create(schema, allocator)) {
      VarCharVector texts = (VarCharVector) batch.getVector("t");
      for (int row = 0; row < rows; row++) {
        String text = "a text of some length, number " + row % distinct;
        texts.setSafe(row, text.getBytes(StandardCharsets.UTF_8));
      }
      batch.setRowCount(rows);
      writer.write(batch);
      writer.finish();
    }
    try (LanceFile file = LanceFile.open(store, PATH)) {
      assertThat(file.pages(0).get(0).encoding().contains("dictionary")).isEqualTo(expected);
    }
  }

  /** Chunks may have 65,535 levels: pages are cut, a row that alone has more is not chunked. */
  @ParameterizedTest
  @EnumSource(
      value = FileVersion.class,
      names = {"V2_1", "V2_2"})
  void longStretchesWithoutValuesAreReadAgain(FileVersion version) throws IOException {
    Field inner = new Field("item", FieldType.nullable(new ArrowType.List()), List.of(item(INT)));
    Schema schema =
        new Schema(
            List.of(new Field("l", FieldType.nullable(new ArrowType.List()), List.of(inner))));
    int rows = 100_000;
    int inOneRow = 70_000;
    try (LanceFileWriter writer = writer(store, schema, WriterOptions.of(version));
        VectorSchemaRoot batch = VectorSchemaRoot.create(schema, allocator)) {
      ListVector outer = (ListVector) batch.getVector("l");
      ListVector lists = (ListVector) outer.getDataVector();
      IntVector items = (IntVector) lists.getDataVector();
      for (int row = 0; row < rows; row++) {
        if (row % 33_333 != 5) {
          outer.setNull(row);
        } else {
          int first = outer.startNewValue(row);
          int count = row == 5 ? inOneRow : 2;
          for (int i = 0; i < count - 1; i++) {
            lists.startNewValue(first + i);
            lists.endValue(first + i, 0);
          }
          int at = lists.startNewValue(first + count - 1);
          items.setSafe(at, row);
          lists.endValue(first + count - 1, 1);
          outer.endValue(row, count);
        }
      }
      outer.setLastSet(rows - 1);
      outer.setValueCount(rows);
      batch.setRowCount(rows);
      writer.write(batch);
      writer.finish();
    }
    try (LanceFile file = LanceFile.open(store, PATH);
        FieldVector read = file.column(file.schema().topLevel().get(0)).read(0, rows, allocator)) {
      ListVector outer = (ListVector) read;
      assertThat(outer.getNullCount()).isEqualTo(rows - 3);
      for (int row = 5; row < rows; row += 33_333) {
        List<?> found = outer.getObject(row);
        assertThat(found).hasSize(row == 5 ? inOneRow : 2);
        assertThat((List<?>) found.get(0)).isEmpty();
        assertThat(found.get(found.size() - 1)).isEqualTo(List.of(row));
      }
    }
  }

  private static LanceFileWriter writer(ObjectStore store, Schema schema, WriterOptions options)
      throws IOException {
    return LanceFileWriter.create(store, PATH, LogicalTypes.of(schema), options);
  }

  private VectorSchemaRoot ids(int rows) {
    Schema schema = new Schema(List.of(Field.notNullable("id", LONG)));
    VectorSchemaRoot batch = VectorSchemaRoot.create(schema, allocator);
    BigIntVector ids = (BigIntVector) batch.getVector("id");
    ids.allocateNew(rows);
    for (int row = 0; row < rows; row++) {
      ids.set(row, row);
    }
    batch.setRowCount(rows);
    return batch;
  }

  /** Every tenth name is null. */
  private VectorSchemaRoot plain(int rows) {
    VectorSchemaRoot batch = VectorSchemaRoot.create(PLAIN, allocator);
    BigIntVector ids = (BigIntVector) batch.getVector("id");
    VarCharVector names = (VarCharVector) batch.getVector("name");
    ids.allocateNew(rows);
    names.allocateNew();
    for (int row = 0; row < rows; row++) {
      ids.set(row, row);
      if (row % 10 == 0) {
        names.setNull(row);
      } else {
        names.setSafe(row, ("name " + row).getBytes(java.nio.charset.StandardCharsets.UTF_8));
      }
    }
    names.setValueCount(rows);
    batch.setRowCount(rows);
    return batch;
  }
}
