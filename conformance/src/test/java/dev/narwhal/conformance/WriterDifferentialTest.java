package dev.narwhal.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lance.ipc.ScanOptions;
import org.opentest4j.MultipleFailuresError;

/**
 * Random schemas with random values: Narwhal writes them, and what real Lance reads, by scans,
 * ranges, takes and a filter, is what was written.
 *
 * <p>The properties are those of {@link DifferentialTest}.
 */
class WriterDifferentialTest {
  private static final int SCHEMAS = Integer.getInteger("narwhal.differential.schemas", 30);
  private static final boolean TRACE = Boolean.getBoolean("narwhal.differential.trace");
  private static final DictionaryProvider NO_DICTIONARIES =
      new DictionaryProvider.MapDictionaryProvider();

  @ParameterizedTest
  @ValueSource(strings = {"2.0", "2.1", "2.2"})
  void realLanceReadsWhatWasWritten(String version, @TempDir Path folder) throws IOException {
    String seed = System.getProperty("narwhal.differential.seed", "1");
    long first = seed.equals("random") ? System.nanoTime() : Long.parseLong(seed);
    System.out.printf("writer: %d schemas of %s from seed %d%n", SCHEMAS, version, first);
    List<Throwable> differences = new ArrayList<>();
    for (long i = first; i < first + SCHEMAS; i++) {
      Random random = new Random(i);
      Schema schema = withId(RandomSchema.of(version, random));
      String name =
          "%s with -Dnarwhal.differential.seed=%d -Dnarwhal.differential.schemas=1: %s"
              .formatted(version, i, schema);
      if (TRACE) {
        System.out.println(name);
      }
      try {
        compare(version, schema, random, folder.resolve(Long.toString(i)));
      } catch (IOException | RuntimeException | AssertionError e) {
        differences.add(new AssertionError(name + ": " + e.getMessage(), e));
      }
    }
    if (!differences.isEmpty()) {
      throw new MultipleFailuresError(differences.size() + " schemas differ", differences);
    }
  }

  private static Schema withId(Schema schema) {
    List<Field> fields = new ArrayList<>(schema.getFields());
    fields.add(Field.notNullable("id", new ArrowType.Int(64, true)));
    return new Schema(fields);
  }

  private static void compare(String version, Schema schema, Random random, Path path)
      throws IOException {
    List<Integer> sizes =
        List.of(random.nextInt(10) == 0 ? 3000 : 1 + random.nextInt(400), 1 + random.nextInt(30));
    List<String> given = new ArrayList<>();
    int pageBytes = random.nextInt(3) == 0 ? 4096 << random.nextInt(4) : 8 << 20;
    OurWriter.at(path, version)
        .withPages(pageBytes, 1 + random.nextInt(3))
        .create(
            schema,
            sizes,
            (batch, fragment, rows) -> {
              if (version.equals("2.0")) {
                RandomBatch.fillWithoutNullStructs(batch, NO_DICTIONARIES, rows, random);
              } else {
                RandomBatch.fill(batch, NO_DICTIONARIES, rows, random);
              }
              BigIntVector ids = (BigIntVector) batch.getVector("id");
              for (int row = 0; row < rows; row++) {
                ids.set(row, given.size() + row);
              }
              given.addAll(Texts.of(batch.getFieldVectors(), rows, NO_DICTIONARIES));
            });
    assertThat(Texts.read(path)).as("read by Narwhal").isEqualTo(given);
    if (TRACE) {
      System.out.println("real Lance now");
    }
    try (LanceJudge judge = LanceJudge.open(path)) {
      assertThat(judge.countRows()).isEqualTo(given.size());
      assertThat(Texts.of(judge, new ScanOptions.Builder().build())).as("scan").isEqualTo(given);
      for (int i = 0; i < 3; i++) {
        int from = random.nextInt(given.size());
        int count = 1 + random.nextInt(given.size() - from);
        assertThat(Texts.of(judge, new ScanOptions.Builder().offset(from).limit(count).build()))
            .as("%d rows from %d on", count, from)
            .isEqualTo(given.subList(from, from + count));
        List<Integer> rows =
            random
                .ints(1 + random.nextInt(20), 0, given.size())
                .distinct()
                .sorted()
                .boxed()
                .toList();
        assertThat(taken(judge, rows, schema))
            .as("rows %s", rows)
            .isEqualTo(rows.stream().map(given::get).toList());
      }
      // real Lance 7.0.0 loses nulls of structs when it filters, and can end the process
      List<String> flat =
          schema.getFields().stream()
              .filter(field -> !hasStructs(field))
              .map(Field::getName)
              .toList();
      List<String> all = Texts.of(judge, new ScanOptions.Builder().columns(flat).build());
      List<String> filtered = new ArrayList<>();
      for (int row = 3; row < all.size(); row += 7) {
        filtered.add(all.get(row));
      }
      assertThat(
              Texts.of(judge, new ScanOptions.Builder().columns(flat).filter("id % 7 = 3").build()))
          .as("filter")
          .isEqualTo(filtered);
    }
  }

  private static boolean hasStructs(Field field) {
    return field.getType() instanceof ArrowType.Struct
        || field.getChildren().stream().anyMatch(WriterDifferentialTest::hasStructs);
  }

  private static List<String> taken(LanceJudge judge, List<Integer> rows, Schema schema)
      throws IOException {
    List<String> texts = new ArrayList<>();
    try (ArrowReader reader =
        judge
            .dataset()
            .take(
                rows.stream().map(Integer::longValue).toList(),
                schema.getFields().stream().map(Field::getName).toList())) {
      while (reader.loadNextBatch()) {
        VectorSchemaRoot batch = reader.getVectorSchemaRoot();
        texts.addAll(Texts.of(batch.getFieldVectors(), batch.getRowCount(), reader));
      }
    }
    return texts;
  }
}
