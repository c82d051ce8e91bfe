package dev.narwhal.lance.write.merge;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The join of the source's keys with the table's, against a plain map. */
class SourceKeysTest {
  private static final Field LONG = Field.nullable("l", new ArrowType.Int(64, true));
  private static final Field INT = Field.nullable("i", new ArrowType.Int(32, true));
  private static final Field OTHER_INT = Field.nullable("j", new ArrowType.Int(32, true));
  private static final Field TEXT = Field.nullable("t", new ArrowType.Utf8());
  private static final Field OTHER_TEXT = Field.nullable("u", new ArrowType.Utf8());
  private static final Field ADDRESS = Field.notNullable("address", new ArrowType.Int(64, false));

  @TempDir Path folder;
  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void nothingLeaks() {
    allocator.close();
  }

  @ParameterizedTest(name = "keys {0}, {1} bytes of memory, {2} different keys")
  @CsvSource({
    "l, 100000000, 1000",
    "l, 20000, 1000",
    "l, 500, 3000",
    "l, 500, 3",
    "ij, 100000000, 1000",
    "ij, 20000, 1000",
    "t, 100000000, 1000",
    "t, 20000, 1000",
    "tu, 100000000, 50",
    "tu, 5000, 50",
    "lt, 5000, 30",
  })
  void pairsAreThoseOfEqualKeys(String columns, long memoryBytes, int distinct) throws IOException {
    Random random = new Random(memoryBytes + distinct);
    List<Field> keys = fields(columns);
    boolean few = distinct < 10;
    List<List<Object>> source = rows(random, columns, few ? 300 : 2_000, distinct);
    List<List<Object>> table = rows(random, columns, few ? 200 : 1_000, distinct);
    List<String> expected = expected(source, table);
    KeyEncoder encoder = new KeyEncoder(keys);
    try (SpillFolder spill = new SpillFolder(folder);
        SourceKeys joined = new SourceKeys(encoder, spill, memoryBytes)) {
      for (int from = 0; from < source.size(); from += 300) {
        List<List<Object>> part = source.subList(from, Math.min(source.size(), from + 300));
        try (VectorSchemaRoot batch = batch(keys, part, -1)) {
          joined.add(batch, from);
        }
      }
      joined.seal();
      assertThat(joined.isSpilled()).isEqualTo(memoryBytes < 100_000_000);
      // as often as it is asked
      for (int pass = 0; pass < 2; pass++) {
        PairRuns pairs = joined.match(target(keys, table, encoder), spill);
        assertThat(pairs.count()).isEqualTo(expected.size());
        assertThat(read(pairs)).isEqualTo(expected);
        assertThat(read(pairs)).isEqualTo(expected);
      }
    }
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void twoTextsAreNotOneTextCutElsewhere() throws IOException {
    List<Field> keys = fields("tu");
    KeyEncoder encoder = new KeyEncoder(keys);
    List<List<Object>> source = List.of(List.of("ab", "c"), List.of("a", "bc"));
    try (SpillFolder spill = new SpillFolder(folder);
        SourceKeys joined = new SourceKeys(encoder, spill, 1 << 20);
        VectorSchemaRoot batch = batch(keys, source, -1)) {
      joined.add(batch, 0);
      joined.seal();
      List<List<Object>> table = List.of(List.of("a", "bc"));
      assertThat(read(joined.match(target(keys, table, encoder), spill))).containsExactly("1:0");
    }
  }

  @Test
  void manyRunsOfPairsAreMergedToFew() throws IOException {
    KeyBatch keys = new KeyBatch(true, 0);
    for (int row = 0; row < 1_000; row++) {
      keys.addWord(2L * row, row);
    }
    int count = 200_000;
    try (SpillFolder spill = new SpillFolder(folder)) {
      PairRuns pairs = new PairRuns(keys, spill, 1);
      for (int i = 0; i < count; i++) {
        pairs.add((int) (i * 7_919L % 1_000), i);
      }
      pairs.seal();
      try (Stream<Path> files = Files.walk(folder).filter(Files::isRegularFile)) {
        assertThat(files.count()).isBetween(2L, 128L);
      }
      assertThat(pairs.count()).isEqualTo(count);
      try (PairCursor cursor = pairs.open()) {
        for (int i = 0; i < count; i++) {
          assertThat(cursor.next()).isTrue();
          if (cursor.row() != 2L * (i / 200)) {
            assertThat(cursor.row()).as("pair " + i).isEqualTo(2L * (i / 200));
          }
        }
        assertThat(cursor.next()).isFalse();
      }
    }
  }

  @Test
  void aSieveLetsEveryKeyThrough() {
    KeySieve sieve = new KeySieve(4_096);
    Random random = new Random(5);
    long[] hashes = random.longs(2_000).toArray();
    for (long hash : hashes) {
      sieve.add(hash);
    }
    for (long hash : hashes) {
      assertThat(sieve.mayHold(hash)).isTrue();
    }
    assertThat(random.longs(10_000).filter(sieve::mayHold).count()).isLessThan(3_000);
  }

  private static List<Field> fields(String columns) {
    List<Field> all = List.of(LONG, INT, OTHER_INT, TEXT, OTHER_TEXT);
    return all.stream().filter(field -> columns.contains(field.getName())).toList();
  }

  /** Rows of which one in ten values is null. */
  private static List<List<Object>> rows(Random random, String columns, int count, int distinct) {
    List<List<Object>> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      List<Object> row = new ArrayList<>();
      for (Field field : fields(columns)) {
        int value = random.nextInt(distinct);
        boolean isText = field.getType() instanceof ArrowType.Utf8;
        boolean isLong = field.equals(LONG);
        Object some = isText ? "key " + value : (Object) value;
        some = isLong ? (Object) (value * 0x1_0000_0001L) : some;
        row.add(random.nextInt(10) == 0 ? null : some);
      }
      rows.add(row);
    }
    return rows;
  }

