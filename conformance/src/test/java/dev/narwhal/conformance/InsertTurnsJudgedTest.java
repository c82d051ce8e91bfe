package dev.narwhal.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.scan.BatchReader;
import dev.narwhal.lance.scan.ScanOptions;
import dev.narwhal.lance.write.columns.ColumnAddition;
import dev.narwhal.lance.write.insert.InsertOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lance.schema.SqlExpressions;

/**
 * Narwhal and real Lance take turns at inserting rows, at replacing all of them, at adding and
 * dropping columns and at deleting; after each step both see the rows of a plain model, and agree
 * on row ids and on the versions that made and changed each row.
 *
 * <p>The properties are those of {@link TurnsJudgedTest}.
 */
class InsertTurnsJudgedTest {
  private static final Field ID = Field.notNullable("id", new ArrowType.Int(64, true));
  private static final Field NUMBER = Field.nullable("n", new ArrowType.Int(32, true));
  private static final Field TEXT = Field.nullable("t", new ArrowType.Utf8());

  /** A row that is alive: what it is known by, and the versions that made it and wrote it last. */
  private record Row(long id, long rowId, long created, long updated) {}

  @TempDir Path folder;
  private final List<Row> rows = new ArrayList<>();
  private List<Field> columns = List.of(ID, NUMBER, TEXT);
  private long nextId;
  private long nextRowId;
  private int nextColumn;

  @ParameterizedTest(name = "{0}, stable row ids: {1}")
  @CsvSource({"2.1,false", "2.1,true", "2.2,true", "2.0,true"})
  void bothSeeTheSameRowsAfterEachStep(String version, boolean stable) throws IOException {
    Path table = folder.resolve("table");
    InsertOptions options = InsertOptions.standard().withMaxRowsPerFile(7);
    OurInsert.into(table)
        .withOptions(stable ? options.withStableRowIds() : options)
        .create(version, new Schema(columns), 20, this::fill);
    added(20, 1);
    int steps = Integer.getInteger("narwhal.soak.steps", 180) / 3;
    String property = System.getProperty("narwhal.soak.seed", "11");
    long seed = property.equals("random") ? new Random().nextLong() : Long.parseLong(property);
    Random random = new Random(seed);
    for (int step = 0; step < steps; step++) {
      String did = step(table, new JudgeWriter(table, version, stable), random);
      String label = "seed " + seed + ", step " + step + ", " + did;
      try (BufferAllocator allocator = new RootAllocator()) {
        check(label, table, stable, Dataset.open(table.toString(), allocator), allocator);
      }
    }
  }

  private void check(
      String label, Path table, boolean stable, Dataset ours, BufferAllocator allocator)
      throws IOException {
    try (LanceJudge judge = LanceJudge.open(table)) {
      assertThat(judge.version()).as(label).isEqualTo(ours.version());
      CanonicalRows.Result theirs = judge.rows();
      assertThat(OurRows.of(ours)).as(label).isEqualTo(theirs);
      assertThat(judge.longs("id")).as(label).containsExactly(of(row -> row.id()));
      assertThat(longs(ours, "id", allocator)).as(label).containsExactly(of(row -> row.id()));
      assertThat(longs(ours, "_rowid", allocator)).as(label).containsExactly(judge.rowIds());
      if (stable) {
        assertThat(judge.rowIds()).as(label).containsExactly(of(row -> row.rowId()));
        for (String column : List.of("_row_created_at_version", "_row_last_updated_at_version")) {
          long[] expected =
              of(row -> column.equals("_row_created_at_version") ? row.created() : row.updated());
          assertThat(longs(ours, column, allocator)).as(label).containsExactly(expected);
          assertThat(
                  judge.longs(
                      new org.lance.ipc.ScanOptions.Builder().columns(List.of(column)).build(),
                      column))
              .as(label)
              .containsExactly(expected);
        }
        assertThat(ours.manifest().nextRowId()).as(label).isEqualTo(nextRowId);
      }
    }
  }

  private interface Of {
    long value(Row row);
  }

  private long[] of(Of of) {
    LongStream.Builder values = LongStream.builder();
    rows.forEach(row -> values.add(of.value(row)));
    return values.build().toArray();
  }

