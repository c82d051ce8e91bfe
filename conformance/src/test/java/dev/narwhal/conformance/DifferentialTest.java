package dev.narwhal.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.datafile.LanceFile;
import dev.narwhal.lance.scan.BatchReader;
import dev.narwhal.lance.schema.LanceField;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lance.ipc.ScanOptions;
import org.opentest4j.MultipleFailuresError;

/**
 * Random schemas with random values: real Lance writes them, and what Narwhal reads, by scans,
 * ranges and takes, is what real Lance reads.
 *
 * <p>{@code -Dnarwhal.differential.schemas=N} tries N schemas of each version, {@code
 * -Dnarwhal.differential.seed=N} starts with another seed, or with a fresh one for {@code random}.
 * Each schema has a seed of its own, which a failure names. What real Lance panics on ends the JVM
 * before there is a failure; {@code -Dnarwhal.differential.trace=true} prints each schema before it
 * is tried. The Maven profile {@code differential} runs 300 with a fresh seed.
 */
class DifferentialTest {
  private static final int SCHEMAS = Integer.getInteger("narwhal.differential.schemas", 30);
  private static final boolean TRACE = Boolean.getBoolean("narwhal.differential.trace");

  @ParameterizedTest
  @ValueSource(strings = {"2.0", "2.1", "2.2"})
  void readsWhatRealLanceReads(String version, @TempDir Path folder) throws IOException {
    String seed = System.getProperty("narwhal.differential.seed", "1");
    long first = seed.equals("random") ? System.nanoTime() : Long.parseLong(seed);
    System.out.printf("differential: %d schemas of %s from seed %d%n", SCHEMAS, version, first);
    List<Throwable> differences = new ArrayList<>();
    Map<Verdict, Integer> verdicts = new EnumMap<>(Verdict.class);
    for (long i = first; i < first + SCHEMAS; i++) {
      Random random = new Random(i);
      Schema schema = RandomSchema.withDictionaries(version, random);
      String name =
          "%s with -Dnarwhal.differential.seed=%d -Dnarwhal.differential.schemas=1: %s"
              .formatted(version, i, schema);
      if (TRACE) {
        System.out.println(name);
      }
      try {
        Path dataset = folder.resolve(Long.toString(i));
        verdicts.merge(compare(version, schema, random, dataset), 1, Integer::sum);
      } catch (IOException | RuntimeException | AssertionError e) {
        differences.add(new AssertionError(name + ": " + e.getMessage(), e));
      }
    }
    int refused = verdicts.getOrDefault(Verdict.REFUSED, 0);
    int misread = verdicts.getOrDefault(Verdict.MISREAD, 0);
    System.out.printf(
        "differential: real Lance refused %d and misread %d of its own%n", refused, misread);
    assertThat(refused).isLessThanOrEqualTo(2 + SCHEMAS / 4);
    assertThat(misread).isLessThanOrEqualTo(2 + SCHEMAS / 10);
    if (!differences.isEmpty()) {
      throw new MultipleFailuresError(differences.size() + " schemas differ", differences);
    }
  }

  /** What came of a schema. */
  private enum Verdict {
    SAME,
    /** Real Lance did not write the data, or not read what it wrote. */
    REFUSED,
    /**
     * Real Lance does not read what was written, and we do: it loses the nulls of items of
     * fixed-size lists below lists, among others.
     */
    MISREAD
  }

  private static Verdict compare(String version, Schema schema, Random random, Path dataset)
      throws IOException {
    List<Integer> sizes =
        List.of(
            random.nextInt(10) == 0 ? 3000 : 1 + random.nextInt(400),
            1 + random.nextInt(30),
            1 + random.nextInt(30));
    List<String> written = new ArrayList<>();
    List<String> judged = new ArrayList<>();
    List<JudgedFragment> fragments;
    try {
      JudgeWriter.at(dataset, version)
          .create(
              schema,
              sizes,
              (batch, dictionaries, fragment, rows) -> {
                RandomBatch.fill(batch, dictionaries, rows, random);
                written.addAll(texts(batch, dictionaries));
              });
      try (LanceJudge judge = LanceJudge.open(dataset)) {
        judge.scan(
            new ScanOptions.Builder().build(),
            (batch, dictionaries) -> judged.addAll(texts(batch, dictionaries)));
        fragments = judge.fragments();
        // of its own random access once, so that ours is not only held against its scan
        List<Integer> some = rows(random, judged.size());
        assertThat(taken(judge, some, schema)).isEqualTo(some.stream().map(judged::get).toList());
      }
    } catch (IOException | RuntimeException e) {
      if (TRACE) {
        System.out.println("real Lance: " + e);
      }
      return Verdict.REFUSED;
    }
    List<String> expected = judged;
    try (BufferAllocator allocator = new RootAllocator()) {
      Dataset ours = Dataset.open(dataset.toString(), allocator);
      List<String> read = scan(ours, allocator);
      if (!read.equals(judged) && read.equals(written)) {
        expected = written;
      }
      assertThat(read).isEqualTo(expected);
      takeAcrossFragments(ours, expected, random);
      int before = 0;
      for (JudgedFragment fragment : fragments) {
        int rows = Math.toIntExact(fragment.physicalRows());
        List<String> part = expected.subList(before, before + rows);
        Path path = dataset.resolve("data").resolve(fragment.dataFiles().get(0));
        try (LanceFile file = OurFiles.open(path)) {
          compareAccess(file, part, random, allocator);
        }
        before += rows;
      }
    }
    return expected == judged ? Verdict.SAME : Verdict.MISREAD;
  }

