package dev.narwhal.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.fragment.DataFile;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.manifest.Manifest;
import dev.narwhal.lance.scan.BatchReader;
import dev.narwhal.lance.scan.ScanOptions;
import dev.narwhal.lance.write.RowSource;
import dev.narwhal.lance.write.insert.InsertOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lance.schema.SqlExpressions;

/** Columns added by Narwhal and by real Lance, side by side and in turns. */
class ColumnsJudgedTest {
  private static final ArrowType LONG = new ArrowType.Int(64, true);
  private static final Field ID = Field.notNullable("id", LONG);
  private static final Schema SCHEMA = new Schema(List.of(ID, Field.nullable("n", LONG)));

  @TempDir Path folder;

  @ParameterizedTest(name = "{0}, stable row ids: {1}")
  @CsvSource({"2.0,false", "2.1,false", "2.1,true", "2.2,true"})
  void bothAddTheSameColumns(String version, boolean stable) throws IOException {
    Path ours = folder.resolve("ours");
    Path theirs = folder.resolve("theirs");
    for (Path path : List.of(ours, theirs)) {
      JudgeWriter lance = new JudgeWriter(path, version, stable);
      lance.create(SCHEMA, List.of(30, 20), ColumnsJudgedTest::fill);
      ourDelete(path, "id % 4 = 1 OR id > 45");
    }
    try (BufferAllocator allocator = new RootAllocator()) {
      try (LanceJudge judge = LanceJudge.open(theirs)) {
        judge.dataset().addColumns(sql("q", "id * 2 + n"), Optional.empty());
      }
      open(ours, allocator).addColumns().computed("q", "id * 2 + n");
      compare("computed", ours, theirs);
      try (LanceJudge judge = LanceJudge.open(theirs)) {
        judge.dataset().addColumns(List.of(Field.nullable("z", LONG)));
      }
      open(ours, allocator).addColumns().nulls(List.of(Field.nullable("z", LONG)));
      compare("null", ours, theirs);
      String text = "concat('a', CAST(id AS STRING))";
      try (LanceJudge judge = LanceJudge.open(theirs)) {
        judge.dataset().addColumns(sql("w", text), Optional.empty());
      }
      open(ours, allocator).addColumns().computed("w", text);
      compare("computed text", ours, theirs);
    }
    // each goes on with what the other made
    new JudgeWriter(ours, version, stable).append(SCHEMA, List.of(5), ColumnsJudgedTest::fill);
    OurInsert.into(theirs).append(SCHEMA, 5, ColumnsJudgedTest::fill);
    ourDelete(theirs, "id = 8");
    try (LanceJudge judge = LanceJudge.open(ours)) {
      judge.delete("id = 8");
    }
    compare("gone on", ours, theirs);
    try (LanceJudge judge = LanceJudge.open(ours);
        LanceJudge other = LanceJudge.open(theirs)) {
      for (String filter : List.of("q > 20", "z IS NULL", "w = 'a12'", "w IS NULL")) {
        assertThat(judge.countRows(filter)).as(filter).isEqualTo(other.countRows(filter));
      }
      assertThat(judge.take(List.of(0L, 7L, 20L), List.of("w", "id", "z")))
          .isEqualTo(other.take(List.of(0L, 7L, 20L), List.of("w", "id", "z")));
    }
  }