  /** Pairs of numbers of rows, in the order of the source, then of the table. */
  private static List<String> expected(List<List<Object>> source, List<List<Object>> table) {
    Map<List<Object>, List<Integer>> places = new HashMap<>();
    for (int i = 0; i < table.size(); i++) {
      if (table.get(i).stream().allMatch(Objects::nonNull)) {
        places.computeIfAbsent(table.get(i), key -> new ArrayList<>()).add(i);
      }
    }
    List<String> pairs = new ArrayList<>();
    for (int i = 0; i < source.size(); i++) {
      for (int place : places.getOrDefault(source.get(i), List.of())) {
        pairs.add(i + ":" + place);
      }
    }
    return pairs;
  }

  private TargetKeys target(List<Field> keys, List<List<Object>> table, KeyEncoder encoder) {
    int[] next = {0};
    return batch -> {
      batch.clear();
      int from = next[0];
      int to = Math.min(table.size(), from + 170);
      next[0] = to;
      if (from == to) {
        return false;
      }
      try (VectorSchemaRoot rows = batch(keys, table.subList(from, to), from)) {
        encoder.encode(rows, (UInt8Vector) rows.getVector("address"), batch);
      }
      return true;
    };
  }

  /** A batch, with addresses from a first one on unless that is negative. */
  private VectorSchemaRoot batch(List<Field> keys, List<List<Object>> rows, long first) {
    List<Field> fields = new ArrayList<>(keys);
    if (first >= 0) {
      fields.add(ADDRESS);
    }
    VectorSchemaRoot batch = VectorSchemaRoot.create(new Schema(fields), allocator);
    for (int row = 0; row < rows.size(); row++) {
      for (int column = 0; column < keys.size(); column++) {
        Object value = rows.get(row).get(column);
        if (value != null) {
          set(batch.getVector(column), row, value);
        }
      }
      if (first >= 0) {
        ((UInt8Vector) batch.getVector("address")).setSafe(row, first + row);
      }
    }
    batch.setRowCount(rows.size());
    return batch;
  }

  private static void set(FieldVector vector, int row, Object value) {
    if (vector instanceof BigIntVector longs) {
      longs.setSafe(row, (Long) value);
    } else if (vector instanceof IntVector ints) {
      ints.setSafe(row, (Integer) value);
    } else {
      ((VarCharVector) vector).setSafe(row, ((String) value).getBytes(StandardCharsets.UTF_8));
    }
  }

  private static List<String> read(PairRuns pairs) throws IOException {
    List<String> read = new ArrayList<>();
    try (PairCursor cursor = pairs.open()) {
      while (cursor.next()) {
        read.add(cursor.row() + ":" + cursor.address());
      }
      assertThat(cursor.next()).isFalse();
    }
    return read;
  }
}