  private String step(Path table, JudgeWriter lance, Random random) throws IOException {
    int count = 1 + random.nextInt(20);
    OurInsert narwhal =
        OurInsert.into(table).withOptions(InsertOptions.standard().withMaxRowsPerFile(7));
    switch (random.nextInt(12)) {
      case 0, 1, 2 -> {
        List<Field> some = new ArrayList<>(columns);
        some.removeIf(field -> field.isNullable() && random.nextInt(4) == 0);
        Collections.shuffle(some, random);
        added(count, narwhal.append(new Schema(some), count, this::fill).version());
        return "our append of " + some;
      }
      case 3, 4 -> {
        lance.append(new Schema(columns), List.of(count), this::fill);
        added(count, newest(table));
        return "their append";
      }
      case 5 -> {
        if (random.nextInt(3) > 0) {
          return "nothing";
        }
        columns = List.of(TEXT, ID, NUMBER);
        rows.clear();
        added(count, narwhal.overwrite(new Schema(columns), count, this::fill).version());
        return "our overwrite";
      }
      case 6 -> {
        if (random.nextInt(3) > 0) {
          return "nothing";
        }
        columns = List.of(ID, NUMBER, TEXT);
        rows.clear();
        lance.overwrite(new Schema(columns), List.of(count), this::fill);
        added(count, newest(table));
        return "their overwrite";
      }
      case 7 -> {
        long some = some(random);
        try (BufferAllocator allocator = new RootAllocator()) {
          Dataset.open(table.toString(), allocator).delete("id IN (" + some + ", 2)");
        }
        rows.removeIf(row -> row.id() == some || row.id() == 2);
        return "our delete";
      }
      case 8 -> {
        long some = some(random);
        try (LanceJudge judge = LanceJudge.open(table)) {
          judge.delete("id >= " + some + " AND id < " + (some + 3));
        }
        rows.removeIf(row -> row.id() >= some && row.id() < some + 3);
        return "their delete";
      }
      case 9, 10 -> {
        if (columns.size() > 6) {
          return "nothing";
        }
        Field more = Field.nullable("c" + nextColumn++, new ArrowType.Int(64, true));
        // of a value that is never null real Lance would make a column that cannot be
        boolean hasNumber = columns.contains(NUMBER);
        String sql = (hasNumber ? "n + " : "id + ") + nextColumn;
        boolean ours = !hasNumber || random.nextBoolean();
        boolean written = true;
        if (ours) {
          try (BufferAllocator allocator = new RootAllocator()) {
            ColumnAddition addition = Dataset.open(table.toString(), allocator).addColumns();
            if (random.nextInt(3) == 0) {
              addition.nulls(List.of(more));
              written = false;
            } else {
              addition.computed(more.getName(), sql);
            }
          }
        } else {
          try (LanceJudge judge = LanceJudge.open(table)) {
            judge
                .dataset()
                .addColumns(
                    new SqlExpressions.Builder().withExpression(more.getName(), sql).build(),
                    Optional.empty());
          }
        }
        // as wide as the value's type
        try (BufferAllocator allocator = new RootAllocator()) {
          Dataset dataset = Dataset.open(table.toString(), allocator);
          Field made = dataset.arrowSchema().findField(more.getName());
          columns = Stream.concat(columns.stream(), Stream.of(made)).toList();
        }
        if (written) {
          long version = newest(table);
          rows.replaceAll(row -> new Row(row.id(), row.rowId(), row.created(), version));
        }
        return (ours ? "our" : "their") + " added column " + more.getName();
      }
      default -> {
        if (!columns.contains(NUMBER)) {
          return "nothing";
        }
        try (BufferAllocator allocator = new RootAllocator()) {
          Dataset.open(table.toString(), allocator).change().dropColumns(List.of("n"));
        }
        columns = columns.stream().filter(field -> !field.equals(NUMBER)).toList();
        return "our dropped column";
      }
    }
  }

  private long some(Random random) {
    return rows.isEmpty() ? 0 : rows.get(random.nextInt(rows.size())).id();
  }

  private static long newest(Path table) throws IOException {
    try (BufferAllocator allocator = new RootAllocator()) {
      return Dataset.open(table.toString(), allocator).version();
    }
  }

  private void added(int count, long version) {
    for (int i = 0; i < count; i++) {
      rows.add(new Row(nextId++, nextRowId++, version, version));
    }
  }

  private void fill(VectorSchemaRoot batch, int fragment, int count) {
    for (FieldVector vector : batch.getFieldVectors()) {
      vector.allocateNew();
      for (int i = 0; i < count; i++) {
        long id = nextId + i;
        if (vector instanceof BigIntVector longs) {
          longs.setSafe(i, id);
        } else if (vector instanceof IntVector ints && id % 5 != 0) {
          ints.setSafe(i, (int) id * 3);
        } else if (vector instanceof VarCharVector texts && id % 7 != 0) {
          texts.setSafe(i, ("text " + id).getBytes(UTF_8));
        }
      }
      vector.setValueCount(count);
    }
    batch.setRowCount(count);
  }

  private static long[] longs(Dataset dataset, String column, BufferAllocator allocator)
      throws IOException {
    LongStream.Builder values = LongStream.builder();
    try (BatchReader reader = dataset.scan(ScanOptions.of(List.of(column))).read(allocator)) {
      while (reader.next()) {
        BaseIntVector ints = (BaseIntVector) reader.batch().getVector(0);
        for (int i = 0; i < reader.batch().getRowCount(); i++) {
          values.add(ints.getValueAsLong(i));
        }
      }
    }
    return values.build().toArray();
  }
}