  @Test
  void realLanceReadsColumnsThatWereGivenByAddress() throws IOException {
    Path table = folder.resolve("table");
    InsertOptions options = InsertOptions.standard().withMaxRowsPerFile(40);
    OurInsert.into(table)
        .withOptions(options.withStableRowIds())
        .create("2.1", SCHEMA, 100, ColumnsJudgedTest::fill);
    ourDelete(table, "id % 7 = 3");
    try (BufferAllocator allocator = new RootAllocator()) {
      Dataset dataset = open(table, allocator);
      Schema schema =
          new Schema(
              List.of(
                  Field.notNullable("_rowaddr", new ArrowType.Int(64, false)),
                  Field.nullable("v", LONG)));
      try (BatchReader reader =
              dataset.scan(ScanOptions.of(List.of("id", "_rowaddr"))).read(allocator);
          VectorSchemaRoot given = VectorSchemaRoot.create(schema, allocator);
          RowSource source = RowSource.of(given)) {
        int rows = 0;
        while (reader.next()) {
          UInt8Vector addresses = (UInt8Vector) reader.batch().getVector("_rowaddr");
          BigIntVector ids = (BigIntVector) reader.batch().getVector("id");
          for (int i = 0; i < reader.batch().getRowCount(); i++) {
            if (ids.get(i) % 2 == 0) {
              ((UInt8Vector) given.getVector("_rowaddr")).setSafe(rows, addresses.get(i));
              ((BigIntVector) given.getVector("v")).setSafe(rows, -ids.get(i));
              rows++;
            }
          }
        }
        given.setRowCount(rows);
        dataset.addColumns().given(source);
      }
      assertThat(open(table, allocator).countRows("v = -id AND id % 2 = 0"))
          .isEqualTo(open(table, allocator).countRows("id % 2 = 0"));
    }
    try (LanceJudge judge = LanceJudge.open(table)) {
      assertThat(judge.countRows("v = -id")).isEqualTo(judge.countRows("id % 2 = 0"));
      assertThat(judge.countRows("v IS NULL")).isEqualTo(judge.countRows("id % 2 = 1"));
      assertThat(OurRows.of(table)).isEqualTo(judge.rows());
    }
  }

  private static void compare(String label, Path ours, Path theirs) throws IOException {
    try (BufferAllocator allocator = new RootAllocator()) {
      Manifest our = open(ours, allocator).manifest();
      Manifest their = open(theirs, allocator).manifest();
      assertThat(our.schema()).as(label).isEqualTo(their.schema());
      assertThat(our.version()).as(label).isEqualTo(their.version());
      assertThat(our.nextRowId()).as(label).isEqualTo(their.nextRowId());
      for (int i = 0; i < our.fragments().size(); i++) {
        Fragment one = our.fragments().get(i);
        Fragment two = their.fragments().get(i);
        assertThat(one.id()).as(label).isEqualTo(two.id());
        assertThat(one.rowIds()).as(label).isEqualTo(two.rowIds());
        assertThat(one.createdVersions()).as(label).isEqualTo(two.createdVersions());
        assertThat(one.lastUpdatedVersions()).as(label).isEqualTo(two.lastUpdatedVersions());
        assertThat(one.files())
            .as(label)
            .extracting(DataFile::fields)
            .isEqualTo(two.files().stream().map(DataFile::fields).toList());
      }
    }
    CanonicalRows.Result rows = LanceJudge.judge(theirs).rows();
    assertThat(LanceJudge.judge(ours).rows()).as(label).isEqualTo(rows);
    assertThat(OurRows.of(ours)).as(label).isEqualTo(rows);
    assertThat(OurRows.of(theirs)).as(label).isEqualTo(rows);
  }

  private static SqlExpressions sql(String name, String expression) {
    return new SqlExpressions.Builder().withExpression(name, expression).build();
  }

  private static Dataset open(Path path, BufferAllocator allocator) throws IOException {
    return Dataset.open(path.toString(), allocator);
  }

  private static void ourDelete(Path path, String where) throws IOException {
    try (BufferAllocator allocator = new RootAllocator()) {
      open(path, allocator).delete(where);
    }
  }

  private static void fill(VectorSchemaRoot batch, int fragment, int rows) {
    Random random = new Random(fragment);
    for (FieldVector vector : batch.getFieldVectors()) {
      vector.allocateNew();
      for (int i = 0; i < rows; i++) {
        if (vector.getName().equals("id")) {
          ((BigIntVector) vector).setSafe(i, fragment * 30L + i);
        } else if (random.nextInt(4) > 0) {
          ((BigIntVector) vector).setSafe(i, random.nextInt(100));
        }
      }
      vector.setValueCount(rows);
    }
    batch.setRowCount(rows);
  }
}
