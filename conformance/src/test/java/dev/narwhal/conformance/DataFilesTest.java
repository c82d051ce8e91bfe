package dev.narwhal.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.narwhal.conformance.Fixtures.FileFixture;
import dev.narwhal.lance.datafile.ColumnReader;
import dev.narwhal.lance.datafile.LanceFile;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.schema.LanceField;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every recorded data file of 2.0 and 2.1 is read as recorded, or is refused by the type of its
 * column. The type alone decides which: no encoding of a supported type can hide behind a refusal.
 */
class DataFilesTest {
  /** Logical types, besides blobs, that are not supported yet. */
  private static final Set<String> REFUSED =
      Set.of("list", "list.struct", "large_list", "struct", "dict:string:int32:false");

  static Stream<FileFixture> supported() throws IOException {
    return files(field -> !refused(field));
  }

  static Stream<FileFixture> unsupported() throws IOException {
    return files(DataFilesTest::refused);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("supported")
  void readsTheRecordedValues(FileFixture fixture) throws IOException {
    try (BufferAllocator allocator = new RootAllocator();
        LanceFile file = OurFiles.open(fixture.file())) {
      ColumnReader column = column(file);
      List<String> expected = expected(column, fixture);
      assertThat(file.rows()).isEqualTo(expected.size());
      int rows = expected.size();
      assertThat(read(column, 0, rows, allocator)).isEqualTo(expected);

      Random random = new Random(fixture.toString().hashCode());
      for (int i = 0; i < 20 && rows > 0; i++) {
        int first = random.nextInt(rows);
        int count = 1 + random.nextInt(Math.min(rows - first, 1 << random.nextInt(14)));
        assertThat(read(column, first, count, allocator))
            .isEqualTo(expected.subList(first, first + count));
        int[] offsets = offsets(random, count);
        assertThat(take(column, first, offsets, allocator))
            .isEqualTo(IntStream.of(offsets).mapToObj(o -> expected.get(first + o)).toList());
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("unsupported")
  void refusesTheTypeByName(FileFixture fixture) throws IOException {
    try (LanceFile file = OurFiles.open(fixture.file())) {
      LanceField field = file.schema().fields().get(0);
      assertThatThrownBy(() -> column(file))
          .isInstanceOf(UnsupportedFeatureException.class)
          .hasMessageContaining("column 'x'")
          .hasMessageContaining(field.logicalType());
    }
  }

  private static boolean refused(LanceField field) {
    return REFUSED.contains(field.logicalType())
        || field.metadata().containsKey("lance-encoding:blob");
  }

  private static Stream<FileFixture> files(Predicate<LanceField> wanted) throws IOException {
    List<FileFixture> found = new ArrayList<>();
    for (String version : List.of("2.1")) {
      for (FileFixture fixture : Fixtures.lanceFiles(version)) {
        try (LanceFile file = OurFiles.open(fixture.file())) {
          if (wanted.test(file.schema().fields().get(0))) {
            found.add(fixture);
          }
        }
      }
    }
    return found.stream();
  }

  private static ColumnReader column(LanceFile file) throws IOException {
    LanceField field = file.schema().fields().get(0);
    return file.column(field, file.columnIndexOf(field));
  }

  private static List<String> expected(ColumnReader column, FileFixture fixture)
      throws IOException {
    RecordedValue recorded = RecordedValue.in(fixture.storageVersion());
    List<String> expected = new ArrayList<>();
    for (JsonNode value : ExpectedDataset.JSON.readTree(fixture.values().toFile())) {
      expected.add(recorded.canonical(column.arrowField(), value));
    }
    return expected;
  }

  private static List<String> read(
      ColumnReader column, long first, int count, BufferAllocator allocator) throws IOException {
    try (FieldVector vector = column.read(first, count, allocator)) {
      return texts(vector, count);
    }
  }

  private static List<String> take(
      ColumnReader column, long first, int[] offsets, BufferAllocator allocator)
      throws IOException {
    try (FieldVector vector = column.take(first, offsets, allocator)) {
      return texts(vector, offsets.length);
    }
  }

  private static List<String> texts(FieldVector vector, int rows) {
    assertThat(vector.getValueCount()).isEqualTo(rows);
    CanonicalValue value =
        CanonicalValue.of(vector, new DictionaryProvider.MapDictionaryProvider());
    List<String> texts = new ArrayList<>(rows);
    for (int i = 0; i < rows; i++) {
      texts.add(CanonicalValue.text(value, i));
    }
    return texts;
  }

  /** Some of the offsets in {@code [0, count)}, ascending. */
  private static int[] offsets(Random random, int count) {
    int every = 1 + random.nextInt(40);
    return IntStream.range(0, count).filter(o -> random.nextInt(every) == 0).toArray();
  }
}