  /** Rows in any order, one of each fragment among them. */
  private static void takeAcrossFragments(Dataset ours, List<String> expected, Random random)
      throws IOException {
    long[] offsets = random.longs(20, 0, expected.size()).toArray();
    offsets[3] = expected.size() - 1L;
    offsets[7] = 0;
    try (VectorSchemaRoot taken = ours.takeOffsets(offsets, ours.columnNames())) {
      assertThat(texts(taken, NO_DICTIONARIES))
          .as("rows %s of the dataset", Arrays.toString(offsets))
          .isEqualTo(Arrays.stream(offsets).mapToObj(row -> expected.get((int) row)).toList());
    }
  }

  private static void compareAccess(
      LanceFile file, List<String> expected, Random random, BufferAllocator allocator)
      throws IOException {
    for (int i = 0; i < 6; i++) {
      int first = random.nextInt(expected.size());
      int count = random.nextInt(expected.size() - first + 1);
      try (VectorSchemaRoot batch = OurFiles.read(file, first, count, allocator)) {
        assertThat(texts(batch, NO_DICTIONARIES))
            .as("%d rows from %d on", count, first)
            .isEqualTo(expected.subList(first, first + count));
      }
      List<Integer> rows = rows(random, expected.size() - first);
      int[] offsets = rows.stream().mapToInt(Integer::intValue).toArray();
      int base = first;
      assertThat(take(file, first, offsets, allocator))
          .as("from %d on the rows %s", first, Arrays.toString(offsets))
          .isEqualTo(rows.stream().map(row -> expected.get(base + row)).toList());
    }
  }

  /** Some of the numbers below a bound, at least one, ascending. */
  private static List<Integer> rows(Random random, int bound) {
    return random.ints(1 + random.nextInt(20), 0, bound).distinct().sorted().boxed().toList();
  }

  private static List<String> scan(Dataset dataset, BufferAllocator allocator) throws IOException {
    List<String> texts = new ArrayList<>();
    try (BatchReader reader = dataset.read()) {
      while (reader.next()) {
        texts.addAll(texts(reader.batch(), NO_DICTIONARIES));
      }
    }
    assertThat(allocator.getAllocatedMemory()).isZero();
    return texts;
  }

  private static List<String> take(
      LanceFile file, long first, int[] offsets, BufferAllocator allocator) throws IOException {
    List<FieldVector> vectors = new ArrayList<>();
    try {
      for (LanceField field : file.schema().topLevel()) {
        vectors.add(file.column(field).take(first, offsets, allocator));
      }
      return texts(vectors, offsets.length, NO_DICTIONARIES);
    } finally {
      vectors.forEach(FieldVector::close);
    }
  }

  private static List<String> taken(LanceJudge judge, List<Integer> rows, Schema schema)
      throws IOException {
    List<String> texts = new ArrayList<>();
    try (ArrowReader reader =
        judge
            .dataset()
            .take(
                rows.stream().map(Integer::longValue).toList(),
                schema.getFields().stream().map(field -> field.getName()).toList())) {
      while (reader.loadNextBatch()) {
        texts.addAll(texts(reader.getVectorSchemaRoot(), reader));
      }
    }
    return texts;
  }

  private static final DictionaryProvider NO_DICTIONARIES =
      new DictionaryProvider.MapDictionaryProvider();

  private static List<String> texts(VectorSchemaRoot batch, DictionaryProvider dictionaries) {
    return texts(batch.getFieldVectors(), batch.getRowCount(), dictionaries);
  }

  private static List<String> texts(
      List<FieldVector> columns, int rows, DictionaryProvider dictionaries) {
    CanonicalValue row =
        CanonicalValue.object(
            columns.stream().map(FieldVector::getName).toList(),
            columns.stream().map(column -> CanonicalValue.of(column, dictionaries)).toList());
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      texts.add(CanonicalValue.text(row, i));
    }
    return texts;
  }
}
