package dev.narwhal.lance.datafile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.narwhal.lance.schema.BlobMode;
import dev.narwhal.lance.schema.LanceField;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Files that real Lance wrote, against their values. */
class FileFixturesTest {
  private static final int PARTS = 12;

  @TestFactory
  Stream<DynamicTest> readsWhatLanceWrote() {
    return Stream.of("2.0", "2.1", "2.2")
        .flatMap(version -> FileFixture.all(version).stream())
        .map(fixture -> DynamicTest.dynamicTest(fixture.toString(), () -> check(fixture)));
  }

  private static void check(FileFixture fixture) throws IOException {
    try (LanceFile file = fixture.open();
        BufferAllocator allocator = new RootAllocator()) {
      assertThat(file.version()).hasToString(fixture.version());
      LanceField field = file.schema().topLevel().get(0);
      int column = file.columnIndexOf(field);
      assertThat(file.pages(column)).isNotEmpty();
      ColumnReader reader = file.column(field, BlobMode.BYTES);
      List<@Nullable Object> rows = checkAll(fixture, file, reader, allocator);
      Random random = new Random(7);
      for (int part = 0; part < PARTS; part++) {
        checkRange(reader, rows, random, allocator);
        checkTake(reader, rows, random, allocator);
      }
    }
  }

  private static List<@Nullable Object> checkAll(
      FileFixture fixture, LanceFile file, ColumnReader reader, BufferAllocator allocator)
      throws IOException {
    try (FieldVector vector = reader.read(0, Math.toIntExact(file.rows()), allocator)) {
      assertThat(vector.getName()).isEqualTo("x");
      assertThat(vector.getField().getFieldType()).isEqualTo(reader.arrowField().getFieldType());
      List<@Nullable Object> rows = ColumnValues.of(vector);
      List<@Nullable Object> expected = ColumnValues.of(fixture.expected(), vector);
      assertThat(rows)
          .isEqualTo(
              fixture.version().equals("2.0")
                  ? ColumnValues.withoutNullStructs(expected, vector)
                  : expected);
      return rows;
    }
  }

  private static void checkRange(
      ColumnReader reader, List<@Nullable Object> rows, Random random, BufferAllocator allocator)
      throws IOException {
    int first = random.nextInt(rows.size());
    int count = random.nextInt(rows.size() - first + 1);
    try (FieldVector vector = reader.read(first, count, allocator)) {
      assertThat(ColumnValues.of(vector))
          .as("rows from %d, %d of them", first, count)
          .isEqualTo(rows.subList(first, first + count));
    }
  }

  private static void checkTake(
      ColumnReader reader, List<@Nullable Object> rows, Random random, BufferAllocator allocator)
      throws IOException {
    int first = random.nextInt(rows.size());
    int left = rows.size() - first;
    int most = Math.min(left, 1 + random.nextInt(left));
    int[] offsets = random.ints(0, left).distinct().limit(most).sorted().toArray();
    int[] positions = Arrays.stream(offsets).map(offset -> first + offset).toArray();
    try (FieldVector vector = reader.take(first, offsets, allocator)) {
      assertThat(ColumnValues.of(vector))
          .as("%d rows from %d on", offsets.length, first)
          .isEqualTo(ColumnValues.pick(rows, positions));
    }
  }
}
